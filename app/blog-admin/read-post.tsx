import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '#app/platform/api.ts'
import type { Post } from '#app/posts/post.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { postUrl } from '#app/post-writing/post-answers.ts'

/** Something made of a post, once it has been read. */
export function ReadPost({ id, children }: { id: string; children: (post: Post) => React.ReactNode }) {
  // What another has changed since the last visit here is no news that may be missed.
  const post = useQuery({ ...apiQuery<Post>(postUrl(id)), gcTime: 0 })
  if (post.isPending) {
    return (
      <div>
        <Loading>Loading the post...</Loading>
        <Skeleton lines={10} />
      </div>
    )
  }
  if (post.isError) return <Failed title="Failed to fetch blog post" error={post.error} retry={post.refetch} />
  return children(post.data)
}
