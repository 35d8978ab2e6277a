import { condition } from './sql.server.ts'
import { type RawBuilder } from 'kysely'

/** Conditions of a search, for a table with a column `search` of lower-case text: each word anywhere, or for 1 or 2 characters at the start of a word. */
export function matching(q: string): RawBuilder<boolean>[] {
  return q
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .map((term) => {
      // A term without a letter or digit is in no index and matches nothing.
      if (!/[\p{L}\p{N}]/u.test(term)) return condition`false`
      const escaped = term.replaceAll(/[\\%_]/g, String.raw`\$&`)
      return condition`search LIKE ${`%${term.length < 3 ? ' ' : ''}${escaped}%`}`
    })
}
