import { dayText } from '#app/booking/calendar/zoned-time.ts'
import { bookTexts } from '#app/content/book.ts'
import { Button } from '#app/ui/button.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { cx } from '#app/ui/class-names.ts'
import { BareSelect } from '#app/ui/input.tsx'
import type { MonthView } from './month.ts'
import type { Picker } from './picker.server.ts'

/** `Mon` to `Sun`. */
const WEEKDAYS = Array.from({ length: 7 }, (_, day) => dayText(`2026-06-0${day + 1}`, { weekday: 'short' }))

type TimePickerProps = {
  picker: Picker
  zones: readonly string[]
  /** The address of the page with these parameters. */
  hrefOf: (params: Record<string, string>) => string
  /** Parameters that the zone form keeps. */
  kept: Record<string, string>
  /** One free time as a button or link. */
  children: (time: { startsAt: string; text: string }) => React.ReactNode
}

/** A month of days, then the times of one day, in the zone of the visitor. It works without script. */
export function TimePicker({ picker, zones, hrefOf, kept, children }: TimePickerProps) {
  const { month } = picker
  if (!month) return null
  return (
    <div className="grid grid-cols-1 gap-8">
      <ZoneForm picker={picker} zones={zones} kept={kept} />
      <div className="grid grid-cols-1 gap-x-12 gap-y-8 md:grid-cols-2">
        <Calendar month={month} hrefOf={hrefOf} />
        {/* A day leads here: on a phone, the times are below the month. */}
        <section id="times" className="scroll-mt-6">
          <h2 className="flex min-h-11 items-center text-h3">{month.day ? month.day.title : bookTexts.noTimesInMonth}</h2>
          {month.day && (
            <ul aria-label={bookTexts.times} className="mt-4 grid grid-cols-3 gap-2">
              {month.day.times.map((each) => (
                <li key={each.startsAt} className="grid">
                  {children(each)}
                </li>
              ))}
            </ul>
          )}
        </section>
      </div>
    </div>
  )
}

function Calendar({ month, hrefOf }: { month: MonthView; hrefOf: TimePickerProps['hrefOf'] }) {
  return (
    <section id="days" aria-label={bookTexts.days} className="scroll-mt-6">
      <div className="flex items-center justify-between gap-3">
        <MonthLink to={month.previous} label={bookTexts.months.previous} sign="←" hrefOf={hrefOf} />
        <h2 className="text-h3">{month.title}</h2>
        <MonthLink to={month.next} label={bookTexts.months.next} sign="→" hrefOf={hrefOf} />
      </div>
      <table className="mt-4 w-full table-fixed text-center">
        <thead>
          <tr>
            {WEEKDAYS.map((day) => (
              <th key={day} scope="col" className="pb-2 text-fine font-medium text-muted">
                {day}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {month.weeks.map((week, row) => (
            // A month's weeks never change places.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={row}>
              {week.map((day, column) => (
                // oxlint-disable-next-line react/no-array-index-key
                <td key={column} className="p-0.5">
                  {day?.isFree ? (
                    <a
                      href={`${hrefOf({ month: month.month, day: day.date })}#times`}
                      aria-current={day.date === month.day?.date ? 'date' : undefined}
                      className={cx(
                        'grid min-h-11 place-items-center rounded-control border font-semibold no-underline',
                        day.date === month.day?.date
                          ? 'border-transparent bg-grain text-on-grain'
                          : 'border-edge bg-surface text-ink hover:border-ink',
                      )}
                    >
                      {day.number}
                    </a>
                  ) : (
                    <span className="grid min-h-11 place-items-center text-muted">{day?.number}</span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

type MonthLinkProps = { to: string | undefined; label: string; sign: string; hrefOf: TimePickerProps['hrefOf'] }

function MonthLink({ to, label, sign, hrefOf }: MonthLinkProps) {
  if (!to) return <span className="size-11" />
  return (
    <a href={`${hrefOf({ month: to })}#days`} aria-label={label} className={buttonLook('quiet', 'regular', 'size-11')}>
      {sign}
    </a>
  )
}

function ZoneForm({ picker: { zone, hostZone }, zones, kept }: Pick<TimePickerProps, 'picker' | 'zones' | 'kept'>) {
  const { label, change } = bookTexts.zone
  return (
    <form method="get" className="flex flex-wrap items-end gap-3">
      {Object.entries(kept).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <label className="grid max-w-full grid-cols-1 gap-1.5 text-small font-semibold">
        {label}
        <BareSelect name="zone" defaultValue={zone} className="font-normal">
          {(zones.includes(zone) ? zones : [zone, ...zones]).map((each) => (
            <option key={each} value={each}>
              {each.replaceAll('_', ' ')}
            </option>
          ))}
        </BareSelect>
      </label>
      <Button look="quiet" className="min-h-11">
        {change}
      </Button>
      {zone !== hostZone && <p className="w-full text-small text-muted">We are in {hostZone.replaceAll('_', ' ')}.</p>}
    </form>
  )
}
