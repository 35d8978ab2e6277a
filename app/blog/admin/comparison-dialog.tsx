import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { postFieldNames, postLabels } from '#app/blog/posts/post.ts'
import type { PostFields } from './post-fields.ts'
import { ContentComparison } from './content-comparison.tsx'

type ComparisonDialogProps = {
  title: string
  /** The author of the other version, and its time. */
  children: React.ReactNode
  mine: PostFields
  theirs: PostFields
  /** The label of the button that keeps one's own version. */
  keep: string
  onKeep: () => void
  onTake: () => void
  onClose: () => void
}

/** Two versions of a post side by side. Nothing is overwritten before the writer chooses. */
export function ComparisonDialog({ title, children, mine, theirs, keep, onKeep, onTake, onClose }: ComparisonDialogProps) {
  const actions = (
    <>
      <Button type="button" look="quiet" onClick={onClose}>
        Continue editing
      </Button>
      <Button type="button" look="quiet" onClick={onTake}>
        Use theirs
      </Button>
      <Button type="button" onClick={onKeep}>
        {keep}
      </Button>
    </>
  )
  const others = postFieldNames.filter((name) => name !== 'content' && mine[name] !== theirs[name])
  return (
    <Dialog open wide onClose={onClose} title={title} actions={actions}>
      <div className="grid gap-5">
        <p className="text-muted">{children}</p>
        {others.map((name) => (
          <section key={name} aria-label={postLabels[name]} className="grid gap-2">
            <h3 className="font-sans text-small font-semibold tracking-normal">{postLabels[name]}</h3>
            <div className="grid gap-3 sm:grid-cols-2">
              <Side label="Yours" text={String(mine[name])} />
              <Side label="Theirs" text={String(theirs[name])} />
            </div>
          </section>
        ))}
        {mine.content !== theirs.content && <ContentComparison mine={mine.content} theirs={theirs.content} />}
        {others.length === 0 && mine.content === theirs.content && <p>Both versions are the same.</p>}
      </div>
    </Dialog>
  )
}

function Side({ label, text }: { label: string; text: string }) {
  return (
    <div className="grid content-start gap-1">
      <p className="eyebrow">{label}</p>
      <p className="max-h-40 overflow-y-auto rounded-control bg-sunken p-3 font-mono text-fine whitespace-pre-wrap wrap-anywhere">
        {text || '(nothing)'}
      </p>
    </div>
  )
}
