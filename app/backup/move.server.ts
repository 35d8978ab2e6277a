import { rmSync } from 'node:fs'
import path from 'node:path'
import { makeFolder } from '#app/database/data-folder.server.ts'
import { enterAlone } from '#app/database/stage.server.ts'
import { makeTemporary } from '#app/database/temporary-folder.server.ts'
import { env } from '#app/platform/env.server.ts'
import { OperatorError } from '#app/platform/operator-error.ts'
import { backUp } from './backup.server.ts'
import type { Report } from './load.server.ts'
import type { Manifest } from './manifest.server.ts'
import { load, refuseFilledDatabase } from './restore.server.ts'
import { unpackArchive } from './unpack.server.ts'

/**
 * Copies the database of this installation to a PostgreSQL server, through a backup: every row is compared after it has arrived.
 * Files and keys stay where they are, and so does the database that was copied.
 */
export async function moveTo(url: string, { force, report }: { force: boolean; report?: Report }): Promise<Manifest> {
  if (!/^postgres(ql)?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new OperatorError('--to must be an address such as postgres://user:password@host:5432/winnow.')
  }
  if (url === env.DATABASE_URL) throw new OperatorError('This is the database that the installation uses already.')
  const leave = await enterAlone(url)
  try {
    return await copyTo(url, force, report)
  } finally {
    await leave()
  }
}

async function copyTo(url: string, force: boolean, report?: Report): Promise<Manifest> {
  if (!force) await refuseFilledDatabase({ url })

  const dataDir = path.resolve(env.DATA_DIR)
  makeFolder(dataDir)
  const { folder, end } = makeTemporary(dataDir)
  try {
    const file = path.join(folder, 'backup.tar.gz')
    await backUp(file)
    const manifest = await unpackArchive(file, folder)
    rmSync(file)
    await load({ url }, folder, manifest, { report })
    return manifest
  } finally {
    end()
  }
}
