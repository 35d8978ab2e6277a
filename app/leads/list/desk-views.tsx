import { useQuery } from '@tanstack/react-query'
import { BookmarkIcon } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { apiRequest } from '#app/platform/browser/api.ts'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { Menu } from '#app/ui/admin/menu.tsx'
import { useAction } from '#app/ui/admin/use-action.ts'
import { useForm } from '#app/ui/admin/use-form.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { Field } from '#app/ui/field.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import { deskFilterKeys, LEAD_VIEWS, type LeadView, type LeadViewBody, leadViewBody } from '#app/leads/lead/desk.ts'
import { leadViewsQuery } from './use-desk.tsx'

const viewKeys = new Set([...deskFilterKeys, 'sort', 'layout'])

/** Saved views, on every device: own ones and those that others share. Opening one puts its filters into the address. */
export function DeskViews() {
  const { params } = useView()
  const navigate = useNavigate()
  const views = useQuery(leadViewsQuery).data ?? []
  const [isAsking, setAsking] = useState(false)
  const remove = useAction(removeView)
  const now = new URLSearchParams([...params].filter(([key, value]) => viewKeys.has(key) && value)).toString()
  const current = views.find(({ query }) => query === now)
  const entries = [
    ...views.map(({ query, name, isOwn }) => ({
      label: isOwn ? name : `${name} (shared)`,
      isOn: query === now,
      change: () => void navigate(query === now ? '?' : `?${query}`, { preventScrollReset: true }),
    })),
    current?.isOwn
      ? { label: `Delete “${current.name}”`, startsGroup: true, isDanger: true, act: () => remove.mutate(current) }
      : {
          label: 'Save this view…',
          startsGroup: views.length > 0,
          unavailable: now === '' ? 'Search or filter first.' : current && 'This view is already saved.',
          act: () => setAsking(true),
        },
  ]
  return (
    <>
      <Menu label={current ? `Views: ${current.name}` : 'Views'} entries={entries} className={buttonLook('quiet')}>
        <BookmarkIcon aria-hidden="true" className="size-4 max-sm:hidden" />
        <span className="max-w-32 truncate">{current?.name ?? 'Views'}</span>
      </Menu>
      {isAsking && <SaveDialog query={now} close={() => setAsking(false)} />}
    </>
  )
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
