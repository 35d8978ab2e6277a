import { type Cursor, readLeadCursor } from './cursor.server.ts'
import { stop } from '#app/platform/stop.ts'

const shapes = {
  // As the database writes it, in UTC; a lead without a due time is at infinity.
  timestamptz: (key: string) => key === 'infinity' || (/^[1-9]\d{3}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/.test(key) && isTime(key)),
  bigint: (key: string) => /^-?\d{1,15}$/.test(key),
  text: () => true,
}

/** A position in an order of the desk. An invalid one stops as a bad request: cursors come from outside. */
export function readDeskCursor(sort: string, text: string | undefined, type: keyof typeof shapes): Cursor | undefined {
  const cursor = readLeadCursor(sort, text)
  if (cursor && !shapes[type](cursor.key)) stop('badRequest', 'There is no such page.', { code: 'bad_cursor' })
  return cursor
}

function isTime(key: string): boolean {
  const date = new Date(key.replace(' ', 'T').replace('+00', 'Z'))
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 19) === key.slice(0, 19).replace(' ', 'T')
}
