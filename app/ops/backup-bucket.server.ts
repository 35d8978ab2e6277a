import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { env } from '#app/platform/env.server.ts'
import { OperatorError } from '#app/platform/errors/operator-error.ts'
import { propertyOf } from '#app/platform/errors/property.ts'
import { connectBucket } from '#app/platform/storage/s3.server.ts'
import { countPhase, type ProgressReport } from './progress.server.ts'

const LEAST_PART_BYTES = 16 * 1024 ** 2
/** A service accepts 10,000. */
const MOST_PARTS = 9000

/** Backups in a bucket. The service is the one of the files, unless the BACKUP_S3_… settings name another. */
export function openBackupBucket(Bucket: string, service: 'backups' | 'files' = 'backups') {
  const client = connect(service)
  const ask = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      const reason = propertyOf(error, 'name') || propertyOf(error, 'code') || 'no answer'
      throw new OperatorError(`The bucket ${Bucket} cannot be used (${reason}): check the S3_… settings and the rights of the key.`, {
        cause: error,
      })
    })
  return {
    upload: (file: string, Key: string, report: ProgressReport) => ask(upload(client, { Bucket, Key }, file, report)),
    download: (Key: string, file: string, report: ProgressReport) => ask(download(client, { Bucket, Key }, file, report)),
    list: (prefix: string) => ask(list(client, Bucket, prefix)),
    put: (Key: string, Body: Uint8Array) =>
      ask(client.send(new PutObjectCommand({ Bucket, Key, Body, ContentLength: Body.byteLength }))).then(() => undefined),
    remove: (Key: string) => ask(client.send(new DeleteObjectCommand({ Bucket, Key }))).then(() => undefined),
    close: () => client.destroy(),
  }
}

function connect(service: 'backups' | 'files'): S3Client {
  const own = service === 'backups' ? env : undefined
  const endpoint = own?.BACKUP_S3_ENDPOINT ?? env.S3_ENDPOINT
  const region = own?.BACKUP_S3_REGION ?? env.S3_REGION
  const accessKeyId = own?.BACKUP_S3_ACCESS_KEY_ID ?? env.S3_ACCESS_KEY_ID
  const secretAccessKey = own?.BACKUP_S3_SECRET_ACCESS_KEY ?? env.S3_SECRET_ACCESS_KEY
  if (endpoint && region && accessKeyId && secretAccessKey) return connectBucket({ endpoint, region, accessKeyId, secretAccessKey })
  throw new OperatorError(
    'A bucket needs BACKUP_S3_ENDPOINT, BACKUP_S3_REGION, BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY, or the S3_… settings of the files.',
  )
}

type Place = { Bucket: string; Key: string }

async function upload(client: S3Client, place: Place, file: string, report: ProgressReport): Promise<void> {
  const { size } = statSync(file)
  const partBytes = Math.max(LEAST_PART_BYTES, Math.ceil(size / MOST_PARTS))
  const sent = countPhase(report, { phase: 'Uploading the backup', total: size, unit: 'bytes' })
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(place))
  const Parts: { ETag: string | undefined; PartNumber: number }[] = []
  try {
    for (let start = 0; start < size; start += partBytes) {
      const end = Math.min(start + partBytes, size)
      // A buffer, so that a failed attempt can be repeated.
      const Body = Buffer.concat(await Array.fromAsync<Buffer>(createReadStream(file, { start, end: end - 1 })))
      const PartNumber = Parts.length + 1
      const { ETag } = await client.send(new UploadPartCommand({ ...place, UploadId, PartNumber, Body, ContentLength: Body.length }))
      Parts.push({ ETag, PartNumber })
      sent(Body.length)
    }
    await client.send(new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts } }))
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand({ ...place, UploadId })).catch(() => undefined)
    throw error
  }
}

async function download(client: S3Client, place: Place, file: string, report: ProgressReport): Promise<void> {
  const { Body, ContentLength = 0 } = await client.send(new GetObjectCommand(place))
  if (!(Body instanceof Readable)) throw new Error('The service sent no content.')
  const read = countPhase(report, { phase: 'Downloading the backup', total: ContentLength, unit: 'bytes' })
  await pipeline(
    Body.on('data', (chunk: Buffer) => read(chunk.length)),
    createWriteStream(file, { mode: 0o600 }),
  )
}

async function list(client: S3Client, Bucket: string, Prefix: string): Promise<string[]> {
  const keys: string[] = []
  let ContinuationToken: string | undefined
  do {
    const page = await client.send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }))
    keys.push(...(page.Contents ?? []).flatMap(({ Key }) => Key ?? []))
    ContinuationToken = page.NextContinuationToken
  } while (ContinuationToken)
  return keys
}
