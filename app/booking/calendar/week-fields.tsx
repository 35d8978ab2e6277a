import { Menu } from '#app/ui/admin/menu.tsx'
import { FieldError } from '#app/ui/field.tsx'
import { dayNames, type HoursFields } from './hours-fields.ts'
import { SpansEditor } from './spans-editor.tsx'

type Hours = HoursFields['hours']
type WeekFieldsProps = { hours: Hours; errors: Readonly<Record<string, string>>; change: (hours: Hours) => void }

/** The spans of each weekday. */
export function WeekFields({ hours, errors, change }: WeekFieldsProps) {
  const copy = (from: number, days: readonly number[]) =>
    change(hours.map((spans, day) => (days.includes(day) ? (hours[from] ?? []) : spans)))
  return (
    <>
      {errors['hours'] && <FieldError name="hours">{errors['hours']}</FieldError>}
      {dayNames.map((name, day) => (
        <div
          key={name}
          role="group"
          aria-label={name}
          className="grid grid-cols-[6.5rem_minmax(0,1fr)_auto] items-start gap-2 max-sm:grid-cols-[minmax(0,1fr)_auto]"
        >
          <p className="flex min-h-(--control-small) items-center text-small font-semibold max-sm:col-start-1">{name}</p>
          <div className="max-sm:col-span-2 max-sm:row-start-2">
            <SpansEditor
              day={name}
              name={`hours.${day}`}
              spans={hours[day] ?? []}
              error={errors[`hours.${day}`]}
              change={(spans) => change(hours.with(day, spans))}
            />
          </div>
          <Menu
            label={`Copy the hours of ${name}`}
            entries={[
              { label: 'Copy to Monday–Friday', act: () => copy(day, [0, 1, 2, 3, 4]) },
              { label: 'Copy to every day', act: () => copy(day, [0, 1, 2, 3, 4, 5, 6]) },
            ]}
          />
        </div>
      ))}
    </>
  )
}
