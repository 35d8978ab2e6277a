import { createReadStream, mkdirSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { isDiskFull } from '#app/platform/disk-room.server.ts'
import { env } from '#app/platform/env.server.ts'
import { OperatorError } from '#app/platform/operator-error.ts'
import { decryptWith, isEncrypted } from './encryption.server.ts'
import { digest, MANIFEST, type BackupManifest, backupManifest } from './manifest.server.ts'
import { countPhase, type ProgressReport } from './progress.server.ts'
import { type Entry, unpackTar } from './tar.server.ts'

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

type Take = (name: string, content: Entry['content']) => Promise<{ sha256: string }>

async function readArchive(file: string, count: (bytes: number) => void, take: Take): Promise<BackupManifest> {
  const stream = createGunzip()
  let size = 0
  let failure: unknown
  const decrypt = (await isEncrypted(file)) ? decryptWith(passphrase(file)) : undefined
  async function* content(): AsyncGenerator<Buffer> {
    for await (const chunk of streamOf(file)) {
      count(chunk.length)
      yield chunk
    }
  }
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of decrypt ? decrypt(content()) : content()) {
      size += chunk.length
      yield chunk
    }
  }
  // A read error arrives through the destroyed stream.
  const reading = pipeline(counted, stream).catch((error: unknown) => (failure = error))
  try {
    const entries = unpackTar(stream)
    const first = await entries.next()
    const found = await readManifest(first.done ? undefined : first.value)
    await takeEntries(entries, found, take)
    await reading
    // The decompressor ignores bytes after the end of the compressed data.
    if (stream.bytesWritten < size) throw new Error('Something follows the end of the archive.')
    return found
  } catch (error) {
    stream.destroy()
    await reading
    if (isDiskFull(error)) throw error
    if (failure instanceof OperatorError) throw failure
    const reason = error instanceof Error ? error.message : 'it cannot be read'
    throw new OperatorError(`${file} is not a whole backup: ${reason.replace(/\.$/, '')}. Use another backup.`, { cause: error })
  } finally {
    stream.destroy()
    await reading
  }
}

function streamOf(file: string): AsyncIterable<Buffer> {
  return createReadStream(file)
}

function passphrase(file: string): string {
  if (env.BACKUP_PASSPHRASE) return env.BACKUP_PASSPHRASE
  throw new OperatorError(`${file} is encrypted: set BACKUP_PASSPHRASE to the passphrase of that time.`)
}

async function readManifest(entry: Entry | undefined): Promise<BackupManifest> {
  if (entry?.name !== MANIFEST) throw new Error('It does not begin with a manifest.')
  const text = Buffer.concat(await Array.fromAsync(entry.content)).toString()
  const read = backupManifest.safeParse(JSON.parse(text))
  if (!read.success) throw new Error(`Its manifest shows ${read.error.issues[0]?.message ?? 'no known field'}.`)
  return read.data
}

async function takeEntries(entries: AsyncIterable<Entry>, { entries: promised }: BackupManifest, take: Take) {
  const missing = new Map(promised.map((entry) => [entry.name, entry]))
  for await (const { name, content } of entries) {
    const promise = missing.get(name)
    if (!promise) throw new Error(`${name} is not in its manifest.`)
    const { sha256 } = await take(name, content)
    if (sha256 !== promise.sha256) throw new Error(`${name} is not what was backed up: its checksum differs.`)
    missing.delete(name)
  }
  const [absent] = missing.keys()
  if (absent) throw new Error(`${absent} is missing.`)
}

async function writeFileFrom(content: Entry['content'], place: string) {
  mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 })
  await using file = await open(place, 'w', 0o600)
  return await digestContent(content, (chunk) => file.appendFile(chunk))
}

async function digestContent(content: Entry['content'], write?: (chunk: Buffer) => Promise<void>) {
  const read = digest()
  for await (const chunk of content) {
    await write?.(chunk)
    read.add(chunk)
  }
  return read.end()
}
