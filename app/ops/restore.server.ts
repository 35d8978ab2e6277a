import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { connectDatabase, type DatabaseLocation } from '#app/platform/database/connect.server.ts'
import { acceptRestore, finishRestore, lockFolder, MAJOR, makeFolder } from '#app/platform/database/data-folder.server.ts'
import { refuseForeignSecrets } from '#app/platform/database/secrets.server.ts'
import { acceptStage, enterAlone, nameStage, stageRestore } from '#app/platform/database/stage.server.ts'
import { clearTemporary } from '#app/platform/database/temporary-folder.server.ts'
import { diskFullSentence, isDiskFull } from '#app/platform/files/disk-room.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { migrate } from '#app/platform/database/migrate.server.ts'
import { OperatorError } from '#app/platform/errors/operator-error.ts'
import { FOLDERS } from './archive.server.ts'
import { listFilledTables } from './catalog.server.ts'
import { continueAfter, type InvoiceNumber, keepNumberFiles, listHighestNumbers } from './invoice-numbers.server.ts'
import { loadTables, type LoadProgress } from './load.server.ts'
import type { BackupManifest } from './manifest.server.ts'
import type { ProgressReport } from './progress.server.ts'
import { unpackArchive } from './unpack.server.ts'

/**
 * Replaces this installation with a backup. The backup is first read, checked and loaded aside, so a failure leaves the installation
 * unchanged. An installation with data is replaced only with `force`; its data then moves to the folder `replaced`.
 */
export async function restore(
  file: string,
  { force, report = () => undefined }: { force: boolean; report?: ProgressReport },
): Promise<BackupManifest & { behind: InvoiceNumber[] }> {
  if (!existsSync(file)) throw new OperatorError(`There is no file ${file}: check the name.`)
  const dataDir = path.resolve(env.DATA_DIR)
  makeFolder(dataDir)
  clearTemporary(dataDir)
  if (!force) await refuseFilled(dataDir)

  const aside = path.join(dataDir, 'restoring')
  const unlock = lockFolder(dataDir)
  let leave: (() => Promise<void>) | undefined
  try {
    if (env.DATABASE_URL) leave = await enterAlone(env.DATABASE_URL)
    rmSync(aside, { recursive: true, force: true })
    for (const folder of FOLDERS) mkdirSync(path.join(aside, folder), { recursive: true, mode: 0o700 })
    const manifest = await unpackArchive(file, aside, report)
    report({ phase: 'Comparing the numbers of invoices' })
    const highest = await listHighestNumbers(dataDir)
    keepNumberFiles(dataDir, aside)
    const load = env.DATABASE_URL ? loadTogether : loadAside
    const behind = await load({ dataDir, aside }, manifest, { report, highest })
    finishRestore(dataDir)
    return { ...manifest, behind }
  } catch (error) {
    throw isDiskFull(error) ? new OperatorError(diskFullSentence(dataDir), { cause: error }) : error
  } finally {
    rmSync(aside, { recursive: true, force: true })
    await leave?.()
    unlock()
  }
}

type Folders = { dataDir: string; aside: string }

type Loading = { report: ProgressReport; highest: readonly InvoiceNumber[] }

/** The embedded database is one of the folders that are swapped. */
async function loadAside({ dataDir, aside }: Folders, manifest: BackupManifest, { report, highest }: Loading): Promise<InvoiceNumber[]> {
  let behind: InvoiceNumber[] = []
  const inTheEnd = async (trx: Trx) => {
    await refuseForeignSecrets(trx, path.join(aside, 'keys'))
    behind = await continueAfter(trx, highest)
  }
  await load({ folder: aside }, aside, manifest, { report, durable: false, inTheEnd })
  for (const leftover of ['tables', 'lock.sqlite']) rmSync(path.join(aside, leftover), { recursive: true, force: true })
  acceptRestore(dataDir, aside)
  return behind
}

/**
 * On PostgreSQL, the commit replaces the tables, and the staged files must follow it. The transaction stores the name of the stage in the
 * database, so the next start or command that finds the stage knows whether to apply it.
 */
async function loadTogether({ dataDir, aside }: Folders, manifest: BackupManifest, { report, highest }: Loading): Promise<InvoiceNumber[]> {
  let behind: InvoiceNumber[] = []
  const stage = randomUUID()
  const staged = stageRestore(dataDir, aside, stage)
  const name = async (trx: Trx) => {
    await refuseForeignSecrets(trx, path.join(staged, 'keys'))
    await nameStage(trx, stage)
    behind = await continueAfter(trx, highest)
  }
  const { kysely, close } = await connectDatabase(env.DATABASE_URL ? { url: env.DATABASE_URL } : { folder: dataDir })
  try {
    await loadTables(kysely, staged, manifest, { report, inTheEnd: name })
    acceptStage(staged)
    return behind
  } finally {
    await close()
    rmSync(staged, { recursive: true, force: true })
  }
}

async function refuseFilled(dataDir: string) {
  const isFirstStart = !env.DATABASE_URL && !existsSync(path.join(dataDir, MAJOR))
  if (!isFirstStart) await refuseFilledDatabase(env.DATABASE_URL ? { url: env.DATABASE_URL } : { folder: dataDir })
  const files = path.join(dataDir, 'files')
  if (existsSync(files) && readdirSync(files).length > 0) {
    throw new OperatorError(`${files} is not empty. Use --force to replace this installation.`)
  }
}

/** Refuses a database that already has entered data. */
export async function refuseFilledDatabase(place: DatabaseLocation) {
  const { kysely, close } = await connectDatabase(place)
  try {
    await migrate(kysely)
    const [filled] = await listFilledTables(kysely)
    if (filled) throw new OperatorError(`There is something in this installation (table ${filled}). Use --force to replace it.`)
  } finally {
    await close()
  }
}

export async function load(
  place: DatabaseLocation,
  folder: string,
  manifest: BackupManifest,
  { report, durable = true, inTheEnd }: LoadProgress & { durable?: boolean } = {},
) {
  const { kysely, close } = await connectDatabase(place, { durable })
  try {
    await loadTables(kysely, folder, manifest, { report, isNew: !durable, ...(inTheEnd && { inTheEnd }) })
  } finally {
    await close()
  }
}
