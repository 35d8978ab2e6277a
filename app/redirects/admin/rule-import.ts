import { z } from 'zod/mini'
import { numberText } from '#app/platform/text/english-number.ts'
import { fileLimits, format, ruleFields } from '#app/redirects/formats/rule-file.ts'
import { problemKinds } from '#app/redirects/rules/redirect-problem.ts'

export const REDIRECT_IMPORT = '/api/redirects/import'
export const REDIRECT_EXPORT = '/api/redirects/export'

const LONG = `The file can have at most ${numberText(fileLimits.characters)} characters and ${numberText(fileLimits.lines)} lines`
const FLAG = 'This must be true or false'

const ruleField = z.nullable(z.enum(ruleFields, `A column is one of ${ruleFields.join(', ')}, or null`))

export const importBody = z.object({
  format,
  text: z.string('The text of the file is required').check(
    z.minLength(1, 'The text of the file is required'),
    z.maxLength(fileLimits.characters, LONG),
    z.refine((text) => text.split('\n', fileLimits.lines + 2).length <= fileLimits.lines + 1, LONG),
  ),
  /** The field of each column of a CSV file. Without it, the names of the columns decide. */
  columns: z.optional(z.array(ruleField).check(z.maxLength(200, 'A file can have at most 200 columns'))),
  /** Whether the rules replace the whole list. */
  replace: z._default(z.boolean(FLAG), false),
  /** Whether to import rules that make a chain, are never reached, or hide a page. */
  confirm: z._default(z.boolean(FLAG), false),
})

export type ImportBody = z.infer<typeof importBody>

export const importQuery = z.object({ dry: z._default(z.enum(['true', 'false'], 'dry must be true or false'), 'true') })
/** Excel is for reading; the others can be imported again, here or there. */
export const exportFormats = z.enum([...format.options, 'xlsx'], 'The format is csv, xlsx, json, apache or nginx')

export type RedirectExportFormat = z.infer<typeof exportFormats>

export const exportQuery = z.object({ format: exportFormats })

/** `new` is imported, `doubtful` only when confirmed. A `problem` would make a loop; a `refused` line is no valid rule. */
export const lineStates = ['new', 'doubtful', 'duplicate', 'problem', 'refused'] as const

const importLine = z.object({
  line: z.number(),
  text: z.string(),
  state: z.enum(lineStates),
  /** Set for every state but `new`. */
  reason: z.optional(z.string()),
  kind: z.optional(z.enum(problemKinds)),
  path: z.optional(z.array(z.string())),
  /** The corrections that were made in the line. */
  notes: z.optional(z.array(z.string())),
  rule: z.optional(z.object({ fromPath: z.string(), toPath: z.string(), statusCode: z.number() })),
})

export type ImportLine = z.infer<typeof importLine>

/** The outcome of an import or of a dry run, line by line. */
export const importReport = z.object({
  /** The names of the columns of a CSV file, and their fields; empty where its first line is a rule. */
  heads: z.array(z.string()),
  columns: z.array(ruleField),
  lines: z.array(importLine),
  /** The number of rules written; 0 for a dry run. */
  written: z.number(),
})

export type RedirectImportReport = z.infer<typeof importReport>

export function countStates(lines: readonly ImportLine[]): Record<ImportLine['state'], number> {
  const counts = { new: 0, doubtful: 0, duplicate: 0, problem: 0, refused: 0 }
  for (const { state } of lines) counts[state] += 1
  return counts
}
