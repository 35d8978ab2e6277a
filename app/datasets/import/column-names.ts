import type { HeadFault } from '#app/datasets/catalog/version.ts'
import { LONGEST_COLUMN_NAME, MOST_COLUMNS } from '#app/datasets/catalog/column.ts'
import { PLACE } from '#app/datasets/rows/layout.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { Unreadable, UnreadableHead } from './unreadable.ts'

const RESERVED = new Set([PLACE, '__proto__'])
const MOST_TOLD = 10

/** The names that staff gave to columns instead of those in the file, by their place from 1. */
export type ChosenNames = Readonly<Record<string, string>>

/** Normalizes column names; throws with all faults if no table can have them. */
export function checkNames(given: readonly string[], chosen: ChosenNames = {}): string[] {
  if (given.length > MOST_COLUMNS) {
    const found = numberText(given.length)
    throw new Unreadable(`This file has ${found} columns. The maximum is ${numberText(MOST_COLUMNS)}.`)
  }
  const names = given.map((name, at) => (chosen[at + 1] ?? name).trim())
  const taken = new Set(names.map((name) => name.toLowerCase()))
  // A person who gave a column the name of another one can rename both.
  const isTwice = (name: string) => names.filter((each) => each.toLowerCase() === name.toLowerCase()).length > 1
  const seen = new Set<string>()
  const faults = names.flatMap((name, at): HeadFault[] => {
    const fault = faultOf(name, at + 1, seen) ?? (chosen[at + 1] && isTwice(name) ? `Another column is named “${name}”, too.` : undefined)
    seen.add(name.toLowerCase())
    return fault ? [{ column: at + 1, name: shown(name), fault, suggestion: free(name, at + 1, taken) }] : []
  })
  if (faults.length === 0) return names
  const told = faults.slice(0, MOST_TOLD).map(({ fault }) => fault)
  const more = faults.length > MOST_TOLD ? ` ${faults.length - MOST_TOLD} more columns need another name.` : ''
  throw new UnreadableHead(`${told.join(' ')}${more}`, faults)
}

function faultOf(name: string, place: number, seen: ReadonlySet<string>): string | undefined {
  if (!name) return `Column ${place} has no name.`
  if (name.length > LONGEST_COLUMN_NAME) return `The name of column ${place} is longer than ${LONGEST_COLUMN_NAME} characters.`
  if (/\p{Cc}/u.test(name)) return `The name of column ${place} contains line breaks or control characters.`
  if (seen.has(name.toLowerCase())) return `Two columns are named “${name}”, the second is column ${place}.`
  return RESERVED.has(name.toLowerCase()) ? `A column cannot be named “${name}”. This name is reserved.` : undefined
}

/** A similar name that no other column has. */
function free(name: string, place: number, taken: Set<string>): string {
  const base = shown(name).slice(0, LONGEST_COLUMN_NAME - 10) || `column_${place}`
  const candidates = [base, ...Array.from({ length: MOST_COLUMNS }, (_, at) => `${base}_${at + 2}`)]
  const found = candidates.find((each) => !taken.has(each.toLowerCase()) && !RESERVED.has(each.toLowerCase())) ?? `column_${place}`
  taken.add(found.toLowerCase())
  return found
}

function shown(name: string): string {
  return name
    .replaceAll(/\p{Cc}+/gu, ' ')
    .toWellFormed()
    .slice(0, LONGEST_COLUMN_NAME)
    .trim()
}
