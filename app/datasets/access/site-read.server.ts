import type { DatasetVisitor } from '#app/datasets/catalog/access.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'

/**
 * Notes that a member reads data on the site: by a query, by changes between versions, or by more rows than the first page. With it the supply of a
 * purchase has begun, as with a file. The first page of the rows does not count, because the page of the dataset shows it by itself.
 */
export async function noteSiteRead(productId: string, person: DatasetVisitor): Promise<void> {
  if (person.role !== 'customer') return
  await db
    .updateTable('entitlements')
    .set({ readAt: now })
    .where('organizationId', '=', person.organization.id)
    .where('productId', '=', productId)
    .where('revokedAt', 'is', null)
    .where('readAt', 'is', null)
    .execute()
}
