import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, rm, stat } from 'node:fs/promises'
import { z } from 'zod'
import { fileKey, deleteFilesLater } from '#app/datasets/catalog/version-files.server.ts'
import { formatOf } from '#app/datasets/catalog/format.ts'
import { describeColumns } from '#app/datasets/catalog/masking.ts'
import { lockProduct } from '#app/datasets/catalog/staff-product.server.ts'
import type { ReadDataset } from './read-dataset.ts'
import type { ImportProgressReport } from './read-dataset.server.ts'
import { Unreadable, UnreadableHead } from './unreadable.ts'
import { oneLine } from '#app/platform/text/clean-text.ts'
import { notify } from '#app/account/notifications/notification.server.ts'
import { type Database, db, insert, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import type { ProgressReport } from '#app/ops/progress.server.ts'
import { ATTEMPTS, defineJob, enqueue, type NewJob } from '#app/platform/jobs.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { propertyOf } from '#app/platform/errors/property.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { localFile, openFile, putFileFrom } from '#app/platform/storage/storage.server.ts'
import type { HeadFault } from '#app/datasets/catalog/version.ts'
import type { Row } from '#db/tables.ts'
import { checkDrift, checkQuality } from './gate.ts'
import { readApart } from './import-worker.server.ts'
import { findCurrent } from './staff-version.server.ts'
import { workFolder } from './work-folder.server.ts'

const IMPORT_JOB = 'datasets.import'
const LONGEST_NAME = 200

type Given = {
  fileName: string
  changes: string
  by: { id: string }
  /** Already known after a crash, so that the same file is not imported twice. */
  known?: { id: string; bytes: number; sha256: string }
  /** Imported by a job, unless the caller imports it itself. */
  queued?: boolean
}

/** Stores a finished file as the next version of a product, and queues its import. The file is moved. */
export async function takeFile(productId: string, file: string, { fileName, changes, by, known, queued = true }: Given): Promise<string> {
  const format = formatOf(fileName) ?? stop('unprocessable', 'The name of the file must end in .csv, .json, .jsonl or .parquet.')
  const { id, bytes, sha256 } = known ?? { id: newId(), bytes: (await stat(file)).size, sha256: await sumOf(file) }
  const key = fileKey(id, `original.${format}`)
  // A file that a crash leaves from here on has no row, and this job deletes it.
  await enqueue(db, deleteFilesLater(id))
  if (await isThere(file)) await putFileFrom(key, file)
  else if (!(await hasFile(key))) stop('unavailable', 'Another server has this file. Try again in a moment.', { retryAfter: 1 })
  await transaction(async (trx) => {
    if (!(await lockProduct(trx, productId))) stop('notFound', 'There is no such product.')
    if (await trx.selectFrom('datasetVersions').select('id').where('id', '=', id).executeTakeFirst()) return
    const [last] = await trx
      .selectFrom('datasetVersions')
      .select('number')
      .where('productId', '=', productId)
      .orderBy('number', 'desc')
      .limit(1)
      .execute()
    await insert(trx, 'datasetVersions', {
      id,
      productId,
      number: (last?.number ?? 0) + 1,
      changes,
      originalName: nameOf(fileName),
      originalFormat: format,
      originalBytes: bytes,
      originalSha256: sha256,
      createdBy: by.id,
    })
    await trx.insertInto('datasetFiles').values({ versionId: id, format: 'original', storageKey: key, bytes, sha256 }).execute()
    if (queued) await enqueue(trx, { ...importJob(id), dedupeKey: `${IMPORT_JOB}:${id}` })
  })
  return id
}

/** Imports the file of a version that is being processed. */
export function importJob(versionId: string): NewJob {
  return { kind: IMPORT_JOB, payload: { versionId } }
}

type Reading = { signal?: AbortSignal; read?: typeof readApart; report?: ProgressReport }

/** For the operator's command. */
const phases: Record<Parameters<ImportProgressReport>[0], string> = {
  reading: 'Reading the rows',
  profiling: 'Profiling the columns',
  comparing: 'Comparing with the published version',
}

/**
 * Imports the file of a pending version: it becomes ready, or rejected with a reason. After a crash, it starts over; a version that was
 * imported already does not change.
 */
export async function importVersion(versionId: string, { signal, read = readApart, report }: Reading = {}): Promise<void> {
  const version = await db
    .selectFrom('datasetVersions')
    .selectAll()
    .where('id', '=', versionId)
    .where('state', '=', 'processing')
    .executeTakeFirst()
  if (!version) return
  const folder = workFolder(versionId)
  const progress = noteProgress(versionId)
  const note: ImportProgressReport = (step, share) => {
    progress.note(step, share)
    report?.({ phase: phases[step], done: share, total: 1 })
  }
  try {
    await rm(folder, { recursive: true, force: true })
    const { gate, order } = await findBefore(version)
    const source = await placeOf(fileKey(versionId, `original.${version.originalFormat}`))
    const found = await read({ source, format: version.originalFormat, folder, gate, names: version.columnNames, ...order }, note, signal)
    await putFileFrom(fileKey(versionId, 'data.parquet'), found.file)
    await progress.end()
    await keepFound(version, found)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    await progress.end()
    await refuse(versionId, error.message, error instanceof UnreadableHead ? error.faults : [])
  } finally {
    await progress.end()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The version to compare with is the one that customers have now. The readings of the last one are used again. */
async function findBefore({ productId, number: ownNumber, columns: read, columnReadings: chosen }: Row<'datasetVersions'>) {
  const last = await db
    .selectFrom('datasetVersions')
    .select('columnReadings')
    .where('productId', '=', productId)
    .where('number', '<', ownNumber)
    .where('state', 'in', ['ready', 'published'])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  // A file that was read before has its own choices: staff may have taken one of the last version back.
  const readings = { chosen, before: read.length === 0 ? last?.columnReadings : undefined }
  const product = await db
    .selectFrom('dataProducts')
    .select(['gate', 'currentVersionId'])
    .where('id', '=', productId)
    .executeTakeFirstOrThrow()
  const { gate, currentVersionId } = product
  if (!currentVersionId) return { gate, order: { readings } }
  const { number, columns } = await db
    .selectFrom('datasetVersions')
    .select(['number', 'columns'])
    .where('id', '=', currentVersionId)
    .executeTakeFirstOrThrow()
  const file = await placeOf(fileKey(currentVersionId, 'data.parquet'))
  return { gate, order: { readings, previous: { number, file, columns } } }
}

async function placeOf(key: string): Promise<string> {
  const file = await localFile(key)
  if (!file) throw new Error('The file of a version is not there.')
  return file
}

async function keepFound(version: Row<'datasetVersions'>, found: ReadDataset): Promise<void> {
  const { id, productId } = version
  await transaction(async (trx) => {
    // A product that was removed meanwhile can be restored, with the versions that it has by then.
    const kept = trx.selectFrom('dataProducts').selectAll().where('id', '=', productId).where('erasedAt', 'is', null)
    const product = await kept.forUpdate().executeTakeFirst()
    if (!product) return
    const { rows, refusedRows, refusals, columns, firstRows, duplicates, difference, notes, bytes, sha256, readings, offers } = found
    const quality = checkQuality(product.gate, found)
    const { numUpdatedRows } = await trx
      .updateTable('datasetVersions')
      .set({
        state: 'ready',
        rows,
        refusedRows,
        refusals: keepable(refusals),
        columns: keepable(describeColumns(columns, product)),
        firstRows: keepable(firstRows),
        duplicates: keepable(duplicates),
        findings: keepable(quality),
        difference: difference && keepable(difference),
        notes,
        columnReadings: keepable(readings),
        columnOffers: keepable(offers),
        step: 'done',
        progress: 1,
      })
      .where('id', '=', id)
      .where('state', '=', 'processing')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    const file = { storageKey: fileKey(id, 'data.parquet'), bytes, sha256 }
    await trx
      .insertInto('datasetFiles')
      .values({ versionId: id, format: 'parquet', ...file })
      .onConflict((conflict) => conflict.columns(['versionId', 'format']).doUpdateSet(file))
      .execute()
    if (product.removedAt) return
    const findings = [...quality, ...checkDrift(product.gate, found, await findCurrent(trx, product))]
    const broken = findings.filter(({ ok }) => !ok).map(({ rule, found: result }) => `${rule} (${result})`)
    await (broken.length > 0
      ? tellUploader(trx, version, 'is held by the quality checks', broken.join('; '))
      : tellUploader(trx, version, 'is ready to publish'))
  })
}

/** JSON that the database accepts: NUL and lone surrogates from the file are replaced. */
function keepable(found: unknown): string {
  return JSON.stringify(found, (_name, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value,
  )
}

async function refuse(versionId: string, failure: string, headFaults: HeadFault[] = []): Promise<void> {
  await enqueue(db, deleteFilesLater(versionId))
  const refused = await db
    .updateTable('datasetVersions')
    .set({ state: 'refused', failure, headFaults: keepable(headFaults), step: 'done', progress: 1 })
    .where('id', '=', versionId)
    .where('state', '=', 'processing')
    .returningAll()
    .executeTakeFirst()
  if (refused) await tellUploader(db, refused, 'could not be imported', failure)
}

/** Tells the person who uploaded the file; nobody when the operator's command did. */
async function tellUploader(
  connection: Database | Trx,
  { id, productId, number, createdBy }: Row<'datasetVersions'>,
  outcome: string,
  details?: string,
): Promise<void> {
  const product = await connection.selectFrom('dataProducts').select(['name', 'slug']).where('id', '=', productId).executeTakeFirst()
  if (!product || !createdBy) return
  await notify(connection, {
    kind: 'import',
    title: `Version ${number} of ${product.name} ${outcome}`.slice(0, 200),
    body: details?.slice(0, 300),
    link: `/admin/products?product=${productId}`,
    subjectId: id,
    dedupeKey: `import:${id}:${outcome}`,
    to: { userIds: [createdBy] },
  })
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}

/** Whether the storage has a file. */
export async function hasFile(key: string): Promise<boolean> {
  const stored = await openFile(key)
  stored?.stream.destroy()
  return stored !== undefined
}

/** SHA-256 in hexadecimal. */
export async function sumOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) hash.update(chunk)
  return hash.digest('hex')
}

/** Browsers send only a file name, but a hand-written request can send a path. */
function nameOf(given: string): string {
  const name = oneLine(given.split(/[/\\]/).at(-1) ?? '')
  return Array.from(name).slice(-LONGEST_NAME).join('')
}

/** Data that the database does not take, and errors in the code: another attempt would end in the same way. */
function isLasting(error: unknown): boolean {
  const isOfCode = error instanceof z.ZodError || error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError
  return isOfCode || /^(22|23|42|54)\w{3}$/.test(propertyOf(error, 'code'))
}

defineJob(IMPORT_JOB, z.object({ versionId: z.string() }), async ({ versionId }, { signal, attempt }) => {
  try {
    await importVersion(versionId, { signal })
  } catch (error) {
    if (isLasting(error)) {
      log.error({ err: error, version: versionId }, 'an import failed')
      return refuse(versionId, 'This file could not be imported because of a fault in the import itself. The server log has the reason.')
    }
    // Without a retry, staff would wait forever.
    if (attempt >= ATTEMPTS)
      await refuse(versionId, 'This file could not be imported after several attempts. Check the server log, then upload it again.')
    throw error
  }
})

/** The write interval in milliseconds. */
const WRITE_MS = 1000

/** Where each step begins and its share of the whole work. */
const shares: Record<Parameters<ImportProgressReport>[0], [from: number, part: number]> = {
  reading: [0, 0.6],
  profiling: [0.6, 0.3],
  comparing: [0.9, 0.1],
}

/** Stores the progress of an import. */
function noteProgress(versionId: string): { note: ImportProgressReport; end: () => Promise<void> } {
  let written = 0
  let writing: Promise<unknown> = Promise.resolve()
  return {
    note(step, share) {
      if (performance.now() - written < WRITE_MS) return
      written = performance.now()
      const [from, part] = shares[step]
      const update = db.updateTable('datasetVersions').set({ step, progress: from + part * Math.min(1, share) })
      // A failed write is followed by another.
      writing = update
        .where('id', '=', versionId)
        .where('state', '=', 'processing')
        .execute()
        .catch(() => undefined)
    },
    end: async () => void (await writing),
  }
}
