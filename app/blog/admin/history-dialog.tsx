import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { draft, type PostDraft } from '#app/blog/posts/draft.ts'
import { type ListedRevision, revisionDiff, type RevisionDiff, revisionPage } from '#app/blog/posts/revision.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { useAction } from '#app/ui/admin/use-action.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { cx } from '#app/ui/class-names.ts'
import { UNREACHED } from './post-errors.ts'
import { Scheduled } from './post-look.tsx'
import { postUrl } from '#app/blog/posts/post.ts'
import { type DiffRow, revisionName, rowsOf } from './revision-rows.ts'

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
  return useAction({
    async send(version: number) {
      const seen = await settleDraft()
      const headers = seen === undefined ? undefined : { 'if-match': `"${seen}"` }
      const answer = await apiRequest('POST', `${url}/${version}/restore`, undefined, headers && { headers })
      return draft.parse(await answer.json())
    },
    done: (_restored, version) => ({
      title: `Version ${version} is loaded in the editor`,
      description: 'Nothing is published until you click Update.',
    }),
    onDone: onRestored,
    failed: 'Version not restored',
    unheard: UNREACHED,
    touches: [],
  })
}

type RevisionEntryProps = { url: string; revision: ListedRevision; isRestoring: boolean; onRestore: () => void }

function RevisionEntry({ url, revision, isRestoring, onRestore }: RevisionEntryProps) {
  const [isOpen, setOpen] = useState(false)
  const { version, title, editor, createdAt } = revision
  return (
    <li className="grid gap-2 border-t border-line py-4 first:border-t-0">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-mono text-fine text-muted">Version {version}</span>
        <VersionState revision={revision} />
      </p>
      <p className="text-small font-semibold wrap-anywhere">{title}</p>
      <p className="text-small text-muted">
        {editor ?? 'A former member'}, <time dateTime={createdAt}>{formatMoment(createdAt)}</time>
      </p>
      <div className="flex flex-wrap gap-2">
        <Button type="button" look="quiet" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Compare version {version} with now
        </Button>
        <Button type="button" look="quiet" size="small" busy={isRestoring} onClick={onRestore}>
          {isRestoring ? 'Restoring...' : `Restore version ${version}`}
        </Button>
      </div>
      {isOpen && <Comparison url={`${url}/${version}/diff`} />}
    </li>
  )
}

/** As it was when the version was saved. */
function VersionState({ revision: { published, publishedAt, createdAt } }: { revision: ListedRevision }) {
  if (!published) return <Badge>Draft</Badge>
  if (publishedAt && Date.parse(publishedAt) > Date.parse(createdAt)) return <Scheduled for={publishedAt} />
  return <Badge look="leaf">Published</Badge>
}

function Comparison({ url }: { url: string }) {
  const diff = useQuery({ ...apiQuery(url, revisionDiff), gcTime: 0 })
  if (diff.isPending) return <Loading>Comparing...</Loading>
  if (diff.isError) return <Failed error={diff.error} retry={diff.refetch} />
  return <RevisionChanges diff={diff.data} />
}

const signs: Record<DiffRow['kind'], string> = { same: ' ', added: '+', removed: '−', gap: '' }
const looks: Record<DiffRow['kind'], string> = { same: '', added: 'bg-leaf-wash', removed: 'bg-alarm-wash', gap: 'bg-sunken text-muted' }
const spoken: Record<DiffRow['kind'], string> = { same: '', added: 'Added: ', removed: 'Removed: ', gap: '' }

/** Deleted and added lines between two versions. */
function RevisionChanges({ diff }: { diff: RevisionDiff }) {
  const isContentSame = diff.content.every(({ kind }) => kind === 'same')
  if (diff.fields.length === 0 && isContentSame) return <p className="text-small text-muted">No differences from the saved post.</p>
  return (
    <div className="grid gap-3">
      {diff.fields.map(({ field, before, after }) => (
        <Changes
          key={field}
          name={revisionName(field)}
          rows={[
            { id: 'before', kind: 'removed', text: readable(field, before) },
            { id: 'after', kind: 'added', text: readable(field, after) },
          ]}
        />
      ))}
      {!isContentSame && <Changes name="Content" rows={rowsOf(diff.content)} />}
    </div>
  )
}

/** Formats times for people; other values stay as they are. */
function readable(field: string, text: string): string {
  return field === 'publishedAt' && text ? formatMoment(text) : text
}

function Changes({ name, rows }: { name: string; rows: DiffRow[] }) {
  return (
    <div className="grid gap-1">
      <p className="eyebrow">{name}</p>
      <div className="overflow-hidden rounded-control border border-line">
        {rows.map(({ id, kind, text }) => (
          // The sign repeats the meaning of the color.
          <p key={id} className={cx('flex gap-2 px-3 py-0.5 font-mono text-fine whitespace-pre-wrap wrap-anywhere', looks[kind])}>
            <span aria-hidden="true" className="select-none">
              {signs[kind]}
            </span>
            <span className="min-w-0">
              <span className="sr-only">{spoken[kind]}</span>
              {text}
            </span>
          </p>
        ))}
      </div>
    </div>
  )
}
