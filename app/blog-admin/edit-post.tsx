import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '#app/platform/api.ts'
import type { Post } from '#app/posts/post.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { postUrl } from './blog-view.ts'
import { PostForm } from './post-form.tsx'

/** The form of a post that there is, once it has been read. */
export function EditPost({ id, close }: { id: string; close: () => void }) {
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
  return <PostForm post={post.data} close={close} />
}
