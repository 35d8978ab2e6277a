import { audit } from '#app/auth/users/audit.server.ts'
import { announceDatasets } from '#app/datasets/catalog/dataset-change.server.ts'
import { deleteFilesLater } from '#app/datasets/catalog/version-files.server.ts'
import { makeSample } from '#app/datasets/catalog/masking.ts'
import { lockProduct } from '#app/datasets/catalog/staff-product.server.ts'
import { transaction, type Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { notify } from '#app/account/notifications/notification.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/stop.ts'
import { emitWebhook } from '#app/platform/webhook-event.server.ts'
import type { Row } from '#db/tables.ts'
import { findVersionId } from './staff-version.server.ts'

export type By = { id: string }

/** Publishes a version. Throws if it is not ready, or if a quality check fails, unless staff confirmed that with `force`. */
export async function publishVersion(versionId: string, by: By, { force = false } = {}): Promise<void> {
  await changing(versionId, async (trx, product, version) => {
    if (version.state === 'published') return
    if (version.state !== 'ready') stop('conflict', 'This version cannot be published because it is not ready.', { code: 'not_ready' })
    const broken = version.findings.filter(({ ok }) => !ok)
    if (broken.length > 0 && !force) {
      stop(
        'conflict',
        `This version does not pass the quality checks: ${broken.map(({ rule, found }) => `${rule} (${found})`).join('; ')}.`,
        {
          code: 'gate_failed',
          problems: broken,
        },
      )
    }
    await trx.updateTable('datasetVersions').set({ state: 'published', publishedAt: now }).where('id', '=', versionId).execute()
    await makeCurrent(trx, product, version)
    const detail = { product: product.id, number: version.number, ...(broken.length > 0 && { forced: broken.map(({ rule }) => rule) }) }
    await audit(trx, 'dataset_published', { actorId: by.id, detail })
    if (!product.hidden && version.number > 1) await tellDownloaders(trx, product, version)
    await emitWebhook(trx, 'dataset.published', () => [{ subjectId: product.id, data: describe(product, version) }])
  })
}

function describe({ id, slug, name: title, hidden }: Row<'dataProducts'>, { number, changes }: Row<'datasetVersions'>) {
  return { id, slug, title, version: number, changes, hidden, url: new URL(`/data-marketplace/${slug}`, env.SITE_URL).href }
}

/** A feed with more readers than this announces new versions by its own page. */
const MOST_TOLD = 5_000

/** Tells the people who have downloaded an earlier version. */
async function tellDownloaders(trx: Trx, { id, slug, name }: Row<'dataProducts'>, version: Row<'datasetVersions'>): Promise<void> {
  const people = await trx.selectFrom('downloads').select('userId').distinct().where('productId', '=', id).limit(MOST_TOLD).execute()
  if (people.length === 0) return
  await notify(trx, {
    kind: 'dataset_version',
    title: `New version of ${name}`.slice(0, 200),
    body: version.changes.slice(0, 300) || `Version ${version.number}`,
    link: `/data-marketplace/${slug}`,
    subjectId: version.id,
    dedupeKey: `dataset_version:${version.id}`,
    to: { userIds: people.map(({ userId }) => userId) },
  })
}

/** Makes an earlier published version current again. */
export async function rollBack(productId: string, number: number, by: By): Promise<void> {
  const versionId = await findVersionId(productId, number)
  await changing(versionId, async (trx, product, version) => {
    if (version.state !== 'published') stop('conflict', 'Only a published version can become current.', { code: 'not_published' })
    if (product.currentVersionId === versionId) return
    await makeCurrent(trx, product, version)
    await audit(trx, 'dataset_rolled_back', { actorId: by.id, detail: { product: product.id, number: version.number } })
  })
}

/** Removes a version that was never published. Its files are deleted a day later. */
export async function removeVersion(versionId: string, by: By): Promise<void> {
  await changing(versionId, async (trx, product, version) => {
    if (version.state === 'published')
      stop('conflict', 'A published version cannot be deleted. Customers may have pinned it.', { code: 'published' })
    await trx.deleteFrom('datasetVersions').where('id', '=', versionId).execute()
    await enqueue(trx, deleteFilesLater(versionId))
    await audit(trx, 'dataset_version_deleted', { actorId: by.id, detail: { product: product.id, number: version.number } })
  })
}

/** Locks the product, so that changes of its versions take turns. */
async function changing(
  versionId: string | undefined,
  work: (trx: Trx, product: Row<'dataProducts'>, version: Row<'datasetVersions'>) => Promise<void>,
): Promise<void> {
  await transaction(async (trx) => {
    const known = versionId && (await trx.selectFrom('datasetVersions').select('productId').where('id', '=', versionId).executeTakeFirst())
    const product = known && (await lockProduct(trx, known.productId))
    const version =
      product && versionId && (await trx.selectFrom('datasetVersions').selectAll().where('id', '=', versionId).executeTakeFirst())
    if (!version) stop('notFound', 'There is no such version.')
    await work(trx, product, version)
  })
}

async function makeCurrent(trx: Trx, product: Row<'dataProducts'>, { id, firstRows }: Row<'datasetVersions'>): Promise<void> {
  await trx
    .updateTable('dataProducts')
    .set({ currentVersionId: id, sampleData: makeSample(firstRows, product), updatedAt: now })
    .where('id', '=', product.id)
    .execute()
  if (!product.hidden) await announceDatasets(trx, product.slug)
}
