import { z } from 'zod/mini'
import { postBody } from '#app/posts/post.ts'

const DAYS = 'A link is good for 1 to 30 days.'

/** What the editor asks to see: only what is written in Markdown is rendered. */
export const previewBody = z.pick(postBody, { content: true })

/** The content as it will be published. */
export const rendered = z.object({
  html: z.string(),
  headings: z.array(z.object({ id: z.string(), depth: z.number(), title: z.string() })),
  words: z.number(),
  readingMinutes: z.number(),
})

export type RenderedPreview = z.infer<typeof rendered>

export const linkBody = z.object({ days: z._default(z.number(DAYS).check(z.int(DAYS), z.minimum(1, DAYS), z.maximum(30, DAYS)), 7) })

/** A link that shows a post to whoever has it. Its address is told once, when it is made. */
export const previewLink = z.object({
  id: z.string(),
  expiresAt: z.string(),
  createdAt: z.string(),
  createdBy: z.nullable(z.string()),
})

export type PreviewLink = z.infer<typeof previewLink>

export const newPreviewLink = z.object({ ...previewLink.shape, url: z.string() })

export type NewPreviewLink = z.infer<typeof newPreviewLink>
