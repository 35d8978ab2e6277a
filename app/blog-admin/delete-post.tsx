import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { apiRequest } from '#app/platform/api.ts'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { toast } from '#app/ui/toast.ts'
import type { ListedPost } from '#app/posts/post-query.ts'
import { askAgain, tellFailure } from '#app/post-writing/post-answers.ts'
import { stateOf } from '#app/post-writing/post-fields.ts'
import { postUrl } from '#app/post-writing/post-url.ts'

/** Asks first. What was public answers from then on that it is gone. */
export function DeletePost({ post }: { post: ListedPost }) {
  const [asking, setAsking] = useState(false)
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: async () => apiRequest('DELETE', postUrl(post.id)),
    async onSuccess() {
      setAsking(false)
      toast({ title: 'Blog post deleted successfully' })
      await askAgain(client)
    },
    onError(error) {
      setAsking(false)
      tellFailure('Error deleting blog post', error)
    },
  })
  return (
    <>
      <Button type="button" look="quiet" size="small" aria-label={`Delete ${post.title}`} onClick={() => setAsking(true)}>
        <Trash2 aria-hidden="true" className="size-4" />
        Delete
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.mutate()}
        title="Are you sure you want to delete this blog post?"
        confirm={remove.isPending ? 'Deleting...' : 'Delete'}
        busy={remove.isPending}
      >
        <p className="font-semibold text-ink wrap-anywhere">{post.title}</p>
        {stateOf(post) === 'published' && <p>Its address answers from then on that the post is gone.</p>}
      </ConfirmDialog>
    </>
  )
}
