import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '#app/platform/api.ts'
import type { Post } from '#app/posts/post.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Draft, DraftState } from '#app/drafts/draft.ts'
import { draftUrl, postUrl } from '#app/post-writing/post-url.ts'

type ReadPostProps = { id: string; children: (post: Post, draft: Draft | null) => React.ReactNode }

/** Something made of a post and of its draft, once they have been read. */
export function ReadPost({ id, children }: ReadPostProps) {
  // What another has changed since the last visit here is no news that may be missed.
  const post = useQuery({ ...apiQuery<Post>(postUrl(id)), gcTime: 0 })
  const state = useQuery({ ...apiQuery<DraftState>(draftUrl(id)), gcTime: 0 })
  if (post.isError) return <Failed title="Failed to fetch blog post" error={post.error} retry={post.refetch} />
  if (state.isError) return <Failed title="Failed to fetch blog post" error={state.error} retry={state.refetch} />
  if (post.isPending || state.isPending) {
    return (
      <div>
        <Loading>Loading the post...</Loading>
        <Skeleton lines={10} />
      </div>
    )
  }
  return children(post.data, state.data.draft)
}
