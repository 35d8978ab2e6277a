import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type PostDraft, draft } from '#app/blog/posts/draft.ts'
import { type ListedRevision, revisionPage } from '#app/blog/posts/revision.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { showPostFailure } from './post-errors.ts'
import { postUrl } from './post-url.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { toast } from '#app/ui/toast.ts'
import { RevisionEntry } from './revision-entry.tsx'

type HistoryDialogProps = {
  postId: string
  /** Sends pending changes and returns the version of the draft on the server. */
  settleDraft: () => Promise<number | undefined>
  onRestored: (draft: PostDraft) => void
  onClose: () => void
}

/** Every version of the post. Restoring loads one into the form; nothing is published until the form is saved. */
export function HistoryDialog({ postId, settleDraft, onRestored, onClose }: HistoryDialogProps) {
  const [page, setPage] = useState(1)
  const url = `${postUrl(postId)}/revisions`
  const list = useQuery({ ...apiQuery(`${url}?page=${page}`, revisionPage), gcTime: 0, placeholderData: keepPreviousData })
  const restore = useRestore(url, settleDraft, onRestored)
  return (
    <Dialog open side onClose={onClose} title="History">
      <p className="pb-4 text-small text-muted">
        Restoring loads this version into the editor. Nothing is published until you click Update.
      </p>
      {list.isPending && <Loading>Loading history...</Loading>}
      {list.isError && <Failed error={list.error} retry={list.refetch} />}
      {list.data && <Revisions url={url} revisions={list.data.items} restore={restore} />}
      {list.data && list.data.pages > 1 && <Pages page={page} pages={list.data.pages} onTurn={setPage} />}
    </Dialog>
  )
}

function Revisions({ url, revisions, restore }: { url: string; revisions: ListedRevision[]; restore: ReturnType<typeof useRestore> }) {
  return (
    <ol aria-label="Versions" className="grid">
      {revisions.map((revision) => (
        <RevisionEntry
          key={revision.version}
          url={url}
          revision={revision}
          isRestoring={restore.isPending && restore.variables === revision.version}
          onRestore={() => restore.mutate(revision.version)}
        />
      ))}
    </ol>
  )
}

function Pages({ page, pages, onTurn }: { page: number; pages: number; onTurn: (page: number) => void }) {
  return (
    <nav aria-label="Pages of the history" className="flex justify-end gap-2 pt-4">
      {page > 1 && (
        <Button type="button" look="quiet" size="small" onClick={() => onTurn(page - 1)}>
          Newer
        </Button>
      )}
      {page < pages && (
        <Button type="button" look="quiet" size="small" onClick={() => onTurn(page + 1)}>
          Older
        </Button>
      )}
    </nav>
  )
}

function useRestore(url: string, settleDraft: () => Promise<number | undefined>, onRestored: (restored: PostDraft) => void) {
  return useMutation({
    async mutationFn(version: number) {
      const seen = await settleDraft()
      const headers = seen === undefined ? undefined : { 'if-match': `"${seen}"` }
      const answer = await apiRequest('POST', `${url}/${version}/restore`, undefined, headers && { headers })
      return draft.parse(await answer.json())
    },
    onSuccess(restored, version) {
      toast({ title: `Version ${version} is loaded in the editor`, description: 'Nothing is published until you click Update.' })
      onRestored(restored)
    },
    onError: (error) => showPostFailure('Version not restored', error),
  })
}
