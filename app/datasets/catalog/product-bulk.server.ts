import { audit } from '#app/auth/users/audit.server.ts'
import { transaction, type Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import type { Row } from '#db/tables.ts'
import { announceDatasets } from './dataset-change.server.ts'
import type { ProductBulk } from './product-bulk.ts'
import { type ProductEditor, removeLockedProduct, restoreProduct } from './product.server.ts'
import { lockProduct } from './staff-product.server.ts'

/** Changes several products, and returns the ids of those that were changed. A restoration is one transaction per product, others are one for all. */
export async function changeProducts({ ids, change }: ProductBulk, by: ProductEditor): Promise<string[]> {
  const changed: string[] = []
  // In the order of `orderProducts`, so that the two cannot block each other.
  const sorted = [...new Set(ids)].toSorted()
  if (change === 'restore') {
    for (const id of sorted) if (await restoreProduct(id, by)) changed.push(id)
    return changed
  }
  await transaction(async (trx) => {
    for (const id of sorted) {
      const before = await lockProduct(trx, id)
      if (!before) continue
      if (change === 'delete') await removeLockedProduct(trx, before, by)
      else if (!(await setHidden(trx, before, { hidden: change === 'hide', by }))) continue
      changed.push(id)
    }
  })
  return changed
}

/** Publishes a locked product, or hides it. Its data do not change. */
async function setHidden(trx: Trx, before: Row<'dataProducts'>, { hidden, by }: { hidden: boolean; by: ProductEditor }): Promise<boolean> {
  const { id, slug, version } = before
  if (before.hidden === hidden) return false
  await trx
    .updateTable('dataProducts')
    .set({ hidden, version: version + 1, updatedAt: now })
    .where('id', '=', id)
    .execute()
  await audit(trx, 'product_changed', { actorId: by.id, detail: { product: id, slug, hidden } })
  await announceDatasets(trx, slug)
  return true
}
