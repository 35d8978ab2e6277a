import { type Place, type RuleLine, toLine, type WritableRule, type WrittenFile } from './rule-line.ts'

const OFF = /^# inactive: (.*)$/s

/** Reads directives with what stands right above each: a comment says what a rule is for. A rule can stand behind a comment sign, switched off. */
export function withNotes(places: readonly Place[], read: (place: Place) => RuleLine[]): RuleLine[] {
  let note: Place | undefined
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

/** The description above a rule, and a rule that is switched off behind a comment sign. An import reads both. */
export function commented({ description, isActive }: WritableRule, directive: string): string {
  // What would be taken for something else stands further in, and no comment goes on in the next line.
  const note = (description ?? '').replace(/^inactive:/, ' $&').replace(/\\$/, '$& ')
  return `${note ? `# ${note}\n` : ''}${isActive ? '' : '# inactive: '}${directive}\n`
}

type Said = { text: string; reason?: never } | { reason: string; text?: never }

/** Writes rule by rule. What cannot be said is named at the top and at its place. */
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
