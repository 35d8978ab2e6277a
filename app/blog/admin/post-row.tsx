import { ExternalLink, Pencil } from 'lucide-react'
import { Link } from 'react-router'
import { useQueryClient } from '@tanstack/react-query'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { Badge } from '#app/ui/badge.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { formatMoment } from '#app/ui/moment.ts'
import type { PostSummary } from '#app/blog/posts/post-query.ts'
import { DeleteButton } from '#app/ui/admin/delete-button.tsx'
import { apiRequest } from '#app/platform/browser/api.ts'
import { toast } from '#app/ui/toast.ts'
import { stateOf } from './post-fields.ts'
import { invalidatePosts, showPostFailure } from './post-errors.ts'
import { postUrl } from './post-url.ts'

/** Tags shown per post; the rest are only counted. */
const TAGS_SHOWN = 3

export function PostRow({ post }: { post: PostSummary }) {
  const { params } = useView()
  const { id, title, slug, excerpt, tags } = post
  const edit = withChanges(params, { edit: id })
  return (
    <li className="grid gap-x-6 gap-y-3 border-b border-line p-4 last:border-b-0 sm:p-5 md:grid-cols-[1fr_auto]">
      <div className="grid min-w-0 content-start gap-1.5">
        <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <h2 className="min-w-0 text-h3 wrap-anywhere">
            <Link to={edit} className="hover:underline">
              {title}
            </Link>
          </h2>
          <StateBadge post={post} />
          {post.hasDraft && <Badge look="grain">Unsaved changes</Badge>}
        </div>
        {excerpt && <p className="line-clamp-2 text-small text-muted wrap-anywhere">{excerpt}</p>}
        <p className="font-mono text-fine text-muted wrap-anywhere">/blog/{slug}</p>
        {tags.length > 0 && (
          <ul aria-label="Tags" className="flex flex-wrap gap-1.5 pt-0.5">
            {tags.slice(0, TAGS_SHOWN).map((tag) => (
              <li key={tag}>
                <Badge className="max-w-full whitespace-normal">{tag}</Badge>
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className="flex flex-wrap items-start gap-2">
        <a
          href={`/blog/${slug}`}
          target="_blank"
          rel="noopener"
          aria-label={`View ${title} in a new tab`}
          className={buttonLook('quiet', 'small')}
        >
          <ExternalLink aria-hidden="true" className="size-4" />
          View
        </a>
        <Link to={edit} aria-label={`Edit ${title}`} className={buttonLook('quiet', 'small')}>
          <Pencil aria-hidden="true" className="size-4" />
          Edit
        </Link>
        <DeletePost post={post} />
      </div>
    </li>
  )
}

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
  const client = useQueryClient()
  async function onDeleted() {
    toast({ title: 'Blog post deleted successfully' })
    await invalidatePosts(client)
  }
  return (
    <DeleteButton
      name={post.title}
      question="Are you sure you want to delete this blog post?"
      remove={async () => apiRequest('DELETE', postUrl(post.id))}
      onDeleted={onDeleted}
      onFailure={(error) => showPostFailure('Error deleting blog post', error)}
      icon
    >
      <p className="font-semibold text-ink wrap-anywhere">{post.title}</p>
      {stateOf(post) === 'published' && <p>Its URL will return “410 Gone”.</p>}
    </DeleteButton>
  )
}
