import { GUARD_NOTE } from '#app/platform/formula-guard.ts'
import { buttonLook } from '#app/ui/button-look.ts'
import { Field } from '#app/ui/field.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import { SearchField } from '#app/ui/admin/search-field.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { viewText } from '#app/ui/admin/view.ts'

/** The filters above the audit log, and its export. */
export function AuditFilter({ actions, exportUrl }: { actions: string[]; exportUrl: string }) {
  const { params, change } = useView()
  const action = params.get('action') ?? ''
  return (
    <div className="grid grid-cols-1 items-end gap-x-4 gap-y-3 sm:grid-cols-2 lg:flex">
      <div className="min-w-0 grow basis-48">
        <SearchField name="person" label="Person" placeholder="Search by name or email" />
      </div>
      <div className="min-w-0 lg:min-w-48">
        <Field label="Action" name="action" tool>
          <Select key={action} defaultValue={action} onChange={({ target }) => change({ action: target.value })}>
            <option value="">All actions</option>
            {[...new Set([...actions, ...(action ? [action] : [])])].map((name) => (
              <option key={name} value={name}>
                {viewText(name)}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Day name="from" label="From" />
      <Day name="to" label="To" />
      <a href={exportUrl} download title={GUARD_NOTE} className={buttonLook('quiet', 'regular', 'justify-self-start')}>
        Export CSV
      </a>
    </div>
  )
}

function Day({ name, label }: { name: 'from' | 'to'; label: string }) {
  const { params, change } = useView()
  const value = params.get(name) ?? ''
  return (
    <div>
      <Field label={label} name={name} tool>
        <Input key={value} type="date" defaultValue={value} onChange={({ target }) => change({ [name]: target.value })} />
      </Field>
    </div>
  )
}
