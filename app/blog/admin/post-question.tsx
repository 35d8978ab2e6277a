import type { PostSummary } from '#app/blog/posts/post-query.ts'
import { UNTITLED } from '#app/content/blog-titles.ts'
import { TagDialog } from '#app/ui/admin/tag-dialog.tsx'
import { countOf } from '#app/ui/amount.ts'
import { ConfirmDialog, Named } from '#app/ui/confirm-dialog.tsx'
import type { PostChange } from './post-change.ts'
import { stateOf } from './post-fields.ts'

type PostQuestionProps = {
  open: 'tag' | 'untag' | 'delete'
  rows: readonly PostSummary[]
  close: () => void
  send: (change: PostChange) => void
}

/** The question before a change of posts: which tag, or whether they are deleted. */
export function PostQuestion({ open, rows, close, send }: PostQuestionProps) {
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
      <Named names={rows.map(({ title }) => title || UNTITLED)} />
      {published > 0 && <p>{url} will return “410 Gone”.</p>}
    </ConfirmDialog>
  )
}
