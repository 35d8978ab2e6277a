import { z } from 'zod'
import { stop } from '#app/platform/errors/stop.ts'

/** A position between two rows of a sorted list, looking forward or back. `key` is the sort value, as text. */
export type Cursor = { direction: 'after' | 'before'; key: string; id: string }

export type CursorType = keyof typeof shapes

const shapes = {
  // As the database writes it, in UTC; a lead without a due time is at infinity.
  timestamptz: (key: string) => key === 'infinity' || (/^[1-9]\d{3}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/.test(key) && isTime(key)),
  bigint: (key: string) => /^-?\d{1,15}$/.test(key),
  text: () => true,
}

const written = z.tuple([z.string(), z.enum(['after', 'before']), z.string().regex(/^[^\0]*$/), z.uuid()])

/** Opaque to clients; valid only for the sort order that it was made for. */
export function writeListCursor(sort: string, { direction, key, id }: Cursor): string {
  return Buffer.from(JSON.stringify([sort, direction, key, id])).toString('base64url')
}

/** An invalid cursor stops as a bad request: cursors come from outside. */
export function readListCursor(sort: string, text: string | undefined, type: CursorType): Cursor | undefined {
  if (text === undefined) return undefined
  const read = written.safeParse(parse(text))
  const [writtenSort, direction, key, id] = read.data ?? []
  if (writtenSort !== sort || !direction || key === undefined || !id || !shapes[type](key))
    return stop('badRequest', 'There is no such page.', { code: 'bad_cursor' })
  return { direction, key, id }
}

function isTime(key: string): boolean {
  const date = new Date(key.replace(' ', 'T').replace('+00', 'Z'))
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 19) === key.slice(0, 19).replace(' ', 'T')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}
