import { useMutation, useQueryClient } from '@tanstack/react-query'
import { apiRequest } from '#app/platform/api.ts'
import { type Post, POSTS } from '#app/posts/post.ts'
import { toast } from '#app/ui/toast.ts'
import { askAgain, freeSlugIn, newerPostIn, refusedFields, tellFailure } from '#app/post-writing/post-answers.ts'
import { postUrl } from '#app/post-writing/post-url.ts'
import { type PostFields, toBody } from '#app/post-writing/post-fields.ts'

type Outcome = {
  onSaved: () => void
  onRefused: (errors: Record<string, string>, freeSlug: string | undefined) => void
  onConflict: (newer: Post) => void
}

type Saving = { fields: PostFields; /** The version that this is written upon. */ over: Post | undefined }

/** Makes the post, or saves it over the version that it began from: what another has saved meanwhile is never overwritten unseen. */
export function useSavePost(base: Post | undefined, { onSaved, onRefused, onConflict }: Outcome) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ fields, over }: Saving) => {
      if (!over) return apiRequest('POST', POSTS, toBody(fields))
      const headers = { 'content-type': 'application/json', 'if-match': `"${over.version}"` }
      return apiRequest('PUT', postUrl(over.id), toBody(fields), { headers })
    },
    async onSuccess() {
      toast({ title: base ? 'Blog post updated successfully' : 'Blog post created successfully' })
      onSaved()
      await askAgain(client)
    },
    onError(error) {
      tellFailure(base ? 'Error updating blog post' : 'Error creating blog post', error)
      const newer = newerPostIn(error)
      if (newer) return onConflict(newer)
      onRefused(refusedFields(error), freeSlugIn(error))
    },
  })
}
