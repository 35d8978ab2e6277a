import { z } from 'zod/mini'
import { postBody } from './post.ts'

const DAYS = 'A link can last 1 to 30 days.'

/** Only the content is Markdown, so only it is rendered. */
export const previewBody = z.object({ content: postBody.shape.content })

export const rendered = z.object({
  html: z.string(),
  headings: z.array(z.object({ id: z.string(), depth: z.number(), title: z.string() })),
  words: z.number(),
  readingMinutes: z.number(),
})

export type RenderedPreview = z.infer<typeof rendered>

export const linkBody = z.object({ days: z._default(z.number(DAYS).check(z.int(DAYS), z.minimum(1, DAYS), z.maximum(30, DAYS)), 7) })

/** A link that shows a post to anyone who has it. Its URL is returned once, on creation. */
export const previewLink = z.object({
  id: z.string(),
  expiresAt: z.string(),
  createdAt: z.string(),
  createdBy: z.nullable(z.string()),
})

export type PreviewLink = z.infer<typeof previewLink>

export const newPreviewLink = z.object({ ...previewLink.shape, url: z.string() })

export type NewPreviewLink = z.infer<typeof newPreviewLink>
