import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { formatMoment } from '#app/ui/moment.ts'

/** A field that differs. */
export type Difference = { label: string; mine: string; theirs: string }

type ComparisonDialogProps = {
  title: string
  /** The author of the other version, and its time. */
  children: React.ReactNode
  differences: readonly Difference[]
  /** Differences shown in another way. */
  more?: React.ReactNode
  /** The label of the button that keeps one's own version. */
  keep: string
  onKeep: () => void
  onTake: () => void
  onClose: () => void
}

/** Two versions side by side. Nothing is overwritten before the writer chooses. */
export function ComparisonDialog({ title, children, differences, more, keep, onKeep, onTake, onClose }: ComparisonDialogProps) {
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
  return (
    <Dialog open wide onClose={onClose} title={title} actions={actions}>
      <div className="grid gap-5">
        <p className="text-muted">{children}</p>
        {differences.map(({ label, mine, theirs }) => (
          <section key={label} aria-label={label} className="grid gap-2">
            <h3 className="font-sans text-small font-semibold tracking-normal">{label}</h3>
            <div className="grid gap-3 sm:grid-cols-2">
              <Side label="Yours" text={mine} />
              <Side label="Theirs" text={theirs} />
            </div>
          </section>
        ))}
        {more}
        {differences.length === 0 && !more && <p>Both versions are the same.</p>}
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

/** The texts that differ, by their labels. */
export function differencesIn(mine: Record<string, string>, theirs: Record<string, string>): Difference[] {
  return Object.keys(mine).flatMap((label) =>
    mine[label] === theirs[label] ? [] : { label, mine: mine[label] ?? '', theirs: theirs[label] ?? '' },
  )
}

type Newer = { version?: number; updatedAt?: string | null }

type ConflictDialogProps<Row extends Newer> = {
  form: { conflict: Row | undefined; settle: (newer: Row, keep: 'mine' | 'theirs') => void; leaveConflict: () => void }
  /** 'post', or 'hours' */
  noun: string
  isPlural?: boolean
  differencesTo: (newer: Row) => Pick<ComparisonDialogProps, 'differences' | 'more'>
  /** The fate of the other version. */
  children?: React.ReactNode
}

/** Someone else saved first, so the server refused to overwrite it. */
export function ConflictDialog<Row extends Newer>({ form, noun, isPlural = false, differencesTo, children }: ConflictDialogProps<Row>) {
  const newer = form.conflict
  if (!newer) return null
  return (
    <ComparisonDialog
      title={`Someone else saved ${isPlural ? 'these' : 'this'} ${noun}`}
      {...differencesTo(newer)}
      keep="Overwrite with mine"
      onKeep={() => form.settle(newer, 'mine')}
      onTake={() => form.settle(newer, 'theirs')}
      onClose={form.leaveConflict}
    >
      Version {newer.version} was saved after you opened the {noun}
      {newer.updatedAt && `, on ${formatMoment(newer.updatedAt)}`}. {children}
    </ComparisonDialog>
  )
}
