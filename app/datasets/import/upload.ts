import { z } from 'zod/mini'
import { manyLines, oneLine } from '#app/platform/clean-text.ts'

/** Uploads by the tus protocol. */
export const UPLOADS = '/api/dataset-uploads'
export const TUS_VERSION = '1.0.0'
export const CHUNK_TYPE = 'application/offset+octet-stream'

/** In bytes: 2 GB. */
export const MOST_UPLOAD = 2 * 1024 ** 3

/**
 * In bytes: a chunk of our own pages, a part in a bucket (5 MiB is the least there), and the most that a killed process has to receive again.
 */
export const PART_BYTES = 8_000_000

const name = 'Name the file: at most 200 characters'

/** `Upload-Metadata`, with `Upload-Length` as `bytes`. With `sha256` in hexadecimal, a file that differs is refused. */
export const newUpload = z.object({
  productId: z.uuid('Name the product by its id'),
  filename: z.string(name).check(z.overwrite(oneLine), z.minLength(1, name), z.maxLength(200, name)),
  bytes: z
    .int('Say how many bytes the file has')
    .check(z.minimum(1, 'This file is empty.'), z.maximum(MOST_UPLOAD, 'A file may have at most 2 GB.')),
  sha256: z.optional(z.string().check(z.toLowerCase(), z.regex(/^[\da-f]{64}$/, 'A SHA-256 has 64 hexadecimal digits'))),
  changes: z._default(
    z.string('Say in words what changed').check(z.overwrite(manyLines), z.maxLength(2000, 'What changed takes at most 2,000 characters')),
    '',
  ),
})

/** An upload in a bucket: its multipart upload, the tags of whole parts, and the bytes that are stored after them. */
export type StoredParts = { uploadId: string; tags: string[]; tail: number }
