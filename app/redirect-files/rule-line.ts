import { redirectBody, type RedirectBody } from '#app/redirects/redirect.ts'
import { firstErrors } from '#app/platform/first-errors.ts'

/** What one line of a file says: a rule, or why it is none. Lines are counted from 1. */
export type RuleLine = { line: number; text: string } & ({ rule: RedirectBody; refused?: never } | { refused: string; rule?: never })

/** Where a rule stands in its file. */
export type Place = { line: number; text: string }

/** In characters: no rule is longer, and a line of a million cells would take a minute to read. */
export const LONGEST_LINE = 20_000

/** So much of a line is shown again. */
const SHOWN = 300

/** Holds what a file says against the rules of a form: the first that it breaks is the reason. */
export function toLine({ line, text }: Place, given: Record<string, unknown>): RuleLine {
  const read = redirectBody.safeParse(given)
  if (read.success) return { line, text: shown(text), rule: read.data }
  const [reason = 'This is no redirect'] = Object.values(firstErrors(read.error))
  return refuse({ line, text }, reason)
}

export function refuse({ line, text }: Place, refused: string): RuleLine {
  return { line, text: shown(text), refused }
}

function shown(text: string): string {
  const one = text.trim()
  return one.length > SHOWN ? `${one.slice(0, SHOWN)}…` : one
}

/** A rule as it is sent or as it is kept. */
export type WritableRule = Omit<RedirectBody, 'statusCode'> & { statusCode: number }

export type WrittenFile = {
  text: string
  /** The rules that this format cannot say, with the reason. */
  left: { rule: WritableRule; reason: string }[]
}
