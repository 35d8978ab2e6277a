import { z } from 'zod/mini'
import { storedFields } from './post.ts'

/** A version of a post. `editor` is a name, while they have an account. */
export const listedRevision = z.object({
  version: z.number(),
  title: z.string(),
  published: z.boolean(),
  publishedAt: z.nullable(z.string()),
  editorId: z.string(),
  editor: z.nullable(z.string()),
  createdAt: z.string(),
})

export type ListedRevision = z.infer<typeof listedRevision>

export const revision = z.object({ ...listedRevision.shape, fields: storedFields })

export type Revision = z.infer<typeof revision>
export type RevisionFields = Revision['fields']

export const revisionPage = z.object({ items: z.array(listedRevision), total: z.number(), page: z.number(), pages: z.number() })

export type RevisionPage = z.infer<typeof revisionPage>

/** The difference of two versions: single-line fields before and after, and the content in runs of lines. */
export const revisionDiff = z.object({
  from: z.number(),
  to: z.number(),
  fields: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
  content: z.array(z.object({ kind: z.enum(['same', 'added', 'removed']), lines: z.array(z.string()) })),
})

export type RevisionDiff = z.infer<typeof revisionDiff>

const NUMBER = 'Pages count from 1.'

export const revisionQuery = z.object({
  page: z._default(z.coerce.number(NUMBER).check(z.int(NUMBER), z.minimum(1, NUMBER), z.maximum(1_000_000, NUMBER)), 1),
})
