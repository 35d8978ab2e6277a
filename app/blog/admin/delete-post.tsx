import { useQueryClient } from '@tanstack/react-query'
import { DeleteButton } from '#app/ui/admin/delete-button.tsx'
import { apiRequest } from '#app/platform/browser/api.ts'
import { toast } from '#app/ui/toast.ts'
import type { PostSummary } from '#app/blog/posts/post-query.ts'
import { invalidatePosts, showPostFailure } from './post-errors.ts'
import { stateOf } from './post-fields.ts'
import { postUrl } from './post-url.ts'

/** A deleted public post returns 410 from then on. */
export function DeletePost({ post }: { post: PostSummary }) {
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
