import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { SearchField } from '#app/ui/admin/search-field.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { buttonLook } from '#app/ui/button-look.ts'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { postPage } from '#app/blog/posts/post-query.ts'
import { postListUrl, stateLabels } from './blog-view.ts'
import { PostRow } from './post-row.tsx'

/** All posts including drafts, newest first. The server searches, filters and pages. */
export function PostList() {
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
        <div className="min-w-48 grow basis-64">
          <SearchField name="q" label="Search" placeholder="Search by title or text" />
        </div>
        <StateSelect />
      </div>
      <Posts />
    </div>
  )
}

function StateSelect() {
  const { params, change } = useView()
  return (
    <div className="min-w-44 max-sm:grow">
      <Field label="Show" name="status" tool>
        <Select value={params.get('status') ?? ''} onChange={(event) => change({ status: event.target.value, page: undefined })}>
          <option value="">All posts</option>
          {Object.entries(stateLabels).map(([state, label]) => (
            <option key={state} value={state}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
    </div>
  )
}

function Posts() {
  const { params } = useView()
  const list = useQuery({ ...apiQuery(postListUrl(params), postPage), placeholderData: keepPreviousData })
  if (list.isPending) {
    return (
      <div>
        <Loading>Loading blog posts...</Loading>
        <Skeleton lines={10} />
      </div>
    )
  }
  if (!list.data) return <Failed title="Failed to fetch blog posts" error={list.error} retry={list.refetch} />
  if (list.data.items.length === 0) return <NoPosts isChosen={['q', 'status', 'page'].some((key) => params.has(key))} />
  return (
    <>
      <ul aria-label="Posts" className="grid grid-cols-1 rounded-card border border-line bg-surface">
        {list.data.items.map((post) => (
          <PostRow key={post.id} post={post} />
        ))}
      </ul>
      <PostPager total={list.data.total} pages={list.data.pages} />
    </>
  )
}

function NoPosts({ isChosen }: { isChosen: boolean }) {
  const { params } = useView()
  if (isChosen) {
    const all = withChanges(params, { q: undefined, status: undefined, page: undefined })
    return (
      <Empty
        title="No matches"
        action={
          <Link to={all} preventScrollReset className={buttonLook('quiet')}>
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

function PostPager({ total, pages }: { total: number; pages: number }) {
  const { params } = useView()
  const page = Number(params.get('page') ?? 1)
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-3">
      <p role="status" className="font-mono text-fine text-muted">
        {total === 1 ? '1 post' : `${total.toLocaleString('en')} posts`}
        {pages > 1 && `, page ${page} of ${pages}`}
      </p>
      <div className="flex gap-2">
        {page > 1 && (
          <Link
            to={withChanges(params, { page: page === 2 ? undefined : String(page - 1) })}
            rel="prev"
            className={buttonLook('quiet', 'small')}
          >
            Newer
          </Link>
        )}
        {page < pages && (
          <Link to={withChanges(params, { page: String(page + 1) })} rel="next" className={buttonLook('quiet', 'small')}>
            Older
          </Link>
        )}
      </div>
    </nav>
  )
}
