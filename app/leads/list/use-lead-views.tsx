import { useQuery } from '@tanstack/react-query'
import { apiRequest } from '#app/platform/browser/api.ts'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import type { ViewStore } from '#app/ui/admin/saved-views.tsx'
import { useAction } from '#app/ui/admin/use-action.ts'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Field } from '#app/ui/field.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import { LEAD_VIEWS, type LeadView, type LeadViewBody, leadViewBody } from '#app/leads/lead/desk.ts'
import { leadViewsQuery } from './use-desk.tsx'

/** Saved views, on every device: own ones and those that others share. */
export function useLeadViews(): ViewStore {
  const views = useQuery(leadViewsQuery).data ?? []
  const removal = useAction(removeView)
  return {
    views: views.map(({ name, query, isOwn }) => ({ title: name, query, isForeign: !isOwn })),
    remove({ query }) {
      const own = views.find((view) => view.isOwn && view.query === query)
      if (own) removal.mutate(own)
    },
    renderForm: (query, close) => <SaveDialog query={query} close={close} />,
    more: ['layout'],
  }
}

const addView = async (body: LeadViewBody) => apiRequest('POST', LEAD_VIEWS, body)

function SaveDialog({ query, close }: { query: string; close: () => void }) {
  const form = useForm({
    schema: leadViewBody,
    read: ({ name, sharing }) => ({ name, query, isShared: sharing === 'shared' }),
    send: addView,
    explain: ({ detail }) => ({ name: detail }),
    done: 'View saved',
    failed: 'View not saved',
    touches: [LEAD_VIEWS],
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title="Save this view" submit="Save">
      <Field label="Name" name="name">
        <Input most={60} autoComplete="off" />
      </Field>
      <Field label="Visible to" name="sharing">
        <Select defaultValue="own">
          <option value="own">Only me</option>
          <option value="shared">All staff</option>
        </Select>
      </Field>
    </FormDialog>
  )
}

const removeView = {
  send: async ({ id }: LeadView) => apiRequest('DELETE', `${LEAD_VIEWS}/${id}`),
  done: 'View deleted',
  undo:
    (_response: unknown, { name, query, isShared }: LeadView) =>
    async () =>
      addView({ name, query, isShared }),
  failed: 'View not deleted',
  touches: [LEAD_VIEWS],
}
