import { db } from '#app/platform/database/db.server.ts'
import { imageIdOf, type ImageReference } from './picture.ts'

/** Images by id; missing ones are left out. */
export async function findImageReferences(ids: readonly string[]): Promise<Map<string, ImageReference>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('images')
    .select(['id', 'width', 'height', 'widths'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** The ids of library images in a text. */
export function picturesNamedIn(text: string): string[] {
  const ids = [...text.matchAll(/\/images\/[\w-]+\/\w+\.\w+/g)].flatMap(([address]) => imageIdOf(address) ?? [])
  return ids.slice(0, 500)
}
