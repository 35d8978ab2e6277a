import { apiRequest } from '#app/platform/browser/api.ts'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { queriesOf, QUERY_NAME_MAX, SAVED_QUERIES, type SavedQuery, savedQueryChange } from './saved-query.ts'

type SavedQueryDialogProps = {
  productId: string
  sql: string
  /** The query to rename; without one, a query is saved. */
  query?: SavedQuery
  mayShare?: boolean
  close: () => void
}

/** Asks for the name of a query. */
export function SavedQueryDialog({ productId, sql, query, mayShare = false, close }: SavedQueryDialogProps) {
  const form = useForm({
    schema: savedQueryChange,
    read: ({ name, isShared }) => ({ name, ...(mayShare && { isShared: isShared === 'on' }) }),
    send: async (given) =>
      query
        ? apiRequest('PATCH', `${SAVED_QUERIES}/${query.id}`, given)
        : apiRequest('POST', queriesOf(productId), { ...given, sql: sql.trim() }),
    onDone: close,
    done: query ? 'Query renamed' : 'Query saved',
    ...(query && { undo: () => async () => apiRequest('PATCH', `${SAVED_QUERIES}/${query.id}`, { name: query.name }) }),
    failed: 'Query not saved',
    touches: [queriesOf(productId)],
  })
  return (
    <FormDialog form={form} onClose={close} title={query ? 'Rename this query' : 'Save this query'} submit="Save">
      <Field label="Name" name="name">
        <Input defaultValue={query?.name} most={QUERY_NAME_MAX} autoComplete="off" />
      </Field>
      {mayShare && (
        <label className="flex min-h-11 items-center gap-3 text-small">
          <input type="checkbox" name="isShared" className="size-5 shrink-0 accent-leaf" />
          Share with everyone who may query this dataset
        </label>
      )}
    </FormDialog>
  )
}
