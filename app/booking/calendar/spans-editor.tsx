import { PlusIcon, XIcon } from 'lucide-react'
import type { HourSpan } from '#app/platform/time/weekly-hours.ts'
import { RowButton } from '#app/ui/admin/data-table.tsx'
import { useRemoval } from '#app/ui/admin/undo.tsx'
import { CellInput } from '#app/ui/cell-input.tsx'
import { FieldError } from '#app/ui/field.tsx'

type SpansProps = {
  /** In the names of the fields: 'Monday'. */
  day: string
  /** The name of the field of its error. */
  name: string
  spans: readonly HourSpan[]
  /** The text of a day without spans. */
  none?: string
  error?: string | undefined
  change: (spans: HourSpan[]) => void
}

/** The spans of one day, each from a time until another. */
export function SpansEditor({ day, name, spans, none = 'No calls', error, change }: SpansProps) {
  const remove = useRemoval(spans, change)
  return (
    <div className="grid gap-1.5">
      {spans.length === 0 && (
        <div className="flex items-center gap-2 text-small text-muted">
          {none}
          <Add day={day} spans={spans} change={change} />
        </div>
      )}
      {spans.map((span, at) => (
        // The buttons stand below the times where a phone has no room beside them.
        // oxlint-disable-next-line react/no-array-index-key -- the fields are controlled, and a span has no identity of its own
        <div key={at} className="flex flex-wrap items-center gap-1.5">
          <span className="flex items-center gap-1.5">
            <Time
              isWrong={Boolean(error)}
              label={`${day}, span ${at + 1} from`}
              value={span.from}
              change={(from) => change(spans.with(at, { ...span, from }))}
            />
            <span aria-hidden="true" className="text-muted">
              –
            </span>
            <Time
              isWrong={Boolean(error)}
              label={`${day}, span ${at + 1} until`}
              // Browsers have no 24:00: midnight at the end of a day is 00:00.
              value={span.until === '24:00' ? '00:00' : span.until}
              change={(until) => change(spans.with(at, { ...span, until: until === '00:00' ? '24:00' : until }))}
            />
          </span>
          <span className="flex items-center gap-1.5">
            <RowButton label={`Remove span ${at + 1} of ${day}`} onClick={() => remove(at, `${day}: span ${at + 1} removed`)}>
              <XIcon aria-hidden="true" />
            </RowButton>
            {at === spans.length - 1 && <Add day={day} spans={spans} change={change} />}
          </span>
        </div>
      ))}
      {error && <FieldError name={name}>{error}</FieldError>}
    </div>
  )
}

type TimeProps = { label: string; value: string; isWrong: boolean; change: (value: string) => void }

function Time({ label, value, isWrong, change }: TimeProps) {
  return (
    // As wide as its text: the hours of some languages have 12 and a suffix.
    <span className="min-w-28">
      <CellInput
        type="time"
        step={300}
        label={label}
        value={value}
        aria-invalid={isWrong || undefined}
        onChange={({ target }) => change(target.value)}
      />
    </span>
  )
}

function Add({ day, spans, change }: Pick<SpansProps, 'day' | 'spans' | 'change'>) {
  return (
    <RowButton label={`Add a span to ${day}`} onClick={() => change([...spans, nextSpan(spans.at(-1))])}>
      <PlusIcon aria-hidden="true" />
    </RowButton>
  )
}

/** An hour's break after the last one, as long as the day has room. */
function nextSpan(last: HourSpan | undefined): HourSpan {
  if (!last) return { from: '09:00', until: '17:00' }
  const hour = Number(last.until.slice(0, 2)) + 1
  const text = (at: number) => `${String(Math.min(at, 24)).padStart(2, '0')}:00`
  return hour >= 23 ? { from: last.until, until: '24:00' } : { from: text(hour), until: text(hour + 2) }
}
