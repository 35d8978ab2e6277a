import { z } from 'zod/mini'
import { filterOperators } from '#app/datasets/column.ts'
import { fileFormats, type MadeFormat } from '#app/datasets/format.ts'

/** What every file is asked for below; the rest of the address is signed. */
export const FILES = '/files'

const MOST_COLUMNS = 2000
const LONGEST = 2000

/** A download is noted with what was wished, and the database keeps neither NUL nor half of a character. */
const KEPT = /^[^\0\p{Cs}]*$/u
const text = z.string('This must be text').check(z.maxLength(LONGEST, 'This is too long'), z.regex(KEPT, 'This must be text without NUL'))

/** How someone takes a product. Without `columns`, `filters` and `sort` a file comes as a whole, and can be resumed. */
export const downloadBody = z.object({
  downloadType: z.enum(['file', 'api'], 'downloadType is file or api'),
  format: z.optional(z.enum(fileFormats, `format is one of ${fileFormats.join(', ')}`)),
  /** The number of a version; the current one without it. */
  version: z.optional(z.int('version is a whole number')),
  columns: z.optional(z.array(text, 'columns is a list of names').check(z.maxLength(MOST_COLUMNS, 'These are too many columns'))),
  filters: z.optional(
    z.array(
      z.object(
        { column: text, operator: z.enum(filterOperators, `operator is one of ${filterOperators.join(', ')}`), value: text },
        'A filter has column, operator and value',
      ),
      'filters is a list',
    ),
  ),
  sort: z.optional(z.object({ column: text, descending: z._default(z.boolean('descending is true or false'), false) })),
})

export type DownloadWish = z.infer<typeof downloadBody>

/** `downloadUrl` is below the address of the site. */
export const downloadAnswer = z.object({ downloadUrl: z.string() })

/** A product that somebody has taken as a file, and how they did it last. */
export const ownDownload = z.object({
  productId: z.string(),
  type: z.enum(['file', 'api']),
  format: z.nullable(z.string()),
  version: z.nullable(z.number()),
  createdAt: z.string(),
})

export type OwnDownload = z.infer<typeof ownDownload>

/** What a version is made of, for who checks what they have taken. A file that nobody has asked for yet is not listed. */
export const manifest = z.object({
  product: z.object({ id: z.string(), slug: z.string(), name: z.string() }),
  version: z.number(),
  publishedAt: z.nullable(z.string()),
  rows: z.number(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  files: z.array(
    z.object({
      format: z.enum(fileFormats),
      name: z.string(),
      bytes: z.number(),
      /** In hexadecimal digits. */
      sha256: z.string(),
      mediaType: z.string(),
    }),
  ),
})

export type Manifest = z.infer<typeof manifest>

/** What rows that somebody has chosen are written as, while they are read. */
export const chosenFormats = ['csv', 'csv-raw', 'jsonl'] as const satisfies readonly MadeFormat[]

/** `1` where the values of CSV have to come as they are, for programs. */
export const rawText = z.optional(z.enum(['0', '1'], 'raw is 0 or 1'))
