import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { db } from '#app/platform/db.server.ts'

/** The post that a link shows to whoever has it, until it expires or is taken back. */
export async function findPreviewedPost(token: string): Promise<string | undefined> {
  const link = await db
    .selectFrom('postPreviews')
    .select('postId')
    .where('tokenHash', '=', hashOf(token))
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return link?.postId
}

/** Only this is kept: who reads the database cannot open what it shows. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
