import { z } from 'zod/mini'
import { dayNames } from '#app/booking/calendar/hours-fields.ts'
import { SpansEditor } from '#app/booking/calendar/spans-editor.tsx'
import { officeWeek } from '#app/platform/time/weekly-hours.ts'
import { FieldError } from '#app/ui/field.tsx'

type WeekFieldProps = {
  title: string | undefined
  value: unknown
  path: string
  errors: Readonly<Record<string, string>>
  change: (value: unknown) => void
}

/** Seven days with their spans, Monday first. */
export function WeekField({ title, value, path, errors, change }: WeekFieldProps) {
  const read = weeklySpans.safeParse(value)
  const week = read.data ?? officeWeek
  return (
    <fieldset className="grid min-w-0 gap-3 rounded-card border border-line p-4">
      <legend className="px-1 text-small font-semibold">{title}</legend>
      {errors[path] && <FieldError name={path}>{errors[path]}</FieldError>}
      {dayNames.map((name, day) => (
        <div key={name} role="group" aria-label={name} className="grid items-start gap-x-2 sm:grid-cols-[6.5rem_minmax(0,1fr)]">
          <p className="flex min-h-(--control-small) items-center text-small font-semibold">{name}</p>
          <SpansEditor
            day={name}
            name={`${path}.${day}`}
            none="Closed"
            spans={week[day] ?? []}
            error={errors[`${path}.${day}`]}
            change={(spans) => change(week.with(day, spans))}
          />
        </div>
      ))}
    </fieldset>
  )
}

/** While someone types, spans may be out of order. */
const weeklySpans = z.array(z.array(z.object({ from: z.string(), until: z.string() })))
