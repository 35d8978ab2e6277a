import { db } from '#app/platform/db.server.ts'
import { imageIdOf, type Picture } from './picture.ts'

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

/** The pictures of our own that a text names. */
export function picturesNamedIn(text: string): string[] {
  const ids = [...text.matchAll(/\/images\/[\w-]+\/\w+\.\w+/g)].flatMap(([address]) => imageIdOf(address) ?? [])
  return ids.slice(0, 500)
}
