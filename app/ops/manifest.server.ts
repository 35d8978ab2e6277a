import { createHash } from 'node:crypto'
import { z } from 'zod'

/** The first entry of an archive: a description of its content. */
export const backupManifest = z.object({
  product: z.literal('winnow', 'the archive of another product'),
  format: z.literal(1, 'an archive of a later version'),
  createdAt: z.iso.datetime(),
  /** Migrations that its tables include. */
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.int() })),
  entries: z.array(
    z.object({
      name: z.string().regex(/^(tables|files|keys)\/(?!.*(^|\/)\.\.(\/|$))[^\0\\]+$/, 'a name inside of the archive'),
      size: z.int(),
      sha256: z.string(),
    }),
  ),
})

export type BackupManifest = z.infer<typeof backupManifest>

export const MANIFEST = 'manifest.json'

export function tableEntry(table: string): string {
  return `tables/${table}.jsonl`
}

/** Counts and hashes the bytes of a stream. */
export function digest() {
  const hash = createHash('sha256')
  const state = { size: 0 }
  return {
    add(chunk: Buffer | string) {
      hash.update(chunk)
      state.size += Buffer.byteLength(chunk)
    },
    end: () => ({ size: state.size, sha256: hash.digest('hex') }),
  }
}
