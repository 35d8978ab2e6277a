import { useView } from '#app/ui/admin/use-view.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import type { CalendarProps } from './calendar-dialog.ts'
import { HoursForm } from './hours-form.tsx'
import { OverrideList } from './override-list.tsx'

/** The hours of the reader, or of a colleague if they may change these. */
export function HoursPanel({ hosts, you }: CalendarProps) {
  const { params, change } = useView()
  const changeable = hosts.filter(({ mayChange }) => mayChange)
  const host = changeable.find(({ id }) => id === params.get('host')) ?? you
  return (
    <div className="grid grid-cols-1 gap-6">
      {changeable.length > 1 && (
        <div className="max-w-sm">
          <Field label="Hours of" name="host" tool>
            <Select value={host.id} onChange={({ target }) => change({ host: target.value })}>
              {changeable.map(({ id, name, isYou }) => (
                <option key={id} value={id}>
                  {isYou ? `${name} (you)` : name}
                </option>
              ))}
            </Select>
          </Field>
        </div>
      )}
      <HoursForm key={host.id} host={host}>
        <OverrideList host={host} />
      </HoursForm>
    </div>
  )
}
