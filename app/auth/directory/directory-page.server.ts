import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { stop } from '#app/platform/errors/stop.ts'
import type { ListedUser, UserPage, UserSearch } from './user-directory.ts'

const PAGE_SIZE = 50

/** The creation time as the database's text: it is more precise than a Date. */
export const createdText = sql<string>`created_at::text`.as('createdText')

/** The last account of a page; the next page starts after it. */
type Place = { id: string; createdText: string }

/** `part` is a LIKE pattern for a name or an address; `most` is the row limit. */
type Asked = { isAfter: RawBuilder<boolean>; part: string | undefined; most: number }

/** Reads one page of accounts, newest first, plus one row that tells whether another page follows. */
export async function readPage<Account>(
  { search, cursor, limit = PAGE_SIZE }: UserSearch,
  toListed: (account: Account) => ListedUser,
  read: (asked: Asked) => Promise<(Account & Place)[]>,
): Promise<UserPage> {
  const rows = await read({ isAfter: after(cursor), part: search ? containing(search) : undefined, most: limit + 1 })
  const shown = rows.slice(0, limit)
  return { users: shown.map(toListed), nextCursor: rows.length > limit ? writeCursor(shown.at(-1)) : null }
}

/** Whether the address or name matches a pattern. */
export function isNamed(part: string): RawBuilder<boolean> {
  return sql`(email::text ILIKE ${part} OR concat_ws(' ', user_metadata->>'first_name', user_metadata->>'last_name') ILIKE ${part}
    OR user_metadata->>'full_name' ILIKE ${part})`
}

/** A LIKE pattern for a substring. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

function writeCursor(last: Place | undefined): string | null {
  return last ? Buffer.from(JSON.stringify([last.createdText, last.id])).toString('base64url') : null
}

/** Refuses any cursor that we did not write. */
function after(text: string | undefined): RawBuilder<boolean> {
  if (text === undefined) return sql`true`
  const [createdAt, id] = readCursor(text)
  return sql`(created_at, id) < (${createdAt}::timestamptz, ${id}::uuid)`
}

/** A valid date and time in the database's format; the database would reject others. */
const moment = z
  .string()
  .regex(/^[1-9]\d{3}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?[+-](0\d|1[0-4])(:[0-5]\d)?$/)
  .refine((text) => {
    const seconds = text.slice(0, 19).replace(' ', 'T')
    const date = new Date(`${seconds}Z`)
    return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(seconds)
  })

const place = z.tuple([moment, z.uuid()])

function readCursor(text: string): z.infer<typeof place> {
  try {
    return place.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  } catch {
    return stop('badRequest', 'There is no such page.', { code: 'bad_cursor' })
  }
}
