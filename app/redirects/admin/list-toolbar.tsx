import { SearchField } from '#app/ui/admin/search-field.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { daysOf, visibleRedirects, unusedFor } from './redirect-view.ts'

export function ListToolbar() {
  const { params, change } = useView()
  const show = params.get('show') ?? ''
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
      <div className="min-w-48 grow basis-64">
        <SearchField name="q" label="Search" placeholder="Search by path or description" />
      </div>
      <div className="min-w-44 max-sm:grow">
        <Field label="Show" name="show" tool>
          <Select value={show} onChange={(event) => change({ show: event.target.value, days: undefined })}>
            {visibleRedirects.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      {show === 'unused' && (
        <div className="min-w-40 max-sm:grow">
          <Field label="No hits for" name="days" tool>
            <Select value={daysOf(params)} onChange={(event) => change({ days: event.target.value })}>
              {unusedFor.map((days) => (
                <option key={days} value={days}>
                  {days} days
                </option>
              ))}
            </Select>
          </Field>
        </div>
      )}
    </div>
  )
}
