import { PLACE } from '#app/datasets/rows/layout.ts'
import { Unreadable } from './unreadable.ts'

export const MOST_COLUMNS = 2000
const LONGEST_NAME = 200

/** Normalizes column names; throws if no table can have them. */
export function checkNames(given: readonly string[]): string[] {
  if (given.length > MOST_COLUMNS) {
    const found = given.length.toLocaleString('en')
    throw new Unreadable(`This file has ${found} columns. The maximum is ${MOST_COLUMNS.toLocaleString('en')}.`)
  }
  const names = given.map((name) => name.trim())
  const seen = new Set<string>()
  for (const [at, name] of names.entries()) {
    if (!name) throw new Unreadable(`Column ${at + 1} has no name. The first line must name each column.`)
    if (name.length > LONGEST_NAME) throw new Unreadable(`The name of column ${at + 1} is longer than ${LONGEST_NAME} characters.`)
    if (/\p{Cc}/u.test(name)) throw new Unreadable(`The name of column ${at + 1} contains line breaks or control characters.`)
    if (seen.has(name.toLowerCase())) throw new Unreadable(`Two columns are named “${name}”. Give each a unique name.`)
    if (name.toLowerCase() === PLACE) throw new Unreadable(`A column cannot be named “${name}”. This name is reserved.`)
    if (name === '__proto__') throw new Unreadable(`A column cannot be named “${name}”. This name is reserved.`)
    seen.add(name.toLowerCase())
  }
  return names
}
