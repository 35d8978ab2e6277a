import { PLACE } from '#app/datasets/rows/layout.ts'
import { Unreadable } from './unreadable.ts'

const MOST_COLUMNS = 2000
const LONGEST_NAME = 200

/** Normalizes column names; throws if no table can have them. */
export function checkNames(given: readonly string[]): string[] {
  if (given.length > MOST_COLUMNS) {
    const found = given.length.toLocaleString('en')
    throw new Unreadable(`This file has ${found} columns, and at most ${MOST_COLUMNS.toLocaleString('en')} can be taken.`)
  }
  const names = given.map((name) => name.trim())
  const seen = new Set<string>()
  for (const [at, name] of names.entries()) {
    if (!name) throw new Unreadable(`Column ${at + 1} has no name: the first line has to name each column.`)
    if (name.length > LONGEST_NAME) throw new Unreadable(`The name of column ${at + 1} is longer than ${LONGEST_NAME} characters.`)
    if (/\p{Cc}/u.test(name)) throw new Unreadable(`The name of column ${at + 1} has breaks or control characters in it.`)
    if (seen.has(name.toLowerCase())) throw new Unreadable(`Two columns are called “${name}”: give each a name of its own.`)
    if (name.toLowerCase() === PLACE) throw new Unreadable(`A column cannot be called “${name}”: that is how rows are found.`)
    if (name === '__proto__') throw new Unreadable(`A column cannot be called “${name}”: programs that read JSON lose it.`)
    seen.add(name.toLowerCase())
  }
  return names
}
