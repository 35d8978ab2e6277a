import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useView } from '#app/ui/admin/use-view.tsx'
import { NOT_FOUND_API } from '#app/redirects/not-found/not-found.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { invalidateRedirects, showRedirectFailure } from './redirect-errors.ts'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { toast } from '#app/ui/toast.ts'

const choices = [
  {
    name: 'sort',
    label: 'Order',
    options: [
      ['', 'Most requested'],
      ['lastSeenAt', 'Last seen'],
      ['path', 'By path'],
    ],
  },
  {
    name: 'visitors',
    label: 'Requested by',
    options: [
      ['', 'Everyone'],
      ['people', 'People'],
      ['bots', 'Bots only'],
    ],
  },
  {
    name: 'ignored',
    label: 'Show',
    options: [
      ['', 'To review'],
      ['true', 'Ignored'],
    ],
  },
] as const

export function NotFoundToolbar({ count }: { count: number }) {
  const { params, change } = useView()
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
      {choices.map(({ name, label, options }) => (
        <div key={name} className="min-w-40 max-sm:grow">
          <Field label={label} name={name} tool>
            <Select value={params.get(name) ?? ''} onChange={({ target }) => change({ [name]: target.value })}>
              {options.map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </Select>
          </Field>
        </div>
      ))}
      {count > 0 && <ClearAll />}
    </div>
  )
}

function ClearAll() {
  const [asking, setAsking] = useState(false)
  const client = useQueryClient()
  const clear = useMutation({
    mutationFn: async () => apiRequest('DELETE', `${NOT_FOUND_API}?all=true`),
    async onSuccess() {
      setAsking(false)
      toast({ title: 'The list is empty' })
      await invalidateRedirects(client)
    },
    onError(error) {
      setAsking(false)
      showRedirectFailure('List not cleared', error)
    },
  })
  return (
    <>
      <Button type="button" look="quiet" onClick={() => setAsking(true)}>
        Clear all
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => clear.mutate()}
        title="Clear the list?"
        confirm={clear.isPending ? 'Clearing...' : 'Clear all'}
        busy={clear.isPending}
      >
        <p>This deletes all paths, including ignored ones. They reappear when visitors request them again.</p>
      </ConfirmDialog>
    </>
  )
}
