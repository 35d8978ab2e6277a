import type { Trx } from '#app/platform/db.server.ts'
import { clearPagesWith } from '#app/platform/page-cache.server.ts'
import { signalWith } from '#app/platform/signals.server.ts'
import { MARKETPLACE } from './addresses.ts'

/** What the public sees of the shelf has changed. */
export const DATASETS_CHANGED = 'datasets.changed'
/** Kept pages that name products. */
export const DATASET_PAGES = 'datasets'

/** Tells every process, and forgets the pages that show it, once the transaction is kept. */
export async function announceDatasets(trx: Trx, ...slugs: string[]): Promise<void> {
  await signalWith(trx, DATASETS_CHANGED, null)
  await clearPagesWith(trx, [MARKETPLACE, ...slugs.map((slug) => `${MARKETPLACE}/${slug}`), DATASET_PAGES])
}
