import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { UNTITLED } from '#app/content/blog-titles.ts'
import { POSTS } from '#app/blog/posts/post.ts'
import { changedPosts, type ChangedPosts, POST_BULK, type PostBulk, undonePosts } from '#app/blog/posts/post-bulk.ts'
import type { PostPage, PostSummary } from '#app/blog/posts/post-query.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { TagDialog } from '#app/ui/admin/tag-dialog.tsx'
import { undoButton } from '#app/ui/admin/undo.tsx'
import { countOf } from '#app/ui/amount.ts'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { toast } from '#app/ui/toast.ts'
import { invalidatePosts, showPostFailure } from './post-errors.ts'
import { doneText, type PostChange, withChange } from './post-change.ts'
import { stateOf } from './post-fields.ts'

type Chosen = { rows: readonly PostSummary[]; done: (() => void) | undefined }
type Asked = Chosen & { open: 'tag' | 'untag' | 'delete' }

/** Changes of one or several posts, what they ask first, and an undo in each toast. */
export function usePostChanges() {
  const client = useQueryClient()
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const lists = { predicate: ({ queryKey: [url] }: { queryKey: readonly unknown[] }) => String(url).startsWith(`${POSTS}?`) }
  const renew = async () => invalidatePosts(client)
  const action = useMutation({
    async mutationFn({ rows, change }: Chosen & { change: PostChange }) {
      const body = { ...change, ids: rows.map(({ id }) => id) } satisfies PostBulk
      return changedPosts.parse(await (await apiRequest('POST', POST_BULK, body)).json())
    },
    onMutate({ rows, change }) {
      const before = client.getQueriesData<PostPage>(lists)
      const ids = new Set(rows.map(({ id }) => id))
      client.setQueriesData<PostPage>(lists, (page) => page && withChange(page, ids, change))
      close()
      return { before }
    },
    onSuccess({ posts }, { change, done }) {
      done?.()
      const scheduled = posts.filter((post) => stateOf(post) === 'scheduled').length
      const send = async () => undoChange({ posts: posts.map(({ id, version }) => ({ id, version })) })
      toast({ title: doneText(change, posts.length, scheduled), ...(posts.length > 0 && { button: undoButton({ send, renew }) }) })
    },
    onError(error, { change }, context) {
      for (const [key, page] of context?.before ?? []) client.setQueryData(key, page)
      showPostFailure(change.change === 'delete' ? 'Error deleting blog post' : 'Error updating blog post', error)
    },
    onSettled: renew,
  })
  return {
    change: (rows: readonly PostSummary[], change: 'publish' | 'unpublish', done?: () => void) =>
      action.mutate({ rows, change: { change }, done }),
    ask: (open: Asked['open'], rows: readonly PostSummary[], done?: () => void) => setAsked({ open, rows, done }),
    dialog: asked && <Question asked={asked} close={close} send={(change) => action.mutate({ ...asked, change })} />,
  }
}

async function undoChange(body: { posts: Pick<ChangedPosts['posts'][number], 'id' | 'version'>[] }): Promise<void> {
  const { left } = undonePosts.parse(await (await apiRequest('POST', `${POST_BULK}/undo`, body)).json())
  if (left === 0) return
  // After the toast of the undo itself.
  const kept = countOf(left, 'post was', 'posts were')
  toast({
    title: `${kept} not restored`,
    description: 'A post that has changed since, or whose slug another post uses, cannot be restored.',
  })
}

function Question({ asked: { open, rows }, close, send }: { asked: Asked; close: () => void; send: (change: PostChange) => void }) {
  if (open !== 'delete') {
    const items = countOf(rows.length, 'post', 'posts')
    return <TagDialog open={open} items={items} busy={false} close={close} send={(tag) => send({ change: open, tag })} />
  }
  const published = rows.filter((post) => stateOf(post) === 'published').length
  const url = rows.length === 1 ? 'Its URL' : published === rows.length ? 'Their URLs' : 'URLs of published posts'
  return (
    <ConfirmDialog
      open
      onClose={close}
      onConfirm={() => send({ change: 'delete' })}
      title={rows.length === 1 ? 'Are you sure you want to delete this blog post?' : 'Are you sure you want to delete these blog posts?'}
      confirm="Delete"
    >
      {rows.slice(0, 5).map(({ id, title }) => (
        <p key={id} className="font-semibold text-ink wrap-anywhere">
          {title || UNTITLED}
        </p>
      ))}
      {rows.length > 5 && <p>And {rows.length - 5} more.</p>}
      {published > 0 && <p>{url} will return “410 Gone”.</p>}
    </ConfirmDialog>
  )
}
