import { createHash } from 'node:crypto'
import { db } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'

/** The id of the post that an active link shows. */
export async function findPreviewedPost(token: string): Promise<string | undefined> {
  const link = await db
    .selectFrom('postPreviews')
    .select('postId')
    .where('tokenHash', '=', previewTokenHash(token))
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return link?.postId
}

/** Only the hash is stored, so access to the database does not give access to the drafts. */
export function previewTokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
