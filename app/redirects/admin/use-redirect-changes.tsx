import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiRequest } from '#app/platform/browser/api.ts'
import { type Redirect, REDIRECTS } from '#app/redirects/rules/redirect.ts'
import { changedRedirects } from '#app/redirects/rules/redirect-request.ts'
import { countOf } from '#app/ui/amount.ts'
import { ConfirmDialog, Named } from '#app/ui/confirm-dialog.tsx'
import { inParts, expectData, useAction } from '#app/ui/admin/use-action.ts'
import { redirectData } from './redirect-errors.ts'

type Asked = { rows: readonly Redirect[]; done: (() => void) | undefined }
type Change = Asked & { change: 'activate' | 'deactivate' | 'delete' }

/** The problems of a redirect that is switched on stand above the list. Loops are refused all the same. */
async function changeOne({ id, ...row }: Redirect, change: Change['change']): Promise<void> {
  const url = `${REDIRECTS}/${id}`
  if (change === 'delete') await apiRequest('DELETE', url)
  else await apiRequest('PUT', url, { ...row, isActive: change === 'activate', confirm: true })
}

/** Changes of one or several redirects, the question before they are deleted, and an undo in each toast. */
export function useRedirectChanges() {
  const client = useQueryClient()
  const [asked, setAsked] = useState<Asked>()
  const action = useAction({
    async send({ rows, change }: Change) {
      const [only, ...others] = rows
      if (only && others.length === 0) {
        await changeOne(only, change)
        return [only.id]
      }
      const ids = rows.map(({ id }) => id)
      return inParts(ids, async (part) => {
        const response = await apiRequest('POST', `${REDIRECTS}/bulk`, { ids: part, change })
        return changedRedirects.parse(await response.json()).ids
      })
    },
    expect({ rows, change }) {
      const ids = new Set(rows.map(({ id }) => id))
      setAsked(undefined)
      return expectData<Redirect[]>(client, { queryKey: [REDIRECTS] }, (list) =>
        change === 'delete'
          ? list.filter(({ id }) => !ids.has(id))
          : list.map((row) => (ids.has(row.id) ? { ...row, isActive: change === 'activate' } : row)),
      )
    },
    onDone: (_ids, { done }) => done?.(),
    done(ids, { change }) {
      const deed = change === 'delete' ? 'deleted' : 'updated'
      return ids.length === 1 ? `Redirect ${deed} successfully` : `${countOf(ids.length, 'redirect', 'redirects')} ${deed}`
    },
    undo(ids, { change }) {
      if (ids.length === 0) return undefined
      const reverse =
        change === 'delete'
          ? { path: 'restore', body: {} }
          : { path: 'bulk', body: { change: change === 'activate' ? 'deactivate' : 'activate' } }
      return async () =>
        inParts(ids, async (part) => {
          await apiRequest('POST', `${REDIRECTS}/${reverse.path}`, { ids: part, ...reverse.body })
          return part
        })
    },
    failed: ({ change }) => (change === 'delete' ? 'Error deleting redirect' : 'Error updating redirect'),
    touches: redirectData,
  })
  return {
    askToDelete: (rows: readonly Redirect[], done?: () => void) => setAsked({ rows, done }),
    switchTo: (rows: readonly Redirect[], isActive: boolean, done?: () => void) =>
      action.mutate({ rows, change: isActive ? 'activate' : 'deactivate', done }),
    dialog: asked && (
      <ConfirmDialog
        open
        onClose={() => setAsked(undefined)}
        onConfirm={() => action.mutate({ ...asked, change: 'delete' })}
        title={
          asked.rows.length === 1 ? 'Are you sure you want to delete this redirect?' : 'Are you sure you want to delete these redirects?'
        }
        confirm="Delete"
      >
        <Named names={asked.rows.map(({ fromPath, toPath }) => `${fromPath} → ${toPath}`)} mono />
        <p>Visitors of the old URL get its page again, or a 404 if it has none.</p>
      </ConfirmDialog>
    ),
  }
}
