import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { setPriority } from 'node:os'
import path from 'node:path'
import { connectDatabase, type DatabaseLocation } from '#app/platform/database/connect.server.ts'
import { MAJOR, makeFolder } from '#app/platform/database/data-folder.server.ts'
import { settleStage } from '#app/platform/database/stage.server.ts'
import { makeTemporary } from '#app/platform/database/temporary-folder.server.ts'
import { diskFullSentence, isDiskFull } from '#app/platform/files/disk-room.server.ts'
import { syncPath } from '#app/platform/files/durable-rename.server.ts'
import { env } from '#app/platform/env.server.ts'
import { migrate } from '#app/platform/database/migrate.server.ts'
import { OperatorError } from '#app/platform/errors/operator-error.ts'
import { propertyOf } from '#app/platform/errors/property.ts'
import { type ArchiveSource, dumpInto, writeArchive } from './archive.server.ts'
import type { BackupManifest } from './manifest.server.ts'
import type { ProgressReport } from './progress.server.ts'
import { encryptWith } from './encryption.server.ts'
import { sendAdminCommand } from './running.server.ts'
import { checkArchive } from './unpack.server.ts'

/** The running site has priority over a backup. */
const LOW_PRIORITY = 10

/** Backs up the installation to one file, with the server running or stopped, and verifies the file by reading it once. */
export async function backUp(file: string, report: ProgressReport = () => undefined): Promise<BackupManifest> {
  const place = path.resolve(file)
  if (existsSync(place)) throw new OperatorError(`${file} exists already: choose another name.`)
  const dataDir = path.resolve(env.DATA_DIR)
  makeFolder(dataDir)
  try {
    return await writeChecked(place, dataDir, report)
  } catch (error) {
    throw explain(error, place, dataDir)
  }
}

async function writeChecked(place: string, dataDir: string, report: ProgressReport): Promise<BackupManifest> {
  const unfinished = `${place}.unfinished`
  const temporary = makeTemporary(dataDir, unfinished)
  try {
    await writeTo(unfinished, dataDir, temporary.folder, report)
    const manifest = await checkArchive(unfinished, report)
    syncPath(unfinished)
    renameSync(unfinished, place)
    syncPath(path.dirname(place))
    return manifest
  } finally {
    rmSync(unfinished, { force: true })
    temporary.end()
  }
}

async function writeTo(file: string, dataDir: string, temporary: string, report: ProgressReport) {
  // Opened first, so that a folder that cannot be written to is found before the database is read.
  await using target = await open(file, 'w', 0o600)
  const spool = path.join(temporary, 'spool')
  mkdirSync(spool, { mode: 0o700 })
  const dump = await dumpFrom({ dataDir, spool, report }, temporary)
  const encrypt = env.BACKUP_PASSPHRASE ? encryptWith(env.BACKUP_PASSPHRASE) : undefined
  await writeArchive(dump, { spool, dataDir, report }, target.createWriteStream(), encrypt)
}

/** The running server provides a copy of its embedded database, so reading the tables blocks no request. */
async function dumpFrom(source: ArchiveSource, temporary: string) {
  const { dataDir, report } = source
  report({ phase: 'Opening the database' })
  if (env.DATABASE_URL) return dumpPlace({ url: env.DATABASE_URL }, source)
  const copied = await sendAdminCommand(dataDir, 'copy-database', path.basename(temporary), report)
  if (copied === undefined) return dumpPlace({ folder: dataDir }, source)
  const copy = path.join(temporary, 'copy')
  if (!existsSync(path.join(copy, MAJOR))) throw new OperatorError('Another version of the product is running. Restart it first.')
  setPriority(LOW_PRIORITY)
  const dump = await dumpPlace({ folder: copy }, source, { durable: false })
  rmSync(copy, { recursive: true })
  return dump
}

async function dumpPlace(place: DatabaseLocation, { dataDir, spool, report }: ArchiveSource, options: { durable?: boolean } = {}) {
  const connection = await connectDatabase(place, options)
  try {
    await migrate(connection.kysely)
    await settleStage(dataDir, connection.kysely)
    return await dumpInto(connection.kysely, spool, report)
  } finally {
    await connection.close()
  }
}

function explain(error: unknown, place: string, dataDir: string): unknown {
  if (isDiskFull(error)) return new OperatorError(diskFullSentence(dataDir, path.dirname(place)), { cause: error })
  const isOfPlace = propertyOf(error, 'path').startsWith(place)
  if (isOfPlace && /^(EACCES|EPERM|ENOENT|EROFS|ENOTDIR)$/.test(propertyOf(error, 'code'))) {
    return new OperatorError(`${place} cannot be written: choose a folder that exists and that this user may write to.`, { cause: error })
  }
  return error
}
