import { sql } from 'kysely'
import { db } from '#app/platform/database/db.server.ts'
import type { OwnAccess } from './own-access.ts'

export async function findOwnAccess(productId: string, userId: string): Promise<OwnAccess> {
  const [request, grant] = await Promise.all([
    db
      .selectFrom('productRequests')
      .select(['createdAt', 'outcome'])
      .where('productId', '=', productId)
      .where('userId', '=', userId)
      .orderBy('createdAt', 'desc')
      .limit(1)
      .executeTakeFirst(),
    db
      .selectFrom('entitlements')
      .select(['createdAt', 'expiresAt'])
      .where('productId', '=', productId)
      .where('userId', '=', userId)
      .where('revokedAt', 'is', null)
      .where((or) => or.or([or('expiresAt', 'is', null), or('expiresAt', '>', sql<Date>`now()`)]))
      .executeTakeFirst(),
  ])
  return {
    askedAt: request?.createdAt.toISOString() ?? null,
    outcome: request?.outcome ?? null,
    grantedAt: grant?.createdAt.toISOString() ?? null,
    grantedUntil: grant?.expiresAt?.toISOString() ?? null,
  }
}
