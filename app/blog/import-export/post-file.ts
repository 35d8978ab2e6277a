import { z } from 'zod/mini'
import { dateOrders } from '#app/platform/reading/column-reading.ts'

export const POST_IMPORT = '/api/blog/import'
export const POST_EXPORT = '/api/blog/export.zip'

/** Maximum archive size in bytes. */
export const MOST_ARCHIVE_BYTES = 50 * 1024 * 1024
export const ARCHIVE_TOO_LARGE = 'This archive is too large. The limit is 50 MB.'

/** The outcome for a file of an archive. `kept`: its slug belongs to a post that is not replaced. `same`: it changes nothing. */
export const fileStates = ['new', 'changed', 'kept', 'same', 'refused', 'failed'] as const

/** One line of the report. `notes` name what was left out, such as an image that is not in the archive. */
export const importedFile = z.object({
  name: z.string(),
  state: z.enum(fileStates),
  title: z.optional(z.string()),
  slug: z.optional(z.string()),
  isPublished: z.optional(z.boolean()),
  /** The path on the old site that now redirects (301) to the post. */
  oldPath: z.optional(z.string()),
  reason: z.optional(z.string()),
  notes: z.optional(z.array(z.string())),
  /** A date with more than one reading. `dateOrder` chooses one for all files. */
  dateQuestion: z.optional(z.object({ text: z.string(), readings: z.array(z.object({ value: z.enum(dateOrders), reads: z.string() })) })),
  /** The total number of files, to show progress. */
  of: z.number(),
})

export type ImportedFile = z.infer<typeof importedFile>

/** How to handle an existing post with the same slug. */
export const conflictChoices = ['skip', 'replace'] as const
export type ConflictChoice = (typeof conflictChoices)[number]
