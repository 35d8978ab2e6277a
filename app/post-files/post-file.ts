import { z } from 'zod/mini'

export const IMPORT = '/api/blog/import'
export const EXPORT = '/api/blog/export.zip'

/** Bytes of the largest archive that is taken. */
export const MOST_ARCHIVE_BYTES = 50 * 1024 * 1024
export const ARCHIVE_TOO_LARGE = 'This archive is too large: it can have at most 50 MB.'

/** What becomes of a file of an archive, or would become of it. `kept` is one whose slug has a post that is not replaced, `same` one that changes nothing. */
export const fileStates = ['new', 'changed', 'kept', 'same', 'refused', 'failed'] as const

/** One line of the report. `notes` tell what was left as it is, such as a picture that is not in the archive. */
export const importedFile = z.object({
  name: z.string(),
  state: z.enum(fileStates),
  title: z.optional(z.string()),
  slug: z.optional(z.string()),
  isPublished: z.optional(z.boolean()),
  /** The address on the old site from which a 301 leads to the post. */
  oldPath: z.optional(z.string()),
  reason: z.optional(z.string()),
  notes: z.optional(z.array(z.string())),
  /** How many files there are in all, so that whoever waits knows how far it is. */
  of: z.number(),
})

export type ImportedFile = z.infer<typeof importedFile>

/** What becomes of a post that is there already. */
export const conflictChoices = ['skip', 'replace'] as const
export type ConflictChoice = (typeof conflictChoices)[number]
