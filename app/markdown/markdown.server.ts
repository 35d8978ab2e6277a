import { sizesOf } from '#app/images/picture.ts'
import { findPictures, picturesNamedIn } from '#app/images/picture.server.ts'
import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/stop.ts'
import { renderInThread } from './rendering-thread.server.ts'
import { render, type Rendered as Made, Unrenderable } from './rendering.server.ts'

/** One more whenever the same Markdown becomes other HTML: stored posts are then rendered anew. */
export const RENDERING = 2

export type Rendered = Made & { rendering: number }

/** In characters. What is longer, or has code in it, could keep all other requests waiting. */
const SHORT = 2_000

/** Cleaned HTML of what staff wrote. What cannot be rendered is refused with a sentence (422). */
export async function renderMarkdown(source: string): Promise<Rendered> {
  const surroundings = { site: env.SITE_URL, pictures: await picturesIn(source) }
  const isQuick = source.length <= SHORT && !/```|~~~/.test(source)
  try {
    return { ...(await (isQuick ? render : renderInThread)(source, surroundings)), rendering: RENDERING }
  } catch (error) {
    if (error instanceof Unrenderable) return stop('unprocessable', error.message, { errors: { content: error.message } })
    throw error
  }
}

/** What is stored of the pictures of our own that a text names. */
async function picturesIn(source: string) {
  const found = await findPictures(picturesNamedIn(source))
  return new Map([...found].map(([id, picture]) => [id, sizesOf(picture)]))
}
