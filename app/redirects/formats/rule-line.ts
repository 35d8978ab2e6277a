import { redirectBody, type RedirectBody } from '#app/redirects/rules/redirect.ts'
import { firstErrors } from '#app/platform/browser/first-errors.ts'

/** One line of a file: a rule with what was mended in it, or the reason why it is none. Lines count from 1. */
export type RuleLine = { line: number; text: string } & (
  | { rule: RedirectBody; notes?: readonly string[]; refused?: never }
  | { refused: string; rule?: never; notes?: never }
)

/** The line of a rule in its file. */
export type LinePosition = { line: number; text: string }

/** In characters: no rule is longer, and a line of a million cells would take a minute to read. */
export const LONGEST_RULE_LINE = 20_000

/** In characters: how much of a line a report shows. */
const SHOWN = 300

/** Validates a line by the rules of the form; the first error is the reason. */
export function toLine({ line, text }: LinePosition, given: Record<string, unknown>, notes: readonly string[] = []): RuleLine {
  const read = redirectBody.safeParse(given)
  if (read.success) return { line, text: shown(text), rule: read.data, ...(notes.length > 0 && { notes }) }
  const [reason = 'This is not a redirect'] = Object.values(firstErrors(read.error))
  return refuseLine({ line, text }, reason)
}

export function refuseLine({ line, text }: LinePosition, refused: string): RuleLine {
  return { line, text: shown(text), refused }
}

function shown(text: string): string {
  const one = text.trim()
  return one.length > SHOWN ? `${one.slice(0, SHOWN)}…` : one
}

/** A rule from the API or from the database. */
export type WritableRule = Omit<RedirectBody, 'statusCode'> & { statusCode: number }

export type WrittenFile = {
  text: string
  /** The rules that this format cannot express. */
  left: { rule: WritableRule; reason: string }[]
}
