import { mkdirSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract, type Extract } from 'tar-stream'
import { isDiskFull } from '#app/platform/files/disk-room.server.ts'
import { env } from '#app/platform/env.server.ts'
import { OperatorError } from '#app/platform/errors/operator-error.ts'
import { readDecrypted } from './encryption.server.ts'
import { digest, MANIFEST, type BackupManifest, backupManifest } from './manifest.server.ts'
import { countPhase, type ProgressReport } from './progress.server.ts'

/** Unpacks an archive into a folder and returns its manifest. Throws unless the content matches the manifest. */
export async function unpackArchive(file: string, folder: string, report: ProgressReport): Promise<BackupManifest> {
  const read = countPhase(report, { phase: 'Unpacking the backup', total: statSync(file).size, unit: 'bytes' })
  return readArchive(file, read, (name, content) => writeFileFrom(content, path.join(folder, name)))
}

/** Reads an archive to its end and returns its manifest. Throws unless the content matches the manifest. */
export async function checkArchive(file: string, report: ProgressReport): Promise<BackupManifest> {
  const read = countPhase(report, { phase: 'Verifying the archive', total: statSync(file).size, unit: 'bytes' })
  return readArchive(file, read, (_name, content) => digestContent(content))
}

type Take = (name: string, content: AsyncIterable<Buffer>) => Promise<{ sha256: string }>

async function readArchive(file: string, count: (bytes: number) => void, take: Take): Promise<BackupManifest> {
  const archive = extract()
  async function* content(): AsyncGenerator<Uint8Array> {
    for await (const chunk of readDecrypted(file, env.BACKUP_PASSPHRASE)) {
      count(chunk.length)
      yield chunk
    }
  }
  const reading = pipeline(content, createGunzip({ rejectGarbageAfterEnd: true }), archive)
  // A failure of it arrives through `archive`.
  reading.catch(() => undefined)
  try {
    const manifest = await takeEntries(archive, take)
    await reading
    return manifest
  } catch (error) {
    archive.destroy()
    await Promise.allSettled([reading])
    if (isDiskFull(error) || error instanceof OperatorError) throw error
    const reason = error instanceof Error ? error.message : 'it cannot be read'
    // The first sentence of a message.
    throw new OperatorError(`${file} is not a whole backup: ${reason.replace(/\.(\s.*)?$/s, '')}. Use another backup.`, { cause: error })
  }
}

async function takeEntries(archive: Extract, take: Take): Promise<BackupManifest> {
  let manifest: BackupManifest | undefined
  const missing = new Map<string, BackupManifest['entries'][number]>()
  for await (const entry of archive) {
    const { name } = entry.header
    if (!manifest) {
      manifest = await readManifest(name, Readable.from(entry))
      for (const expected of manifest.entries) missing.set(expected.name, expected)
      continue
    }
    const expected = missing.get(name)
    if (!expected) throw new Error(`${name} does not belong to it.`)
    const { sha256 } = await take(name, Readable.from(entry))
    if (sha256 !== expected.sha256) throw new Error(`${name} is not what was backed up: its checksum differs.`)
    missing.delete(name)
  }
  const [absent] = missing.keys()
  if (absent) throw new Error(`${absent} is missing.`)
  return manifest ?? refuseStart()
}

async function readManifest(name: string, content: AsyncIterable<Buffer>): Promise<BackupManifest> {
  if (name !== MANIFEST) return refuseStart()
  const text = Buffer.concat(await Array.fromAsync(content)).toString()
  const read = backupManifest.safeParse(JSON.parse(text))
  if (!read.success) throw new Error(`Its manifest shows ${read.error.issues[0]?.message ?? 'no known field'}.`)
  return read.data
}

function refuseStart(): never {
  throw new Error('It does not begin with a manifest.')
}

async function writeFileFrom(content: AsyncIterable<Buffer>, place: string) {
  mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 })
  await using file = await open(place, 'w', 0o600)
  return await digestContent(content, (chunk) => file.appendFile(chunk))
}

async function digestContent(content: AsyncIterable<Buffer>, write?: (chunk: Buffer) => Promise<void>) {
  const read = digest()
  for await (const chunk of content) {
    await write?.(chunk)
    read.add(chunk)
  }
  return read.end()
}
