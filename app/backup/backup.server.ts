import { createWriteStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { connect } from '#app/database/connect.server.ts'
import { syncPath } from '#app/database/data-folder.server.ts'
import { settleStage } from '#app/database/stage.server.ts'
import { env } from '#app/platform/env.server.ts'
import { migrate } from '#app/database/migrate.server.ts'
import { OperatorError } from '#app/platform/operator-error.ts'
import { writeArchive } from './archive.server.ts'
import type { Manifest } from './manifest.server.ts'
import { requestArchive } from './running.server.ts'
import { unpackArchive } from './unpack.server.ts'

/** Writes the whole installation into one file, whether or not it is running, and reads the file once to see that it is whole. */
export async function backUp(file: string): Promise<Manifest> {
  const place = path.resolve(file)
  if (existsSync(place)) throw new OperatorError(`${file} exists already: choose another name.`)
  const unfinished = `${place}.unfinished`
  try {
    await writeTo(unfinished)
    const manifest = await check(unfinished)
    syncPath(unfinished)
    renameSync(unfinished, place)
    return manifest
  } finally {
    rmSync(unfinished, { force: true })
  }
}

async function writeTo(file: string) {
  const dataDir = path.resolve(env.DATA_DIR)
  mkdirSync(dataDir, { recursive: true })
  const out = createWriteStream(file, { mode: 0o600 })
  const running = env.DATABASE_URL ? undefined : await requestArchive(dataDir)
  if (running) {
    await pipeline(running, out)
    return
  }
  const connection = await connect(env.DATABASE_URL ? { url: env.DATABASE_URL } : { folder: dataDir })
  try {
    await migrate(connection.kysely)
    await settleStage(dataDir, connection.kysely)
    await writeArchive(connection.kysely, dataDir, out)
  } finally {
    await connection.close()
  }
}

async function check(file: string): Promise<Manifest> {
  const folder = mkdtempSync(path.join(path.dirname(file), 'checking-'))
  try {
    return await unpackArchive(file, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
