import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { POSTS, postUrl } from '#app/blog/posts/post.ts'
import { changedPosts, type ChangedPosts, POST_BULK, type PostBulk, undonePosts } from '#app/blog/posts/post-bulk.ts'
import type { PostPage, PostSummary } from '#app/blog/posts/post-query.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { inParts, expectData, useAction } from '#app/ui/admin/use-action.ts'
import { countOf } from '#app/ui/amount.ts'
import { laterCode, LaterDialog } from '#app/ui/later-code.tsx'
import { toast } from '#app/ui/toast.ts'
import { doneText, type PostChange, withChange } from './post-change.ts'
import { stateOf } from './post-fields.ts'

const questionCode = laterCode('The question', () => import('./post-question.tsx'))

type Chosen = { rows: readonly PostSummary[]; done: (() => void) | undefined }
type Asked = Chosen & { open: 'tag' | 'untag' | 'delete' }

/** Changes of one or several posts, what they ask first, and an undo in each toast. */
export function usePostChanges() {
  const client = useQueryClient()
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const lists = { predicate: ({ queryKey: [url] }: { queryKey: readonly unknown[] }) => String(url).startsWith(`${POSTS}?`) }
  const action = useAction({
    send: sendChange,
    expect({ rows, change }) {
      const ids = new Set(rows.map(({ id }) => id))
      close()
      return expectData<PostPage>(client, lists, (page) => withChange(page, ids, change))
    },
    onDone: (_changed, { done }) => done?.(),
    done({ posts }, { change }) {
      const scheduled = posts.filter((post) => stateOf(post) === 'scheduled').length
      return doneText(change, posts.length, scheduled)
    },
    undo({ posts }, { change }) {
      const [only, ...others] = posts
      if (!only) return undefined
      if (change.change === 'delete' && others.length === 0) return async () => apiRequest('POST', `${postUrl(only.id)}/restore`)
      return async () => undoChange(posts.map(({ id, version }) => ({ id, version })))
    },
    failed: ({ change }) => (change.change === 'delete' ? 'Error deleting blog post' : 'Error updating blog post'),
    touches: [POSTS],
  })
  return {
    change: (rows: readonly PostSummary[], change: 'publish' | 'unpublish', done?: () => void) =>
      action.mutate({ rows, change: { change }, done }),
    ask: (open: Asked['open'], rows: readonly PostSummary[], done?: () => void) => setAsked({ open, rows, done }),
    dialog: asked && (
      <LaterDialog code={questionCode} onClose={close}>
        {({ PostQuestion }) => <PostQuestion {...asked} close={close} send={(change) => action.mutate({ ...asked, change })} />}
      </LaterDialog>
    ),
  }
}

/** One post is deleted by its own call; other changes are made together. */
async function sendChange({ rows, change }: Chosen & { change: PostChange }): Promise<ChangedPosts> {
  const [only, ...others] = rows
  if (change.change === 'delete' && only && others.length === 0) {
    await apiRequest('DELETE', postUrl(only.id))
    return { posts: [only] }
  }
  const posts = await inParts(rows, async (part) => {
    const body = { ...change, ids: part.map(({ id }) => id) } satisfies PostBulk
    return changedPosts.parse(await (await apiRequest('POST', POST_BULK, body)).json()).posts
  })
  return { posts }
}

async function undoChange(posts: Pick<ChangedPosts['posts'][number], 'id' | 'version'>[]): Promise<void> {
  const undone = await inParts(posts, async (part) => [
    undonePosts.parse(await (await apiRequest('POST', `${POST_BULK}/undo`, { posts: part })).json()).left,
  ])
  const left = undone.reduce((sum, count) => sum + count, 0)
  if (left === 0) return
  // After the toast of the undo itself.
  const kept = countOf(left, 'post was', 'posts were')
  toast({
    title: `${kept} not restored`,
    description: 'A post that has changed since, or whose slug another post uses, cannot be restored.',
  })
}
