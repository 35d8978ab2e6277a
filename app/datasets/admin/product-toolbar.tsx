import { SearchField } from '#app/ui/admin/search-field.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { visibleProducts } from './product-view.ts'

export function ProductToolbar() {
  const { params, change } = useView()
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
      <div className="min-w-48 grow basis-64">
        <SearchField name="q" label="Search" placeholder="Search by name, slug or category" />
      </div>
      <div className="min-w-44 max-sm:grow">
        <Field label="Show" name="show" tool>
          <Select value={params.get('show') ?? ''} onChange={(event) => change({ show: event.target.value })}>
            {visibleProducts.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
      </div>
    </div>
  )
}
