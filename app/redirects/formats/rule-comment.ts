import { type LinePosition, type RuleLine, toLine, type WritableRule, type WrittenFile } from './rule-line.ts'

const OFF = /^# inactive: (.*)$/s

/** Reads directives with the comment right above each as its description. A commented-out directive is an inactive rule. */
export function readWithComments(places: readonly LinePosition[], read: (place: LinePosition) => RuleLine[]): RuleLine[] {
  let note: LinePosition | undefined
  return places.flatMap((place) => {
    const [, off] = OFF.exec(place.text) ?? []
    const isNote = off === undefined && place.text.startsWith('#')
    const description = note?.line === place.line - 1 ? note.text.replace(/^#\s*/, '').slice(0, 500) : undefined
    note = isNote ? place : undefined
    if (isNote) return []
    const lines = read(off === undefined ? place : { ...place, text: off })
    return lines.map((line) => (line.rule ? toLine(line, { ...line.rule, isActive: off === undefined, description }) : line))
  })
}

/** Writes the description above a rule, and comments out an inactive rule. An import reads both. */
export function commented({ description, isActive }: WritableRule, directive: string): string {
  // A description must not look like an inactive rule, nor continue on the next line.
  const note = (description ?? '').replace(/^inactive:/, ' $&').replace(/\\$/, '$& ')
  return `${note ? `# ${note}\n` : ''}${isActive ? '' : '# inactive: '}${directive}\n`
}

type Said = { text: string; reason?: never } | { reason: string; text?: never }

/** Writes rule by rule. Rules that the format cannot express are listed at the top and marked in their place. */
export function withLeft(head: string, rules: readonly WritableRule[], say: (rule: WritableRule) => Said): WrittenFile {
  const left: WrittenFile['left'] = []
  const body = rules.map((rule) => {
    const { text, reason } = say(rule)
    if (reason === undefined) return text
    left.push({ rule, reason })
    return `# left out: ${rule.fromPath} -> ${rule.toPath} (${reason})\n\n`
  })
  const count = left.length === 0 ? '' : `# ${left.length} of ${rules.length} rules could not be written in this format.\n\n`
  return { text: count + head + body.join(''), left }
}
