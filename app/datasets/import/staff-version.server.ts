import { db } from '#app/platform/database/db.server.ts'
import type { StaffVersion } from '#app/datasets/catalog/version.ts'

/** Newest first; undefined if the product does not exist. */
export async function listStaffVersions(productId: string): Promise<StaffVersion[] | undefined> {
  const product = await db
    .selectFrom('dataProducts')
    .select('currentVersionId')
    .where('id', '=', productId)
    .where('removedAt', 'is', null)
    .executeTakeFirst()
  if (!product) return undefined
  const rows = await db
    .selectFrom('datasetVersions')
    .selectAll()
    .where('productId', '=', productId)
    .orderBy('number', 'desc')
    .limit(100)
    .execute()
  return rows.map(({ publishedAt, createdAt, firstRows: _rows, duplicates: _counts, createdBy: _by, productId: _id, ...version }) => ({
    ...version,
    isCurrent: version.id === product.currentVersionId,
    createdAt: createdAt.toISOString(),
    publishedAt: publishedAt?.toISOString() ?? null,
  }))
}

export async function findVersionId(productId: string, number: number): Promise<string | undefined> {
  const found = await db
    .selectFrom('datasetVersions')
    .select('id')
    .where('productId', '=', productId)
    .where('number', '=', number)
    .executeTakeFirst()
  return found?.id
}
