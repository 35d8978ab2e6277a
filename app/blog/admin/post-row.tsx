import { ExternalLink, Pencil } from 'lucide-react'
import { useRef } from 'react'
import { Link } from 'react-router'
import { useQueryClient } from '@tanstack/react-query'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { Badge } from '#app/ui/badge.tsx'
import { cx } from '#app/ui/class-names.ts'
import { formatMoment } from '#app/ui/moment.ts'
import { NEVER_SAVED } from '#app/blog/posts/draft.ts'
import { UNTITLED } from '#app/content/blog-titles.ts'
import type { PostSummary } from '#app/blog/posts/post-query.ts'
import { DeleteButton } from '#app/ui/admin/delete-button.tsx'
import { undoButton } from '#app/ui/admin/undo.tsx'
import { apiRequest } from '#app/platform/browser/api.ts'
import { toast } from '#app/ui/toast.ts'
import { stateOf } from './post-fields.ts'
import { invalidatePosts, showPostFailure } from './post-errors.ts'
import { postUrl } from './post-url.ts'

/** Tags shown per post; the rest are only counted. */
const TAGS_SHOWN = 3

export function PostRow({ post }: { post: PostSummary }) {
  const { params } = useView()
  const { id, slug, excerpt, tags } = post
  const isSaved = post.version !== NEVER_SAVED
  const title = post.title || UNTITLED
  const edit = withChanges(params, { edit: id })
  return (
    <li className="grid items-center gap-x-4 gap-y-1 border-b border-line px-(--cell-x) py-1.5 last:border-b-0 hover:bg-sunken md:grid-cols-[minmax(0,1fr)_auto]">
      <div className="grid min-w-0 content-start">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-0.5">
          <h2 className="min-w-0 font-sans text-small font-medium tracking-normal wrap-anywhere">
            <Link to={edit} className={cx('hover:underline', !post.title && 'text-muted')}>
              {title}
            </Link>
          </h2>
          <StateBadge post={post} />
          {isSaved && post.hasDraft && <Badge look="grain">Unsaved changes</Badge>}
          {tags.length > 0 && (
            <ul aria-label="Tags" className="flex flex-wrap gap-x-2 font-mono text-fine text-muted">
              {tags.slice(0, TAGS_SHOWN).map((tag) => (
                <li key={tag} className="wrap-anywhere">
                  {tag}
                </li>
              ))}
            </ul>
          )}
        </div>
        <p className="flex min-w-0 items-baseline gap-x-3 text-fine text-muted max-md:flex-wrap">
          {isSaved ? (
            <span className="font-mono wrap-anywhere md:shrink-0">/blog/{slug}</span>
          ) : (
            <span>Started {formatMoment(post.createdAt)}</span>
          )}
          {excerpt && <span className="min-w-0 md:truncate max-md:line-clamp-2">{excerpt}</span>}
        </p>
      </div>
      <div className="flex items-center gap-1">
        {isSaved && (
          <a
            href={`/blog/${slug}`}
            target="_blank"
            rel="noopener"
            aria-label={`View ${title} in a new tab`}
            title="View in a new tab"
            className={iconButton}
          >
            <ExternalLink aria-hidden="true" />
          </a>
        )}
        <Link to={edit} aria-label={`Edit ${title}`} title="Edit" className={iconButton}>
          <Pencil aria-hidden="true" />
        </Link>
        <DeletePost post={post} />
      </div>
    </li>
  )
}

const iconButton =
  'grid size-8 shrink-0 place-items-center rounded-control text-muted hover:bg-line hover:text-ink pointer-coarse:size-11 [&>svg]:size-4'

function StateBadge({ post }: { post: PostSummary }) {
  const state = stateOf(post)
  if (state === 'draft') return <Badge>Draft</Badge>
  if (state === 'published') {
    return (
      <Badge look="leaf" dot>
        Published
      </Badge>
    )
  }
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Badge look="grain">Scheduled</Badge>
      {post.publishedAt && (
        <time dateTime={post.publishedAt} className="font-mono text-fine text-muted">
          {formatMoment(post.publishedAt)}
        </time>
      )}
    </span>
  )
}

/** A deleted public post returns 410 from then on. */
function DeletePost({ post }: { post: PostSummary }) {
  const actions = useRef<HTMLDivElement>(null)
  const client = useQueryClient()
  async function onDeleted() {
    const row = actions.current?.closest('li')
    const beside = row?.nextElementSibling ?? row?.previousElementSibling
    const send = async () => apiRequest('POST', `${postUrl(post.id)}/restore`)
    toast({ title: 'Blog post deleted successfully', button: undoButton({ send, renew: async () => invalidatePosts(client) }) })
    await invalidatePosts(client)
    // The focus was in the row that is gone.
    if (document.activeElement === document.body) beside?.querySelector('a')?.focus()
  }
  return (
    <div ref={actions} className="contents">
      <DeleteButton
        name={post.title || UNTITLED}
        question="Are you sure you want to delete this blog post?"
        remove={async () => apiRequest('DELETE', postUrl(post.id))}
        onDeleted={onDeleted}
        onFailure={(error) => showPostFailure('Error deleting blog post', error)}
        icon={iconButton}
      >
        <p className="font-semibold text-ink wrap-anywhere">{post.title || UNTITLED}</p>
        {stateOf(post) === 'published' && <p>Its URL will return “410 Gone”.</p>}
      </DeleteButton>
    </div>
  )
}
