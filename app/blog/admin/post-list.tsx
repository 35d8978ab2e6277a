import { ExternalLinkIcon, PencilIcon, Trash2Icon } from 'lucide-react'
import { Link } from 'react-router'
import { postPage, type PostSummary } from '#app/blog/posts/post-query.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { rowButton, RowButton } from '#app/ui/admin/data-table.tsx'
import { type Chosen, ListPage } from '#app/ui/admin/list-page.tsx'
import type { MenuEntry } from '#app/ui/admin/open-menu.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { buttonLook } from '#app/ui/button-look.ts'
import { keepPreviousData } from '@tanstack/react-query'
import { postListUrl } from './blog-view.ts'
import { showPostFailure } from './post-errors.ts'
import { isSaved, postLook } from './post-look.tsx'
import { usePostChanges } from './use-post-changes.tsx'

/** All posts including drafts, newest first. The server searches, filters and pages. */
export function PostList() {
  const { params, change } = useView()
  const list = usePageQuery({ ...apiQuery(postListUrl(params), postPage), placeholderData: keepPreviousData })
  const changes = usePostChanges()
  const bulk = (label: string, act: (posts: readonly PostSummary[], done: () => void) => void) => ({
    label,
    act: (chosen: Chosen<PostSummary>) =>
      void postsOf(chosen, params).then(
        (posts) => act(posts, chosen.clear),
        (error: Error) => showPostFailure('Error updating blog post', error),
      ),
  })
  return (
    <ListPage
      {...postLook}
      list={list}
      rows={list.data?.items}
      place={list.data && { count: list.data.total, ...list.data }}
      whole={list.data && { count: list.data.total }}
      opens={({ id }) => ({ to: withChanges(params, { edit: id }) })}
      emptyAction={
        <Link to={withChanges(params, { new: 'post' })} className={buttonLook()}>
          Write your first post
        </Link>
      }
      renderActions={(post) => <PostActions post={post} askToDelete={() => changes.ask('delete', [post])} />}
      actionCount={3}
      menuOf={(post) => [
        { label: 'Edit', act: () => change({ edit: post.id }, { fromTop: true }) },
        ...(isSaved(post) ? [{ label: 'View in a new tab', act: () => void window.open(`/blog/${post.slug}`, '_blank', 'noopener') }] : []),
        ...entriesOf(post, changes),
        { label: 'Delete', startsGroup: true, isDanger: true, act: () => changes.ask('delete', [post]) },
      ]}
      bulk={[
        bulk('Publish', (posts, done) => changes.change(posts, 'publish', done)),
        bulk('Unpublish', (posts, done) => changes.change(posts, 'unpublish', done)),
        bulk('Tag', (posts, done) => changes.ask('tag', posts, done)),
        bulk('Untag', (posts, done) => changes.ask('untag', posts, done)),
        bulk('Delete', (posts, done) => changes.ask('delete', posts, done)),
      ]}
    >
      {changes.dialog}
    </ListPage>
  )
}

/** The rows that are chosen: all that match are asked for, page by page. */
async function postsOf({ rows, isAll }: Chosen<PostSummary>, params: URLSearchParams): Promise<readonly PostSummary[]> {
  if (!isAll) return rows
  const found: PostSummary[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const next = postPage.parse(await (await apiRequest('GET', postListUrl(params, { page, limit: 200 }))).json())
    found.push(...next.items)
    pages = next.pages
  }
  return found
}

function entriesOf(post: PostSummary, { change, ask }: ReturnType<typeof usePostChanges>): MenuEntry[] {
  const unavailable = isSaved(post) ? undefined : 'Create the post first.'
  return [
    post.published
      ? { label: 'Unpublish', act: () => change([post], 'unpublish') }
      : { label: 'Publish', unavailable, act: () => change([post], 'publish') },
    { label: 'Add tag…', unavailable, act: () => ask('tag', [post]) },
    { label: 'Remove tag…', unavailable: post.tags.length === 0 ? 'It has no tags.' : unavailable, act: () => ask('untag', [post]) },
  ]
}

function PostActions({ post, askToDelete }: { post: PostSummary; askToDelete: () => void }) {
  const { params } = useView()
  const title = postLook.nameOf(post)
  return (
    <>
      {isSaved(post) && (
        <a
          href={`/blog/${post.slug}`}
          target="_blank"
          rel="noopener"
          aria-label={`View ${title} in a new tab`}
          title="View in a new tab"
          className={rowButton}
        >
          <ExternalLinkIcon aria-hidden="true" />
        </a>
      )}
      <Link to={withChanges(params, { edit: post.id })} aria-label={`Edit ${title}`} title="Edit" className={rowButton}>
        <PencilIcon aria-hidden="true" />
      </Link>
      <RowButton label={`Delete ${title}`} onClick={askToDelete}>
        <Trash2Icon aria-hidden="true" />
      </RowButton>
    </>
  )
}
