import { useState } from 'react'
import { apiRequest } from '#app/platform/browser/api.ts'
import { changedPaths, NOT_FOUND_API, type NotFoundBulk } from '#app/redirects/not-found/not-found.ts'
import { choiceOf, type Chosen } from '#app/ui/admin/list-page.tsx'
import { inParts, useAction } from '#app/ui/admin/use-action.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { countOf } from '#app/ui/amount.ts'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import type { NotFoundRow } from './not-found-look.tsx'
import { redirectData } from './redirect-errors.ts'

type ChosenPaths = Chosen<NotFoundRow>
type Change = NotFoundBulk['change']

const send = async (body: object) => changedPaths.parse(await (await apiRequest('POST', `${NOT_FOUND_API}/bulk`, body)).json()).paths

/** Changes of one or several paths of the log, and the question before several are removed. */
export function useNotFoundChanges() {
  const { params } = useView()
  const [asked, setAsked] = useState<ChosenPaths>()
  const filter = Object.fromEntries([...params].filter(([key, value]) => (key === 'visitors' || key === 'ignored') && value))
  const action = useAction({
    send: async ({ chosen, change }: { chosen: ChosenPaths; change: Change }) => send({ choice: choiceOf(chosen, filter), change }),
    onDone(_paths, { chosen }) {
      chosen.clear()
      setAsked(undefined)
    },
    onRefused() {
      setAsked(undefined)
      return false
    },
    done(paths, { change }) {
      const many = countOf(paths.length, 'path', 'paths')
      if (change === 'delete')
        return { title: `${many} removed from the list`, description: 'A path reappears when a visitor requests it again.' }
      return `${many} ${change === 'ignore' ? 'ignored' : 'to review again'}`
    },
    undo(paths, { change }) {
      if (change === 'delete') return undefined
      const reverse = change === 'ignore' ? 'restore' : 'ignore'
      return async () => inParts(paths, async (ids) => send({ choice: { ids }, change: reverse }))
    },
    failed: ({ change }) => (change === 'delete' ? 'Not removed' : 'Not changed'),
    touches: redirectData,
  })
  return {
    ignore: (chosen: ChosenPaths, ignored: boolean) => action.mutate({ chosen, change: ignored ? 'ignore' : 'restore' }),
    remove: (chosen: ChosenPaths) => (chosen.count > 1 ? setAsked(chosen) : action.mutate({ chosen, change: 'delete' })),
    dialog: asked && (
      <ConfirmDialog
        open
        onClose={() => setAsked(undefined)}
        onConfirm={() => action.mutate({ chosen: asked, change: 'delete' })}
        title={`Remove ${asked.isAll ? 'all ' : ''}${countOf(asked.count, 'path', 'paths')}?`}
        confirm={action.isPending ? 'Removing...' : 'Remove'}
        busy={action.isPending}
      >
        <p>Their counts are lost. A path reappears when a visitor requests it again.</p>
      </ConfirmDialog>
    ),
  }
}
