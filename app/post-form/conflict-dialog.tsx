import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { fieldsOf, type PostFields } from '#app/post-writing/post-fields.ts'
import type { PostFormState } from './use-post-form.tsx'

/** Another has saved the post meanwhile. Both versions are shown, and nothing is overwritten before the writer has chosen. */
export function ConflictDialog({ form }: { form: PostFormState }) {
  const newer = form.conflict
  if (!newer) return null
  const actions = (
    <>
      <Button type="button" look="quiet" onClick={form.leaveConflict}>
        Go on writing
      </Button>
      <Button type="button" look="quiet" onClick={() => form.settle(newer, 'theirs')}>
        Take theirs
      </Button>
      <Button type="button" onClick={() => form.settle(newer, 'mine')}>
        Save mine over theirs
      </Button>
    </>
  )
  const theirs = fieldsOf(newer)
  return (
    <Dialog open onClose={form.leaveConflict} title="Someone else has saved this post" actions={actions}>
      <p className="text-muted">
        Version {newer.version} was saved on {formatMoment(newer.updatedAt)}, after you had begun. It stays in the history whatever you
        choose.
      </p>
      <ul className="mt-4 grid gap-4">
        {differing(form.fields, theirs).map(([name, label]) => (
          <li key={name} className="grid gap-2">
            <p className="text-small font-semibold">{label}</p>
            <div className="grid gap-3 sm:grid-cols-2">
              <Side label="Yours" text={String(form.fields[name])} />
              <Side label="Theirs" text={String(theirs[name])} />
            </div>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function Side({ label, text }: { label: string; text: string }) {
  return (
    <div className="grid content-start gap-1">
      <p className="eyebrow">{label}</p>
      <p className="max-h-60 overflow-y-auto rounded-control bg-sunken p-3 font-mono text-fine whitespace-pre-wrap wrap-anywhere">{text}</p>
    </div>
  )
}

const labels: [keyof PostFields, string][] = [
  ['title', 'Title'],
  ['slug', 'Slug'],
  ['content', 'Content'],
  ['excerpt', 'Excerpt'],
  ['tags', 'Tags'],
  ['featuredImage', 'Featured image'],
  ['metaTitle', 'Meta title'],
  ['metaDescription', 'Meta description'],
  ['published', 'Published'],
  ['publishedAt', 'Publication date and time'],
]

function differing(mine: PostFields, theirs: PostFields) {
  return labels.filter(([name]) => mine[name] !== theirs[name])
}
