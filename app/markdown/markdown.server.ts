import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/stop.ts'
import { render, type Rendered, Unrenderable } from './rendering.server.ts'

export type { Rendered }

/** One more whenever the same Markdown becomes other HTML: stored posts are then rendered anew. */
export const RENDERING = 1

/** Cleaned HTML of what staff wrote. What cannot be rendered is refused with a sentence (422). */
export async function renderMarkdown(source: string): Promise<Rendered> {
  try {
    return await render(source, { site: env.SITE_URL, pictures: new Map() })
  } catch (error) {
    if (error instanceof Unrenderable) return stop('unprocessable', error.message, { errors: { content: error.message } })
    throw error
  }
}
