import { sizesOf } from '#app/blog/images/picture.ts'
import { findImageReferences, picturesNamedIn } from '#app/blog/images/picture.server.ts'
import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { renderInThread } from './rendering-thread.server.ts'
import type { RenderedMarkdown as Made } from './rendering.server.ts'
import { Unrenderable } from './unrenderable.ts'

/** Increase it whenever the same Markdown gives other HTML: stored posts are then rendered again. */
export const RENDERING = 2

export type RenderedPost = Made & { rendering: number }

/** In characters. A longer text, or one with code, could block other requests. */
const SHORT = 2_000

/** Renders and sanitizes Markdown of staff. A text that cannot be rendered is refused with a message (422). */
export async function renderMarkdown(source: string): Promise<RenderedPost> {
  const surroundings = { site: env.SITE_URL, pictures: await picturesIn(source) }
  const isQuick = source.length <= SHORT && !/```|~~~/.test(source)
  try {
    return { ...(await (isQuick ? renderHere : renderInThread)(source, surroundings)), rendering: RENDERING }
  } catch (error) {
    if (error instanceof Unrenderable) return stop('unprocessable', error.message, { errors: { content: error.message } })
    throw error
  }
}

/** Most starts render nothing, so none of them loads the parser. */
async function renderHere(...given: Parameters<typeof renderInThread>): Promise<Made> {
  const { render } = await import('./rendering.server.ts')
  return render(...given)
}

/** The stored sizes of the library images in a text. */
async function picturesIn(source: string) {
  const found = await findImageReferences(picturesNamedIn(source))
  return new Map([...found].map(([id, picture]) => [id, sizesOf(picture)]))
}
