import { diffLines } from 'diff'
import type { RevisionDiff, RevisionFields } from './revision.ts'

/** In changed lines. Time grows with their square, so a larger difference is shown as one replacement. */
const MOST_CHANGES = 1_000

type Compared = { version: number; fields: RevisionFields }

/** The differences between two versions of a post. */
export function compareRevisions(from: Compared, to: Compared): RevisionDiff {
  const [before, after] = [toLines(from.fields), toLines(to.fields)]
  const fields = Object.keys(after).flatMap((field) => {
    const [was, is] = [before[field] ?? '', after[field] ?? '']
    return was === is ? [] : [{ field, before: was, after: is }]
  })
  return { from: from.version, to: to.version, fields, content: compareContent(from.fields.content, to.fields.content) }
}

function compareContent(before: string, after: string): RevisionDiff['content'] {
  // With a final line break, the last line compares like all others.
  const changes = diffLines(`${before}\n`, `${after}\n`, { maxEditLength: MOST_CHANGES })
  if (!changes) {
    return [
      { kind: 'removed', lines: before.split('\n') },
      { kind: 'added', lines: after.split('\n') },
    ]
  }
  return changes.map(({ value, added, removed }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    lines: value.replace(/\n$/, '').split('\n'),
  }))
}

/** Single-line fields, formatted for people. */
function toLines({ content: _content, tags, published, ...fields }: RevisionFields): Record<string, string> {
  const lines = Object.entries(fields).map(([name, value]) => [name, value ?? ''])
  return { ...Object.fromEntries(lines), tags: tags.join(', '), published: published ? 'yes' : 'no' }
}
