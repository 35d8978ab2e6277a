import { findPictures, picturesNamedIn } from '#app/images/picture.server.ts'
import { renderMarkdown } from '#app/markdown/markdown.server.ts'
import { shortened } from '#app/platform/clean-text.ts'
import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/stop.ts'
import { isFeaturedImage, NO_FEATURED_IMAGE, type PostBody } from './post.ts'

/**
 * The columns that follow from what was sent alone, its Markdown rendered, and `pictures`: those of ours that it shows. Takes a moment, so it is done
 * before a transaction.
 */
export async function preparePost({ slug, title, content, tags, ...body }: PostBody) {
  if (body.featuredImage && !isFeaturedImage(body.featuredImage, env.SITE_URL)) {
    stop('unprocessable', NO_FEATURED_IMAGE, { code: 'validation_failed', errors: { featuredImage: NO_FEATURED_IMAGE } })
  }
  const pictures = await findPictures(picturesNamedIn(`${body.featuredImage ?? ''}\n${content}`))
  const { html, headings, words, rendering } = await renderMarkdown(content)
  return {
    slug,
    title,
    content,
    tags,
    excerpt: body.excerpt || excerptOf(html) || title,
    featuredImage: body.featuredImage || null,
    metaTitle: body.metaTitle || null,
    metaDescription: body.metaDescription || null,
    html,
    headings: JSON.stringify(headings),
    words,
    rendering,
    pictures: [...pictures.keys()],
  }
}

/** In characters: two lines of a card, and what search engines show. */
const EXCERPT = 200

/** The beginning of the running text, up to the end of a word. */
function excerptOf(html: string): string {
  const paragraphs = [...html.matchAll(/<p\b[^>]*>(.*?)<\/p>/gs)].map(([, inner = '']) => inner)
  const text = toText(paragraphs.join(' ')) || toText(html)
  return shortened(text, EXCERPT)
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function toText(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{1,10}));/gi, (whole, hex?: string, decimal?: string, name?: string) =>
      name ? (entities[name] ?? whole) : letterOf(hex ? Number.parseInt(hex, 16) : Number(decimal)),
    )
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function letterOf(codePoint: number): string {
  return codePoint > 0x1f && codePoint <= 0x10_ff_ff ? String.fromCodePoint(codePoint).toWellFormed() : ' '
}
