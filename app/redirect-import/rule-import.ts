import { z } from 'zod/mini'
import { fileLimits, format } from '#app/redirect-files/rule-file.ts'
import { problemKinds } from '#app/redirects/redirect-problem.ts'

export const IMPORT = '/api/redirects/import'
export const EXPORT = '/api/redirects/export'

const LONG = `The file may have ${fileLimits.characters.toLocaleString('en')} characters and ${fileLimits.lines.toLocaleString('en')} lines at most`
const FLAG = 'This is true or false'

export const importBody = z.object({
  format,
  text: z.string('The text of the file is required').check(
    z.minLength(1, 'The text of the file is required'),
    z.maxLength(fileLimits.characters, LONG),
    z.refine((text) => text.split('\n', fileLimits.lines + 2).length <= fileLimits.lines + 1, LONG),
  ),
  /** Whether these take the place of all that there are. */
  replace: z._default(z.boolean(FLAG), false),
  /** Whether rules are taken that make a chain, are never reached, or hide a page. */
  confirm: z._default(z.boolean(FLAG), false),
})

export type ImportBody = z.infer<typeof importBody>

export const importQuery = z.object({ dry: z._default(z.enum(['true', 'false'], 'dry is true or false'), 'true') })
export const exportQuery = z.object({ format })

/** `new` is taken, `doubtful` when that is confirmed; `problem` would lead in a circle, `refused` is no rule here. */
export const lineStates = ['new', 'doubtful', 'duplicate', 'problem', 'refused'] as const

const importLine = z.object({
  line: z.number(),
  text: z.string(),
  state: z.enum(lineStates),
  /** Why it is not simply new. */
  reason: z.optional(z.string()),
  kind: z.optional(z.enum(problemKinds)),
  path: z.optional(z.array(z.string())),
  rule: z.optional(z.object({ fromPath: z.string(), toPath: z.string(), statusCode: z.number() })),
})

export type ImportLine = z.infer<typeof importLine>

/** What an import would do, or has done, line by line. */
export const importReport = z.object({
  lines: z.array(importLine),
  /** How many rules were written; 0 for a look. */
  written: z.number(),
})

export type ImportReport = z.infer<typeof importReport>

export function countStates(lines: readonly ImportLine[]): Record<ImportLine['state'], number> {
  const counts = { new: 0, doubtful: 0, duplicate: 0, problem: 0, refused: 0 }
  for (const { state } of lines) counts[state] += 1
  return counts
}
