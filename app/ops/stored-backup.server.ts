import { createHash } from 'node:crypto'
import { createReadStream, rmSync } from 'node:fs'
import path from 'node:path'
import { makeFolder } from '#app/platform/database/data-folder.server.ts'
import { refuseForeignSecrets } from '#app/platform/database/secrets.server.ts'
import { makeTemporary } from '#app/platform/database/temporary-folder.server.ts'
import { env } from '#app/platform/env.server.ts'
import { OperatorError } from '#app/platform/errors/operator-error.ts'
import { backUp } from './backup.server.ts'
import { type BackupBucket, bucketPlace, type BucketPlace, withBucket } from './bucket-place.server.ts'
import type { BackupManifest } from './manifest.server.ts'
import type { ProgressReport } from './progress.server.ts'
import { load } from './restore.server.ts'
import { unpackArchive } from './unpack.server.ts'

/** The name of a backup in a bucket sorts by time. Names with `.enc` are of before November 2026. */
const NAME = /^winnow-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.tar\.gz(\.age|\.enc)?$/

type Stored = { manifest: BackupManifest; url: string; removed: number }

/** Backs up into a bucket, reads the object back, and then removes all but the newest `keep` backups of the same prefix. */
export async function backUpTo(to: string, { keep, report }: { keep: number | undefined; report: ProgressReport }): Promise<Stored> {
  const place = bucketPlace(to) ?? refusePlace(to)
  const prefix = place.key && `${place.key.replace(/\/+$/, '')}/`
  const name = `winnow-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.tar.gz${env.BACKUP_PASSPHRASE ? '.age' : ''}`
  return withBucket(place, (bucket) =>
    inTemporary(async (folder) => {
      const file = path.join(folder, name)
      const manifest = await backUp(file, report)
      const key = prefix + name
      await bucket.upload(file, key, report)
      const copy = path.join(folder, 'copy')
      await bucket.download(key, copy, report)
      if ((await sha256Of(copy)) !== (await sha256Of(file)))
        throw new OperatorError(`${key} in the bucket differs from the backup. Try again.`)
      const old = keep === undefined ? [] : (await listBackups(bucket, prefix)).slice(0, -keep)
      for (const each of old) await bucket.remove(each)
      return { manifest, url: `s3://${place.bucket}/${key}`, removed: old.length }
    }),
  )
}

/** Runs work on a backup: a file, an object in a bucket, or the newest one below a prefix that ends with a slash. */
export async function withBackupFile<T>(from: string, report: ProgressReport, work: (file: string) => Promise<T>): Promise<T> {
  const place = bucketPlace(from)
  if (!place) return work(from)
  return withBucket(place, (bucket) =>
    inTemporary(async (folder) => {
      const key = await keyOf(bucket, place)
      const file = path.join(folder, path.basename(key))
      await bucket.download(key, file, report)
      return work(file)
    }),
  )
}

async function keyOf(bucket: BackupBucket, { bucket: name, key }: BucketPlace): Promise<string> {
  if (key && !key.endsWith('/')) return key
  const newest = (await listBackups(bucket, key)).at(-1)
  if (newest) return newest
  throw new OperatorError(`There is no backup at s3://${name}/${key}: check the bucket and the prefix.`)
}

/** The backups directly below a prefix, oldest first. Other objects are none of ours. */
async function listBackups(bucket: BackupBucket, prefix: string): Promise<string[]> {
  const keys = await bucket.list(prefix)
  return keys.filter((key) => NAME.test(key.slice(prefix.length))).toSorted()
}

/**
 * Restores a backup into an embedded database that is deleted afterwards, compares every row and file with its checksum, and opens its keys.
 * The installation does not change.
 */
export async function drill(file: string, report: ProgressReport): Promise<BackupManifest> {
  return inTemporary(async (folder) => {
    const manifest = await unpackArchive(file, folder, report)
    const inTheEnd = (trx: Parameters<typeof refuseForeignSecrets>[0]) => refuseForeignSecrets(trx, path.join(folder, 'keys'))
    await load({ folder: path.join(folder, 'drill') }, folder, manifest, { report, durable: false, inTheEnd })
    return manifest
  })
}

async function inTemporary<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const dataDir = path.resolve(env.DATA_DIR)
  makeFolder(dataDir)
  const { folder, end } = makeTemporary(dataDir)
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
    end()
  }
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return hash.digest('hex')
}

function refusePlace(to: string): never {
  throw new OperatorError(`--to must be a place in a bucket, such as s3://backups/winnow, not ${to}.`)
}
