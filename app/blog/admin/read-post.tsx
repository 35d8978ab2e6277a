import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '#app/platform/browser/api.ts'
import { type Post, publishedPost } from '#app/blog/posts/post.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { type PostDraft, draftState } from '#app/blog/posts/draft.ts'
import { draftUrl, postUrl } from './post-url.ts'

type ReadPostProps = { id: string; children: (post: Post, draft: PostDraft | null) => React.ReactNode }

/** Loads a post and its draft, then renders `children` with both. */
export function ReadPost({ id, children }: ReadPostProps) {
  // No cached version: the form must start from the current one.
  const post = useQuery({ ...apiQuery(postUrl(id), publishedPost), gcTime: 0 })
  const state = useQuery({ ...apiQuery(draftUrl(id), draftState), gcTime: 0 })
  if (post.isError) return <Failed title="Failed to fetch blog post" error={post.error} retry={post.refetch} />
  if (state.isError) return <Failed title="Failed to fetch blog post" error={state.error} retry={state.refetch} />
  if (post.isPending || state.isPending) {
    return (
      <div>
        <Loading>Loading post...</Loading>
        <Skeleton lines={10} />
      </div>
    )
  }
  return children(post.data, state.data.draft)
}
