import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { BookmarkIcon } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiError, apiRequest } from '#app/platform/browser/api.ts'
import { Menu } from '#app/ui/admin/menu.tsx'
import { showFailure } from '#app/ui/admin/tell-failure.ts'
import { undoButton } from '#app/ui/admin/undo.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/form-dialog.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import { toast } from '#app/ui/toast.ts'
import { deskFilterKeys, LEAD_VIEWS, type LeadView, type LeadViewBody } from '#app/leads/lead/desk.ts'
import { leadViewsQuery } from './use-desk.tsx'

const viewKeys = new Set([...deskFilterKeys, 'sort', 'layout'])

/** Saved views, on every device: own ones and those that others share. Opening one puts its filters into the address. */
export function DeskViews() {
  const { params } = useView()
  const navigate = useNavigate()
  const views = useQuery(leadViewsQuery).data ?? []
  const [isAsking, setAsking] = useState(false)
  const { save, remove } = useViewChanges(() => setAsking(false))
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
        <BookmarkIcon aria-hidden="true" className="size-4" />
        <span className="max-w-32 truncate max-lg:sr-only">{current?.name ?? 'Views'}</span>
      </Menu>
      {isAsking && (
        <FormDialog
          onClose={() => setAsking(false)}
          title="Save this view"
          submit={save.isPending ? 'Saving...' : 'Save'}
          busy={save.isPending}
          onSubmit={({ name = '', sharing }) => save.mutate({ name, query: now, isShared: sharing === 'shared' })}
        >
          <Field
            label="Name"
            name="name"
            error={save.error instanceof ApiError ? (save.error.problem?.errors?.['name'] ?? save.error.detail) : undefined}
          >
            <Input most={60} autoComplete="off" />
          </Field>
          <Field label="Visible to" name="sharing">
            <Select defaultValue="own">
              <option value="own">Only me</option>
              <option value="shared">All staff</option>
            </Select>
          </Field>
        </FormDialog>
      )}
    </>
  )
}

function useViewChanges(close: () => void) {
  const client = useQueryClient()
  const renew = async () => client.invalidateQueries(leadViewsQuery)
  const add = async (body: LeadViewBody) => apiRequest('POST', LEAD_VIEWS, body)
  const save = useMutation({
    mutationFn: add,
    async onSuccess() {
      close()
      toast({ title: 'View saved' })
      await renew()
    },
  })
  const remove = useMutation({
    mutationFn: async ({ id }: LeadView) => apiRequest('DELETE', `${LEAD_VIEWS}/${id}`),
    async onSuccess(_response, { name, query, isShared }) {
      toast({ title: 'View deleted', button: undoButton({ send: () => add({ name, query, isShared }), renew }) })
      await renew()
    },
    onError: (error) => showFailure('View not deleted', error),
  })
  return { save, remove }
}
