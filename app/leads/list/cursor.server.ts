import { z } from 'zod'
import { stop } from '#app/platform/stop.ts'

/** A position between two rows of a sorted list, looking forward or back. `key` is the sort value, as text. */
export type Cursor = { direction: 'after' | 'before'; key: string; id: string }

const written = z.tuple([z.string(), z.enum(['after', 'before']), z.string().regex(/^[^\0]*$/), z.uuid()])

/** Opaque to clients; valid only for the sort order that it was made for. */
export function writeLeadCursor(sort: string, { direction, key, id }: Cursor): string {
  return Buffer.from(JSON.stringify([sort, direction, key, id])).toString('base64url')
}

/** An invalid cursor stops as a bad request: cursors come from outside. */
export function readLeadCursor(sort: string, text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined
  const read = written.safeParse(parse(text))
  const [writtenSort, direction, key, id] = read.data ?? []
  if (writtenSort !== sort || !direction || key === undefined || !id)
    return stop('badRequest', 'There is no such page.', { code: 'bad_cursor' })
  if (sort.endsWith('createdAt') && !isInstant(key)) stop('badRequest', 'There is no such page.', { code: 'bad_cursor' })
  return { direction, key, id }
}

/** A valid date: the database accepts no other. With microseconds, which the database stores and a JavaScript date does not. */
function isInstant(key: string): boolean {
  const date = new Date(key)
  return /^[1-9]\d{3}-.{14}\.\d{6}Z$/.test(key) && !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 23) === key.slice(0, 23)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}
