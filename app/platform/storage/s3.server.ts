import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  NoSuchUpload,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { env } from '#app/platform/env.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { copyHere, forgetCopy } from './cache.server.ts'
import type { FileStore, PartStore } from './disk.server.ts'

const CONNECT_MS = 5000
/** The longest silence of the service. */
const SILENCE_MS = 20_000

/** Functions for local copies. */
type Copies = { copyHere: typeof copyHere; forgetCopy: typeof forgetCopy }

/** A client for an S3-compatible service. */
export function connectBucket(service: { endpoint: string; region: string; accessKeyId: string; secretAccessKey: string }): S3Client {
  const { endpoint, region, ...credentials } = service
  return new S3Client({
    endpoint,
    region,
    credentials,
    // The bucket is part of the path: a service under one name needs no certificate for each bucket.
    forcePathStyle: true,
    // Services other than Amazon's do not know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENCE_MS, requestTimeout: SILENCE_MS },
  })
}

/** Files in a bucket of an S3-compatible service. */
export function inBucket(copies: Copies): FileStore {
  const { S3_ENDPOINT, S3_REGION, S3_BUCKET: Bucket, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = env
  if (!S3_ENDPOINT || !S3_REGION || !Bucket || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) throw new Error('The bucket is not set.')
  const client = connectBucket({
    endpoint: S3_ENDPOINT,
    region: S3_REGION,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  })
  const store: Omit<FileStore, 'local'> = {
    put: (Key, Body) =>
      answered(() => client.send(new PutObjectCommand({ Bucket, Key, Body, ContentLength: Body.byteLength }))).then(() => undefined),
    async putFrom(Key, file) {
      const { size: ContentLength } = await stat(file)
      await answered(() => client.send(new PutObjectCommand({ Bucket, Key, Body: createReadStream(file), ContentLength })))
      await rm(file)
    },
    remove: (Key) => answered(() => client.send(new DeleteObjectCommand({ Bucket, Key }))).then(() => copies.forgetCopy(Key)),
    open: async (Key, range) => {
      const Range = range && `bytes=${range.start}-${range.end}`
      const found = await answered(() => client.send(new GetObjectCommand({ Bucket, Key, ...(Range && { Range }) })))
      if (!(found?.Body instanceof Readable)) return undefined
      const [, whole] = /\/(\d+)$/.exec(found.ContentRange ?? '') ?? []
      return { size: Number(whole ?? found.ContentLength), stream: found.Body }
    },
    async address(Key, { fileName, mediaType: ResponseContentType, seconds: expiresIn }) {
      const ResponseContentDisposition = `attachment; filename="${fileName}"`
      return getSignedUrl(client, new GetObjectCommand({ Bucket, Key, ResponseContentType, ResponseContentDisposition }), { expiresIn })
    },
  }
  return { ...store, local: (key) => copies.copyHere(key, () => store.open(key)), parts: inParts(client, Bucket) }
}

function inParts(client: S3Client, Bucket: string): PartStore {
  return {
    async begin(Key) {
      const begun = await answered(() => client.send(new CreateMultipartUploadCommand({ Bucket, Key })))
      return begun?.UploadId ?? failed()
    },
    async put(Key, UploadId, PartNumber, Body) {
      const part = { Bucket, Key, UploadId, PartNumber, Body, ContentLength: Body.byteLength }
      return (await answered(() => client.send(new UploadPartCommand(part))))?.ETag ?? failed()
    },
    async complete(Key, UploadId, tags) {
      const MultipartUpload = { Parts: tags.map((ETag, at) => ({ ETag, PartNumber: at + 1 })) }
      await answered(() => client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload })))
    },
    async abort(Key, UploadId) {
      await answered(() => client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })))
    },
  }
}

/** The response of the service; undefined where it has no such file or upload. Its errors are for the operator: they can name keys and addresses. */
async function answered<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof NoSuchKey || error instanceof NoSuchUpload) return undefined
    const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
    log.error({ status, type: error instanceof Error ? error.name : undefined }, 'the file storage cannot serve')
    return failed()
  }
}

function failed(): never {
  return stop('unavailable', 'We cannot reach our files just now. Please try again in a moment.', { retryAfter: 5 })
}
