import { db } from '#app/platform/db.server.ts'
import type { Picture } from './picture.ts'

/** What is known of these pictures, by id; those that are not there are left out. */
export async function findPictures(ids: readonly string[]): Promise<Map<string, Picture>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('images')
    .select(['id', 'width', 'height', 'widths'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
