import { Badge } from '#app/ui/badge.tsx'
import type { ImportedFile } from './post-file.ts'

const looks = {
  new: ['leaf', 'New'],
  changed: ['grain', 'Changes'],
  kept: ['plain', 'Kept'],
  same: ['plain', 'Same'],
  refused: ['alarm', 'Refused'],
  failed: ['alarm', 'Failed'],
} as const

/** The outcome for each file; those that need attention come first. */
export function PostImportReport({ files, isDone }: { files: readonly ImportedFile[]; isDone: boolean }) {
  const wrong = files.filter(({ state, notes }) => state === 'refused' || state === 'failed' || notes)
  const rest = files.filter((file) => !wrong.includes(file))
  return (
    <section aria-label={isDone ? 'Import report' : 'Import preview'} className="grid gap-3">
      <p className="font-semibold">{summaryOf(files, isDone)}</p>
      <ul className="divide-y divide-line border-y border-line text-small">
        {[...wrong, ...rest].map((file) => (
          <Line key={file.name} file={file} />
        ))}
      </ul>
    </section>
  )
}

function Line({ file: { name, state, slug, isPublished, oldPath, reason, notes } }: { file: ImportedFile }) {
  const [look, label] = looks[state]
  return (
    <li className="grid gap-1 py-2.5">
      <span className="flex flex-wrap items-center justify-between gap-2">
        <span className="min-w-0 break-all">{name}</span>
        <Badge look={look}>{label}</Badge>
      </span>
      {slug && (
        <span className="font-mono text-fine text-muted">
          /blog/{slug}, {isPublished ? 'published' : 'draft'}
        </span>
      )}
      {oldPath && <span className="font-mono text-fine break-all text-muted">301 from {oldPath}</span>}
      {[...(reason ? [reason] : []), ...(notes ?? [])].map((sentence) => (
        <span key={sentence} className="break-words text-muted">
          {sentence}
        </span>
      ))}
    </li>
  )
}

function summaryOf(files: readonly ImportedFile[], isDone: boolean): string {
  const count = (...states: ImportedFile['state'][]) => files.filter(({ state }) => states.includes(state)).length
  const words = [
    [count('new'), isDone ? 'imported' : 'new'],
    [count('changed'), isDone ? 'changed' : 'would change'],
    [count('kept', 'same'), 'unchanged'],
    [count('refused', 'failed'), 'refused'],
  ] as const
  const counts = words.filter(([number]) => number > 0).map(([number, word]) => `${number.toLocaleString('en')} ${word}`)
  return `${files.length.toLocaleString('en')} ${files.length === 1 ? 'file' : 'files'}: ${counts.join(', ')}`
}
