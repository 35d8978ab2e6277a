import { OperatorError } from '#app/platform/errors/operator-error.ts'
import type { openBackupBucket } from './backup-bucket.server.ts'

/** A place in a bucket, as in `s3://bucket/prefix`. */
export type BucketPlace = { bucket: string; key: string }

/** The place that a URL names; undefined for the name of a file. */
export function bucketPlace(url: string): BucketPlace | undefined {
  const [, bucket, key = ''] = /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/(.*))?$/.exec(url) ?? []
  if (bucket) return { bucket, key }
  if (url.startsWith('s3:')) throw new OperatorError(`${url} must name a bucket and a prefix, such as s3://backups/winnow.`)
  return undefined
}

export type BackupBucket = ReturnType<typeof openBackupBucket>

/** The S3 client is loaded only where it is used. The service is the one of backups, unless it is that of the files. */
export async function withBucket<T>(
  { bucket: name }: Pick<BucketPlace, 'bucket'>,
  work: (bucket: BackupBucket) => Promise<T>,
  service: 'backups' | 'files' = 'backups',
): Promise<T> {
  const { openBackupBucket } = await import('./backup-bucket.server.ts')
  const bucket = openBackupBucket(name, service)
  try {
    return await work(bucket)
  } finally {
    bucket.close()
  }
}
