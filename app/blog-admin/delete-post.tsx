import { useQueryClient } from '@tanstack/react-query'
import { DeleteButton } from '#app/admin-view/delete-button.tsx'
import { apiRequest } from '#app/platform/api.ts'
import { toast } from '#app/ui/toast.ts'
import type { ListedPost } from '#app/posts/post-query.ts'
import { askAgain, tellFailure } from '#app/post-writing/post-answers.ts'
import { stateOf } from '#app/post-writing/post-fields.ts'
import { postUrl } from '#app/post-writing/post-url.ts'

/** What was public answers from then on that it is gone. */
export function DeletePost({ post }: { post: ListedPost }) {
  const client = useQueryClient()
  async function onDeleted() {
    toast({ title: 'Blog post deleted successfully' })
    await askAgain(client)
  }
  return (
    <DeleteButton
      name={post.title}
      question="Are you sure you want to delete this blog post?"
      remove={async () => apiRequest('DELETE', postUrl(post.id))}
      onDeleted={onDeleted}
      onFailure={(error) => tellFailure('Error deleting blog post', error)}
      icon
    >
      <p className="font-semibold text-ink wrap-anywhere">{post.title}</p>
      {stateOf(post) === 'published' && <p>Its address answers from then on that the post is gone.</p>}
    </DeleteButton>
  )
}
