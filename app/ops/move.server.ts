import { rmSync } from 'node:fs'
import path from 'node:path'
import { makeFolder } from '#app/platform/database/data-folder.server.ts'
import { enterAlone } from '#app/platform/database/stage.server.ts'
import { makeTemporary } from '#app/platform/database/temporary-folder.server.ts'
import { env } from '#app/platform/env.server.ts'
import { OperatorError } from '#app/platform/errors/operator-error.ts'
import { backUp } from './backup.server.ts'
import type { BackupManifest } from './manifest.server.ts'
import type { ProgressReport } from './progress.server.ts'
import { load, refuseFilledDatabase } from './restore.server.ts'
import { unpackArchive } from './unpack.server.ts'

/**
 * Copies the database to a PostgreSQL server through a backup and compares every row after loading.
 * Files, keys and the source database stay in place.
 */
export async function moveTo(url: string, { force, report }: { force: boolean; report: ProgressReport }): Promise<BackupManifest> {
  if (!/^postgres(ql)?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new OperatorError('--to must be a URL such as postgres://user:password@host:5432/winnow.')
  }
  if (url === env.DATABASE_URL) throw new OperatorError('This installation already uses the database that --to names. Name another one.')
  const leave = await enterAlone(url)
  try {
    return await copyTo(url, force, report)
  } finally {
    await leave()
  }
}

async function copyTo(url: string, force: boolean, report: ProgressReport): Promise<BackupManifest> {
  report({ phase: 'Opening the target database' })
  if (!force) await refuseFilledDatabase({ url })

  const dataDir = path.resolve(env.DATA_DIR)
  makeFolder(dataDir)
  const { folder, end } = makeTemporary(dataDir)
  try {
    const file = path.join(folder, 'backup.tar.gz')
    await backUp(file, report)
    const manifest = await unpackArchive(file, folder, report)
    rmSync(file)
    await load({ url }, folder, manifest, { report })
    return manifest
  } finally {
    end()
  }
}
