import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useView } from '#app/admin-view/use-view.tsx'
import { MISSING_PATHS } from '#app/missing-paths/missing-path.ts'
import { apiRequest } from '#app/platform/api.ts'
import { askAgain, tellFailure } from '#app/redirect-import/redirect-answers.ts'
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
      ['', 'Most asked for'],
      ['lastSeenAt', 'Last seen'],
      ['path', 'By path'],
    ],
  },
  {
    name: 'visitors',
    label: 'Asked for by',
    options: [
      ['', 'Everyone'],
      ['people', 'People'],
      ['bots', 'Bots alone'],
    ],
  },
  {
    name: 'ignored',
    label: 'Show',
    options: [
      ['', 'To look at'],
      ['true', 'Ignored'],
    ],
  },
] as const

export function MissingToolbar({ count }: { count: number }) {
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
    mutationFn: async () => apiRequest('DELETE', `${MISSING_PATHS}?all=true`),
    async onSuccess() {
      setAsking(false)
      toast({ title: 'The list is empty' })
      await askAgain(client)
    },
    onError(error) {
      setAsking(false)
      tellFailure('Not cleared', error)
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
        title="Clear the whole list?"
        confirm={clear.isPending ? 'Clearing...' : 'Clear all'}
        busy={clear.isPending}
      >
        <p>All paths are forgotten, those that you ignore as well. They come back when someone asks for them again.</p>
      </ConfirmDialog>
    </>
  )
}
