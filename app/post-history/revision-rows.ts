import type { RevisionDiff } from '#app/drafts/revision.ts'

/** Lines around a change that are shown for orientation. */
const CONTEXT = 2

type Run = RevisionDiff['content'][number]

/** A line, or in the place of many that are alike how many they are. */
export type DiffRow = { id: string; kind: Run['kind'] | 'gap'; text: string }

/** What of two texts is shown: what differs, and a little of what stands around it. */
export function rowsOf(content: readonly Run[]): DiffRow[] {
  const rows = content.flatMap(({ kind, lines }, index): Omit<DiffRow, 'id'>[] => {
    const whole = lines.map((text) => ({ kind, text }))
    const head = index === 0 ? 0 : CONTEXT
    const tail = index === content.length - 1 ? 0 : CONTEXT
    const hidden = lines.length - head - tail
    if (kind !== 'same' || hidden < 2) return whole
    return [...whole.slice(0, head), { kind: 'gap', text: `${hidden} lines alike` }, ...whole.slice(lines.length - tail)]
  })
  return rows.map((row, at) => ({ id: String(at), ...row }))
}

/** `metaTitle` as words. */
export function nameOf(field: string): string {
  const words = field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
