import { sql } from 'kysely'
import { z } from 'zod'
import { stop } from '#app/platform/stop.ts'

export const USER_PAGE_SIZE = 50

/** The last user of a page: the next one begins after them. The time is the database's own text, because it is finer than a Date. */
const cursor = z.tuple([z.string().regex(/^[\d\- :.+]{10,40}$/), z.uuid()])

export function writeCursor(last: { id: string; createdText: string } | undefined): string | null {
  return last ? Buffer.from(JSON.stringify([last.createdText, last.id])).toString('base64url') : null
}

/** What comes after a cursor, newest first. Anything that we have not written stops as a bad request: cursors come from outside. */
export function after(text: string | undefined) {
  if (text === undefined) return sql<boolean>`true`
  const [createdText, id] = readCursor(text)
  return sql<boolean>`(created_at, id) < (${createdText}::timestamptz, ${id}::uuid)`
}

function readCursor(text: string): z.infer<typeof cursor> {
  try {
    return cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  } catch {
    return stop('badRequest', 'There is no such page.', { code: 'bad_cursor' })
  }
}

/** A part of a text, as LIKE finds it. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}
