import { organizationName } from '#app/organizations/organization/organization.ts'
import { z } from 'zod/mini'
import { filterOperators } from '#app/datasets/catalog/column.ts'
import { fileFormats, type MadeFormat } from '#app/datasets/catalog/format.ts'

/** All files are below this path; the rest of the URL is signed. */
export const FILES = '/files'

const MOST_COLUMNS = 2000
const LONGEST = 2000

/** The choice is stored, and the database accepts neither NUL nor lone surrogates. */
const KEPT = /^[^\0\p{Cs}]*$/u
const text = z.string('This must be text').check(z.maxLength(LONGEST, 'This is too long'), z.regex(KEPT, 'This must be text without NUL'))

/** A download. Without `columns`, `filters` and `sort`, the file is complete and can be resumed. */
export const downloadBody = z.object({
  downloadType: z.enum(['file', 'api'], 'downloadType is file or api'),
  format: z.optional(z.enum(fileFormats, `format must be one of ${fileFormats.join(', ')}`)),
  /** The number of a version; the current one by default. */
  version: z.optional(z.int('version is a whole number')),
  columns: z.optional(z.array(text, 'columns is a list of names').check(z.maxLength(MOST_COLUMNS, 'Too many columns'))),
  filters: z.optional(
    z.array(
      z.object(
        { column: text, operator: z.enum(filterOperators, `operator must be one of ${filterOperators.join(', ')}`), value: text },
        'A filter has column, operator and value',
      ),
      'filters is a list',
    ),
  ),
  sort: z.optional(z.object({ column: text, descending: z._default(z.boolean('descending is true or false'), false) })),
})

export type DownloadRequest = z.infer<typeof downloadBody>

/** `downloadUrl` is relative to the site's URL. */
export const downloadAnswer = z.object({ downloadUrl: z.string() })

/** A product that a user has downloaded, and their latest choices. */
export const ownDownload = z.object({
  productId: z.string(),
  type: z.enum(['file', 'api']),
  format: z.nullable(z.string()),
  version: z.nullable(z.number()),
  /** For whom it was; missing for the person alone. */
  organization: z.optional(organizationName),
  createdAt: z.string(),
})

export type OwnDownload = z.infer<typeof ownDownload>

/** The files of a version, to verify downloads. Files that were not generated yet are not listed. */
export const downloadManifest = z.object({
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

export type DownloadManifest = z.infer<typeof downloadManifest>

/** The formats of selected rows, which are written while they are sent. */
export const chosenFormats = ['csv', 'csv-raw', 'jsonl', 'xlsx'] as const satisfies readonly MadeFormat[]

/** `1` for CSV with unchanged values, for programs. */
export const rawText = z.optional(z.enum(['0', '1'], 'raw is 0 or 1'))
