import { createHash } from 'node:crypto'
import { z } from 'zod'

/** What an archive says of itself, as its first entry. */
export const manifest = z.object({
  product: z.literal('winnow', 'the archive of another product'),
  format: z.literal(1, 'an archive of a later version'),
  createdAt: z.iso.datetime(),
  /** The migrations that its tables had been through. */
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

export type Manifest = z.infer<typeof manifest>

export const MANIFEST = 'manifest.json'

export function tableEntry(table: string): string {
  return `tables/${table}.jsonl`
}

/** Counts and hashes what passes through. */
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
