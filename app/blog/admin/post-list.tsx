import { keepPreviousData } from '@tanstack/react-query'
import { ExternalLinkIcon, PencilIcon, Trash2Icon, XIcon } from 'lucide-react'
import { Link } from 'react-router'
import { postPage, type PostPage, type PostSummary } from '#app/blog/posts/post-query.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { ChooseColumns, DataTable, rowButton, RowButton, TableToolbar } from '#app/ui/admin/data-table.tsx'
import { ListPager } from '#app/ui/admin/list-pager.tsx'
import type { MenuEntry } from '#app/ui/admin/open-menu.tsx'
import { SavedViews } from '#app/ui/admin/saved-views.tsx'
import { SearchField } from '#app/ui/admin/search-field.tsx'
import { type TableOf, useTable } from '#app/ui/admin/use-table.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { Button } from '#app/ui/button.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { RowsSkeleton } from '#app/ui/skeleton.tsx'
import { postFilters, postListUrl, stateLabels } from './blog-view.ts'
import { isSaved, postColumns, PostPath, PostState, titleOf } from './post-columns.tsx'
import { usePostChanges } from './use-post-changes.tsx'

/** All posts including drafts, newest first. The server searches, filters and pages. */
export function PostList() {
  const { params } = useView()
  const list = usePageQuery({ ...apiQuery(postListUrl(params), postPage), placeholderData: keepPreviousData })
  const table = useTable({ name: 'posts', columns: postColumns, rows: list.data?.items ?? [] })
  return (
    <div className="grid grid-cols-1 gap-3">
      <TableToolbar>
        <SearchField name="q" label="Search" placeholder="Search by title or text" />
        <StateSelect />
        <ChosenTag />
        <SavedViews name="posts" keys={postFilters} />
        <ChooseColumns table={table} />
      </TableToolbar>
      {list.isPending && (
        <div>
          <Loading>Loading blog posts...</Loading>
          <RowsSkeleton rows={10} />
        </div>
      )}
      {list.isError && !list.data && <Failed title="Failed to fetch blog posts" error={list.error} retry={list.refetch} />}
      {list.data && <Posts page={list.data} table={table} isBusy={list.isPlaceholderData} />}
    </div>
  )
}

function StateSelect() {
  const { params, change } = useView()
  return (
    <Field label="Show" name="status" tool>
      <Select value={params.get('status') ?? ''} onChange={(event) => change({ status: event.target.value })}>
        <option value="">All posts</option>
        {Object.entries(stateLabels).map(([state, label]) => (
          <option key={state} value={state}>
            {label}
          </option>
        ))}
      </Select>
    </Field>
  )
}

/** The tag that the list is filtered by; a tag of a row sets it. */
function ChosenTag() {
  const { params } = useView()
  const tag = params.get('tag')
  if (!tag) return null
  return (
    <Link
      to={withChanges(params, { tag: undefined })}
      preventScrollReset
      aria-label={`Remove the filter: tag ${tag}`}
      className={buttonLook('quiet')}
    >
      <span className="max-w-40 truncate">Tag: {tag}</span>
      <XIcon aria-hidden="true" className="size-4" />
    </Link>
  )
}

type PostsProps = { page: PostPage; table: TableOf<PostSummary>; isBusy: boolean }

function Posts({ page: { items, total, page, pages }, table, isBusy }: PostsProps) {
  const { params, change } = useView()
  const changes = usePostChanges()
  if (items.length === 0) return <NoPosts isChosen={[...postFilters, 'cursor'].some((key) => params.has(key))} />
  return (
    <>
      <DataTable
        table={table}
        caption="Posts"
        nameOf={titleOf}
        isBusy={isBusy}
        renderNarrow={(post) => (
          <>
            <PostState post={post} />
            <span className="min-w-0 truncate font-mono">
              <PostPath post={post} />
            </span>
            {post.excerpt && <span className="line-clamp-2 w-full">{post.excerpt}</span>}
          </>
        )}
        renderActions={(post) => <PostActions post={post} askToDelete={() => changes.ask('delete', [post])} />}
        actionCount={3}
        menuOf={(post) => [
          { label: 'Edit', act: () => change({ edit: post.id }, { fromTop: true }) },
          ...(isSaved(post)
            ? [{ label: 'View in a new tab', act: () => void window.open(`/blog/${post.slug}`, '_blank', 'noopener') }]
            : []),
          ...entriesOf(post, changes),
          { label: 'Delete', startsGroup: true, isDanger: true, act: () => changes.ask('delete', [post]) },
        ]}
        renderBulk={(rows, clear) => <BulkButtons rows={rows} clear={clear} changes={changes} />}
      />
      <ListPager one="post" many="posts" place={{ count: total, total, page, pages }} />
      {changes.dialog}
    </>
  )
}

type Changes = ReturnType<typeof usePostChanges>

function entriesOf(post: PostSummary, { change, ask }: Changes): MenuEntry[] {
  const unavailable = isSaved(post) ? undefined : 'Create the post first.'
  return [
    post.published
      ? { label: 'Unpublish', act: () => change([post], 'unpublish') }
      : { label: 'Publish', unavailable, act: () => change([post], 'publish') },
    { label: 'Add tag…', unavailable, act: () => ask('tag', [post]) },
    { label: 'Remove tag…', unavailable: post.tags.length === 0 ? 'It has no tags.' : unavailable, act: () => ask('untag', [post]) },
  ]
}

function BulkButtons({ rows, clear, changes: { change, ask } }: { rows: readonly PostSummary[]; clear: () => void; changes: Changes }) {
  const buttons = {
    Publish: () => change(rows, 'publish', clear),
    Unpublish: () => change(rows, 'unpublish', clear),
    Tag: () => ask('tag', rows, clear),
    Untag: () => ask('untag', rows, clear),
    Delete: () => ask('delete', rows, clear),
  }
  return Object.entries(buttons).map(([name, act]) => (
    <Button key={name} type="button" look="quiet" size="small" onClick={act}>
      {name}
    </Button>
  ))
}

function PostActions({ post, askToDelete }: { post: PostSummary; askToDelete: () => void }) {
  const { params } = useView()
  const title = titleOf(post)
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

function NoPosts({ isChosen }: { isChosen: boolean }) {
  const { params } = useView()
  if (isChosen) {
    const none = Object.fromEntries(postFilters.map((key) => [key, undefined]))
    return (
      <Empty
        title="No matches"
        action={
          <Link to={withChanges(params, none)} preventScrollReset className={buttonLook('quiet')}>
            Show all
          </Link>
        }
      >
        <p>No posts match your search.</p>
      </Empty>
    )
  }
  return (
    <Empty
      title="No posts yet"
      action={
        <Link to={withChanges(params, { new: 'post' })} className={buttonLook()}>
          Write your first post
        </Link>
      }
    >
      <p>Drafts and published posts appear here, newest first. Only staff can see drafts.</p>
    </Empty>
  )
}
