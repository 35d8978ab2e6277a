import { type Database, db, type Trx } from '#app/platform/database/db.server.ts'
import { SAMPLE_ROWS, sampleSize } from '#app/datasets/catalog/masking.ts'
import type { StaffVersion } from '#app/datasets/catalog/version.ts'
import { countOf } from '#app/ui/amount.ts'
import type { Row } from '#db/tables.ts'
import { checkDrift } from './gate.ts'

const PREVIEW = 5

/** Newest first; undefined if the product does not exist. */
export async function listStaffVersions(productId: string): Promise<StaffVersion[] | undefined> {
  const product = await db
    .selectFrom('dataProducts')
    .select(['currentVersionId', 'gate', 'isFree'])
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
  const current = await findCurrent(db, product)
  return rows.map(({ publishedAt, createdAt, firstRows, duplicates: _counts, createdBy: _by, productId: _id, ...version }) => ({
    ...version,
    // A version that is not published yet is compared with the one that customers have now.
    findings: version.state === 'ready' ? [...version.findings, ...checkDrift(product.gate, version, current)] : version.findings,
    warnings: version.state === 'ready' && !product.isFree ? warnOfSample(version.rows) : [],
    preview: version.state === 'ready' ? firstRows.slice(0, PREVIEW) : [],
    isCurrent: version.id === product.currentVersionId,
    createdAt: createdAt.toISOString(),
    publishedAt: publishedAt?.toISOString() ?? null,
  }))
}

/** The version that customers have now. */
export async function findCurrent(connection: Database | Trx, { currentVersionId }: Pick<Row<'dataProducts'>, 'currentVersionId'>) {
  if (!currentVersionId) return undefined
  return connection
    .selectFrom('datasetVersions')
    .select(['number', 'rows', 'columns'])
    .where('id', '=', currentVersionId)
    .executeTakeFirst()
}

/** Of a small dataset, a sample is a large part. */
function warnOfSample(rows: number): string[] {
  const shown = sampleSize(rows, { isFree: false })
  if (shown === SAMPLE_ROWS || rows === 0) return []
  const share =
    shown * 10 > rows ? 'That is more than a tenth of what customers pay for.' : 'A longer sample would give away too much of it.'
  return [`This paid dataset is small: its public sample shows ${shown} of ${countOf(rows, 'row', 'rows')}. ${share}`]
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
