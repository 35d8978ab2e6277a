import { z } from 'zod/mini'
import { manyLines, oneLine } from '#app/platform/clean-text.ts'

/** In bytes: 2 GB. */
export const MOST_UPLOAD = 2 * 1024 ** 3

const name = 'Name the file: at most 200 characters'

/** A new upload. With `sha256` in hexadecimal, a file that differs is refused. */
export const uploadBody = z.object({
  fileName: z.string(name).check(z.overwrite(oneLine), z.minLength(1, name), z.maxLength(200, name)),
  bytes: z
    .int('Say how many bytes the file has')
    .check(z.minimum(1, 'This file is empty.'), z.maximum(MOST_UPLOAD, 'A file may have at most 2 GB.')),
  sha256: z.optional(z.string().check(z.toLowerCase(), z.regex(/^[\da-f]{64}$/, 'A SHA-256 has 64 hexadecimal digits'))),
  changes: z._default(
    z.string('Say in words what changed').check(z.overwrite(manyLines), z.maxLength(2000, 'What changed takes at most 2,000 characters')),
    '',
  ),
})

export type UploadBody = z.infer<typeof uploadBody>

/** `received`: the bytes safely stored, where the next chunk begins. `versionId`: set once the upload is complete. */
export const upload = z.object({ id: z.string(), bytes: z.number(), received: z.number(), versionId: z.nullable(z.string()) })

export type UploadState = z.infer<typeof upload>
