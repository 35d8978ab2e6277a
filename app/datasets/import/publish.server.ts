import { audit } from '#app/auth/users/audit.server.ts'
import { announceDatasets } from '#app/datasets/catalog/dataset-change.server.ts'
import { deleteFilesLater } from '#app/datasets/catalog/version-files.server.ts'
import { makeSample } from '#app/datasets/catalog/masking.ts'
import type { Finding } from '#app/datasets/catalog/version.ts'
import { lockProduct } from '#app/datasets/catalog/staff-product.server.ts'
import { transaction, type Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { emitWebhook } from '#app/platform/jobs/webhook-event.server.ts'
import type { Row } from '#db/tables.ts'
import { checkDrift } from './gate.ts'
import { tellReaders } from './new-version.server.ts'
import { findCurrent, findVersionId } from './staff-version.server.ts'

export type By = { id: string }

/** Staff's decision to publish a version that the quality checks hold, with its reason. */
type Override = { force?: boolean; reason?: string; changes?: string | undefined }

const WHY = 'Say why this version is published although it does not pass the quality checks'

/** Publishes a version. Throws if it is not ready, or if a quality check holds it and staff have not overridden that with a reason. */
export async function publishVersion(versionId: string, by: By, { force = false, reason = '', changes }: Override = {}): Promise<void> {
  await changing(versionId, async (trx, product, found) => {
    const version = { ...found, changes: changes ?? found.changes }
    if (version.state === 'published') return
    if (version.state !== 'ready') stop('conflict', 'This version cannot be published because it is not ready.', { code: 'not_ready' })
    const findings = [...version.findings, ...checkDrift(product.gate, version, await findCurrent(trx, product))]
    const broken = findings.filter(({ ok }) => !ok)
    if (broken.length > 0) holdUnless(force, reason, broken)
    const forcedReason = broken.length > 0 ? reason : ''
    await trx
      .updateTable('datasetVersions')
      .set({ state: 'published', publishedAt: now, findings: JSON.stringify(findings), forcedReason, changes: version.changes })
      .where('id', '=', versionId)
      .execute()
    await makeCurrent(trx, product, version)
    const forced = broken.length > 0 && { forced: broken.map(({ rule }) => rule), reason }
    await audit(trx, 'dataset_published', { actorId: by.id, detail: { product: product.id, number: version.number, ...forced } })
    if (!product.hidden) await tellReaders(trx, product, version, by.id)
    await emitWebhook(trx, 'dataset.published', () => [{ subjectId: product.id, data: describe(product, version) }])
  })
}

function holdUnless(force: boolean, reason: string, broken: readonly Finding[]): void {
  if (!force) {
    const failures = broken.map(({ rule, found }) => `${rule} (${found})`).join('; ')
    stop('conflict', `This version does not pass the quality checks: ${failures}.`, { code: 'gate_failed', problems: broken })
  }
  if (!reason) stop('unprocessable', `${WHY}.`, { code: 'validation_failed', errors: { reason: WHY } })
}

function describe({ id, slug, name: title, hidden }: Row<'dataProducts'>, { number, changes }: Row<'datasetVersions'>) {
  return { id, slug, title, version: number, changes, hidden, url: new URL(`/data-marketplace/${slug}`, env.SITE_URL).href }
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
export async function changing(
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

async function makeCurrent(trx: Trx, product: Row<'dataProducts'>, { id, firstRows, rows }: Row<'datasetVersions'>): Promise<void> {
  await trx
    .updateTable('dataProducts')
    .set({ currentVersionId: id, sampleData: makeSample(firstRows, rows, product), updatedAt: now })
    .where('id', '=', product.id)
    .execute()
  if (!product.hidden) await announceDatasets(trx, product.slug)
}
