import type { RevisionDiff } from '#app/blog/posts/revision.ts'

/** Unchanged lines shown around a change. */
const CONTEXT = 2

type Run = RevisionDiff['content'][number]

/** A line, or a gap with the number of unchanged lines in it. */
export type DiffRow = { id: string; kind: Run['kind'] | 'gap'; text: string }

/** The changed lines of two texts, with some context. */
export function rowsOf(content: readonly Run[]): DiffRow[] {
  const rows = content.flatMap(({ kind, lines }, index): Omit<DiffRow, 'id'>[] => {
    const whole = lines.map((text) => ({ kind, text }))
    const head = index === 0 ? 0 : CONTEXT
    const tail = index === content.length - 1 ? 0 : CONTEXT
    const hidden = lines.length - head - tail
    if (kind !== 'same' || hidden < 2) return whole
    return [...whole.slice(0, head), { kind: 'gap', text: `${hidden} unchanged lines` }, ...whole.slice(lines.length - tail)]
  })
  return rows.map((row, at) => ({ id: String(at), ...row }))
}

/** `metaTitle` becomes `Meta title`. */
export function revisionName(field: string): string {
  const words = field.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
