import type { Trx } from '#app/platform/database/db.server.ts'
import { clearPagesWith } from '#app/platform/page-cache/page-cache.server.ts'
import { signalWith } from '#app/platform/database/signals.server.ts'
import { MARKETPLACE } from './addresses.ts'

/** The public catalog has changed. */
export const DATASETS_CHANGED = 'datasets.changed'
/** Cached pages that show products. */
export const DATASET_PAGES = 'datasets'

/** Notifies every process and purges the cached pages once the transaction commits. */
export async function announceDatasets(trx: Trx, ...slugs: string[]): Promise<void> {
  await signalWith(trx, DATASETS_CHANGED, null)
  await clearPagesWith(trx, [MARKETPLACE, ...slugs.map((slug) => `${MARKETPLACE}/${slug}`), DATASET_PAGES])
}
