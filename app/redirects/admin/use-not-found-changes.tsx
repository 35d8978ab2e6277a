import { apiRequest } from '#app/platform/browser/api.ts'
import { NOT_FOUND_API, type NotFoundEntry } from '#app/redirects/not-found/not-found.ts'
import { useAction } from '#app/ui/admin/use-action.ts'
import { countOf } from '#app/ui/amount.ts'
import { redirectData } from './redirect-errors.ts'

type Change = { rows: readonly NotFoundEntry[]; done: (() => void) | undefined }

async function mark(rows: readonly NotFoundEntry[], ignored: boolean): Promise<void> {
  for (const { path } of rows) await apiRequest('POST', `${NOT_FOUND_API}/ignore`, { path, ignored })
}

/** Changes of one or several paths of the log. */
export function useNotFoundChanges() {
  const ignoring = useAction({
    send: async ({ rows, ignored }: Change & { ignored: boolean }) => mark(rows, ignored),
    onDone: (_nothing, { done }) => done?.(),
    done: (_nothing, { rows, ignored }) => `${countOf(rows.length, 'path', 'paths')} ${ignored ? 'ignored' : 'to review again'}`,
    undo:
      (_nothing, { rows, ignored }) =>
      async () =>
        mark(rows, !ignored),
    failed: 'Not changed',
    touches: redirectData,
  })
  const removal = useAction({
    async send({ rows }: Change) {
      for (const { path } of rows) await apiRequest('DELETE', `${NOT_FOUND_API}?path=${encodeURIComponent(path)}`)
    },
    onDone: (_nothing, { done }) => done?.(),
    done: () => ({ title: 'Removed from the list', description: 'It reappears when a visitor requests it again.' }),
    failed: 'Path not removed',
    touches: redirectData,
  })
  return {
    ignore: (rows: readonly NotFoundEntry[], ignored: boolean, done?: () => void) => ignoring.mutate({ rows, ignored, done }),
    remove: (rows: readonly NotFoundEntry[], done?: () => void) => removal.mutate({ rows, done }),
  }
}
