import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { countPhase, type ProgressReport } from '#app/ops/progress.server.ts'
import { sendAdminCommand } from '#app/ops/running.server.ts'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { findCatalogEntry } from '#app/datasets/catalog/published-product.server.ts'
import { listStaffProducts } from '#app/datasets/catalog/staff-product.server.ts'
import { db, newId } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { OperatorError } from '#app/platform/errors/operator-error.ts'
import { propertyOf } from '#app/platform/errors/property.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import type { VersionState } from '#app/datasets/catalog/version.ts'
import { countOf } from '#app/ui/amount.ts'
import { importVersion, takeFile } from './import.server.ts'
import { publishVersion } from './publish.server.ts'
import { uploadFile } from './upload-file.server.ts'

const PIECE_BYTES = 1024 * 1024

const add = z.object({ verb: z.literal('add'), file: z.string(), product: z.string(), changes: z.string(), publish: z.boolean() })
const datasetOrder = z.discriminatedUnion('verb', [add, z.object({ verb: z.literal('list') })])

type DatasetOrder = z.infer<typeof datasetOrder>

/** Runs an operator's command. On the embedded database, it goes to the running server. Returns sentences to print. */
export async function sendDatasetCommand(order: DatasetOrder, report: ProgressReport = () => undefined): Promise<string> {
  const done = env.DATABASE_URL ? undefined : await sendAdminCommand(path.resolve(env.DATA_DIR), 'dataset', order, report)
  if (done !== undefined) return done
  await openDatabase()
  try {
    return await runDatasetCommand(order, report)
  } catch (error) {
    throw error instanceof Stop ? new OperatorError(error.data) : error
  } finally {
    await closeDatabase()
  }
}

/** The same, in the process that has the database open. */
export async function runDatasetCommand(given: unknown, report: ProgressReport = () => undefined): Promise<string> {
  const order = datasetOrder.parse(given)
  return order.verb === 'list' ? listDatasets() : addDataset(order, report)
}

async function listDatasets(): Promise<string> {
  const products = await listStaffProducts()
  if (products.length === 0) return 'There are no products yet. Create one at /admin/products.'
  return products
    .map(({ slug, currentVersion, newestState, rows, hidden }) => {
      const data = currentVersion === null ? unpublished(newestState) : `version ${currentVersion}, ${countOf(rows, 'row', 'rows')}`
      return `${slug}: ${data}${hidden ? ', hidden' : ''}`
    })
    .join('\n')
}

/** The state of a product without a published version, by its newest one. */
function unpublished(newest: VersionState | null): string {
  if (newest === null) return 'no data yet'
  if (newest === 'processing') return 'a version is being processed'
  return newest === 'refused' ? 'nothing published, the newest version was rejected' : 'nothing published, a version is ready'
}

async function addDataset({ file, product: slug, changes, publish }: z.infer<typeof add>, report: ProgressReport): Promise<string> {
  const found = await findCatalogEntry(slug, { hidden: true })
  if (!found) throw new OperatorError(`There is no product ${slug}. To see all products, run: npm run dataset -- list`)
  const by = { id: await findOwner() }
  const versionId = await takeCopy(found.product.id, file, { changes, by, report })
  await importVersion(versionId, { report })
  const version = await db.selectFrom('datasetVersions').selectAll().where('id', '=', versionId).executeTakeFirstOrThrow()
  const name = `Version ${version.number} of ${slug}`
  if (version.state !== 'ready') throw new OperatorError(`${name} was rejected: ${version.failure ?? 'it was not imported.'}`)
  const refused = version.refusedRows > 0 ? ` ${countOf(version.refusedRows, 'row was', 'rows were')} rejected.` : ''
  const read = `${name} has ${countOf(version.rows, 'row', 'rows')} in ${countOf(version.columns.length, 'column', 'columns')}.${refused}`
  if (!publish) return `${read} It is not published yet.`
  try {
    await publishVersion(versionId, by)
  } catch (error) {
    if (!(error instanceof Stop) || error.extra.code !== 'gate_failed') throw error
    const page = new URL(`/admin/products?product=${found.product.id}`, env.SITE_URL)
    throw new OperatorError(
      `${read} It is held and customers keep the version that they have. ${error.data} Publish it with a reason at ${page.href}`,
    )
  }
  return `${read} It is published.`
}

type Delivery = { changes: string; by: { id: string }; report: ProgressReport }

/** The operator's own file stays in place. */
async function takeCopy(productId: string, file: string, { changes, by, report }: Delivery): Promise<string> {
  const copy = uploadFile(randomUUID())
  try {
    await mkdir(path.dirname(copy), { recursive: true, mode: 0o700 })
    const copied = countPhase(report, { phase: 'Copying the file', total: (await stat(file)).size, unit: 'bytes' })
    const source = createReadStream(file, { highWaterMark: PIECE_BYTES }).on('data', (chunk) => copied(chunk.length))
    await pipeline(source, createWriteStream(copy, { mode: 0o600 }))
    return await takeFile(productId, copy, { fileName: path.basename(file), changes, by, queued: false })
  } catch (error) {
    if (/^(ENOENT|EACCES|EISDIR)$/.test(propertyOf(error, 'code'))) throw new OperatorError(`${file} cannot be read.`)
    throw error
  } finally {
    await rm(copy, { force: true })
  }
}

/** The operator acts on behalf of the owner. */
async function findOwner(): Promise<string> {
  const { ownerId } = await db.selectFrom('installation').select('ownerId').executeTakeFirstOrThrow()
  return ownerId ?? newId()
}
