import { Link } from 'react-router'
import { NEVER_SAVED } from '#app/blog/posts/draft.ts'
import type { PostSummary } from '#app/blog/posts/post-query.ts'
import { UNTITLED } from '#app/content/blog-titles.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import type { ListLook } from '#app/ui/admin/list-page.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { Badge } from '#app/ui/badge.tsx'
import { formatDay, formatMoment } from '#app/ui/moment.ts'
import { stateLabels } from './blog-view.ts'
import { stateOf } from './post-fields.ts'

/** Tags shown per post. */
const TAGS_SHOWN = 3

export const isSaved = ({ version }: PostSummary) => version !== NEVER_SAVED
const titleOf = ({ title }: PostSummary) => title || UNTITLED

const day = { width: '8rem', from: 'large', kind: 'data' } as const

/** The list of posts: its columns, filters and words. */
export const postLook: ListLook<PostSummary> = {
  name: 'posts',
  caption: 'Posts',
  one: 'post',
  many: 'posts',
  loading: 'Loading blog posts...',
  failed: 'Failed to fetch blog posts',
  empty: { title: 'No posts yet', text: 'Drafts and published posts appear here, newest first. Only staff can see drafts.' },
  none: 'No posts match your search.',
  nameOf: titleOf,
  filters: [
    { key: 'q', label: 'Search', placeholder: 'Title or text' },
    {
      key: 'status',
      label: 'Show',
      options: [{ value: '', label: 'All posts' }, ...Object.entries(stateLabels).map(([value, label]) => ({ value, label }))],
    },
    { key: 'tag', label: 'Tag', isGiven: true },
  ],
  columns: [
    {
      key: 'title',
      head: 'Title',
      // The beginning of its text fills what is left of the line.
      view: (post) => <span className={post.title ? undefined : 'text-muted'}>{titleOf(post)}</span>,
      beside: (post) => (
        <>
          {isSaved(post) && post.hasDraft && (
            <Badge look="grain" className="ml-2">
              Unsaved changes
            </Badge>
          )}
          {post.excerpt && <span className="ml-2 text-muted @max-2xl:hidden">{post.excerpt}</span>}
        </>
      ),
    },
    { key: 'status', head: 'Status', width: '10rem', from: 'medium', view: (post) => <PostState post={post} /> },
    { key: 'url', head: 'URL', width: '14rem', from: 'large', kind: 'data', view: (post) => <PostPath post={post} /> },
    { key: 'tags', head: 'Tags', width: '11rem', from: 'large', view: (post) => <Tags post={post} /> },
    { key: 'published', head: 'Published', ...day, from: 'huge', view: ({ publishedAt }) => <Day at={publishedAt} /> },
    { key: 'updated', head: 'Updated', ...day, isExtra: true, view: ({ updatedAt }) => <Day at={updatedAt} /> },
    { key: 'created', head: 'Created', ...day, isExtra: true, view: ({ createdAt }) => <Day at={createdAt} /> },
    { key: 'words', head: 'Words', width: '5rem', from: 'large', isExtra: true, kind: 'number', view: ({ words }) => numberText(words) },
  ],
  renderNarrow: (post) => (
    <>
      <PostState post={post} />
      <span className="min-w-0 truncate font-mono">
        <PostPath post={post} />
      </span>
      {post.excerpt && <span className="line-clamp-1 w-full">{post.excerpt}</span>}
    </>
  ),
}

function PostState({ post }: { post: PostSummary }) {
  const state = stateOf(post)
  if (state === 'draft') return <Badge>Draft</Badge>
  if (state === 'scheduled') return <Scheduled for={post.publishedAt} />
  return (
    <Badge look="leaf" dot>
      Published
    </Badge>
  )
}

/** A post, or a version of one, that is to be published later. */
export function Scheduled({ for: at }: { for: string | null }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <Badge look="grain">Scheduled</Badge>
      {at && (
        <time dateTime={at} className="text-fine text-muted">
          {formatMoment(at)}
        </time>
      )}
    </span>
  )
}

/** A post that was never saved has no slug of its own. */
function PostPath({ post }: { post: PostSummary }) {
  const path = `/blog/${post.slug}`
  return isSaved(post) ? <span title={path}>{path}</span> : <span>Started {formatDay(post.createdAt)}</span>
}

/** Each tag filters the list by it. */
function Tags({ post: { tags } }: { post: PostSummary }) {
  const { params } = useView()
  if (tags.length === 0) return null
  return (
    <ul aria-label="Tags" title={tags.join(', ')} className="truncate text-fine text-muted">
      {tags.slice(0, TAGS_SHOWN).map((tag) => (
        <li key={tag} className="mr-2 inline">
          <Link to={withChanges(params, { tag })} preventScrollReset className="relative z-1 hover:text-ink hover:underline">
            {tag}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Day({ at }: { at: string | null }) {
  return at ? (
    <time dateTime={at} title={formatMoment(at)}>
      {formatDay(at)}
    </time>
  ) : (
    '-'
  )
}
