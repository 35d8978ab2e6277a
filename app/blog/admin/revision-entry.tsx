import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ListedRevision, revisionDiff } from '#app/blog/posts/revision.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { RevisionChanges } from './revision-changes.tsx'

type RevisionEntryProps = { url: string; revision: ListedRevision; isRestoring: boolean; onRestore: () => void }

export function RevisionEntry({ url, revision, isRestoring, onRestore }: RevisionEntryProps) {
  const [isOpen, setOpen] = useState(false)
  const { version, title, published, editor, createdAt } = revision
  return (
    <li className="grid gap-2 border-t border-line py-4 first:border-t-0">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-mono text-fine text-muted">Version {version}</span>
        {published ? <Badge look="leaf">Published</Badge> : <Badge>Draft</Badge>}
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

function Comparison({ url }: { url: string }) {
  const diff = useQuery({ ...apiQuery(url, revisionDiff), gcTime: 0 })
  if (diff.isPending) return <Loading>Comparing...</Loading>
  if (diff.isError) return <Failed error={diff.error} retry={diff.refetch} />
  return <RevisionChanges diff={diff.data} />
}
