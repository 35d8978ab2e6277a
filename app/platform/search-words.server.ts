import { type RawBuilder, sql } from 'kysely'

/** What a search box means, for a table with a column `search` of lower-case text: every word of it, anywhere in the row; words of one or two characters, at the beginning of a word. */
export function matching(q: string): RawBuilder<boolean>[] {
  return q
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .map((term) => {
      // What has no letter and no digit is in no index, and says nothing.
      if (!/[\p{L}\p{N}]/u.test(term)) return sql<boolean>`false`
      const escaped = term.replaceAll(/[\\%_]/g, String.raw`\$&`)
      return sql<boolean>`search LIKE ${`%${term.length < 3 ? ' ' : ''}${escaped}%`}`
    })
}
