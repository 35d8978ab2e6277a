import { useMutation, useQueryClient } from '@tanstack/react-query'
import { apiRequest } from '#app/platform/browser/api.ts'
import { type Post, POSTS } from '#app/blog/posts/post.ts'
import { toast } from '#app/ui/toast.ts'
import { invalidatePosts, freeSlugIn, newerPostIn, refusedPostFields, showPostFailure } from './post-errors.ts'
import { postUrl } from './post-url.ts'
import { type PostFields, toBody } from './post-fields.ts'

type Outcome = {
  onSaved: () => void
  onRefused: (errors: Record<string, string>, freeSlug: string | undefined) => void
  onConflict: (newer: Post) => void
}

type Saving = { fields: PostFields; /** The version to replace. */ over: Post | undefined }

/** Creates the post, or saves it over its base version. It never overwrites someone else's save without asking. */
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
      await invalidatePosts(client)
    },
    onError(error) {
      showPostFailure(base ? 'Error updating blog post' : 'Error creating blog post', error)
      const newer = newerPostIn(error)
      if (newer) return onConflict(newer)
      onRefused(refusedPostFields(error), freeSlugIn(error))
    },
  })
}
