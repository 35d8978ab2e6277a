import { findImageReferences, picturesNamedIn } from '#app/blog/images/picture.server.ts'
import { renderMarkdown } from '#app/blog/markdown/markdown.server.ts'
import { shortened } from '#app/platform/clean-text.ts'
import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/stop.ts'
import { isFeaturedImage, NO_FEATURED_IMAGE, type PostBody } from './post.ts'

/**
 * Derives columns from the request alone, renders the Markdown, and lists the library images in `pictures`. It is slow, so it runs before
 * the transaction.
 */
export async function preparePost({ slug, title, content, tags, ...body }: PostBody) {
  if (body.featuredImage && !isFeaturedImage(body.featuredImage, env.SITE_URL)) {
    stop('unprocessable', NO_FEATURED_IMAGE, { code: 'validation_failed', errors: { featuredImage: NO_FEATURED_IMAGE } })
  }
  const pictures = await findImageReferences(picturesNamedIn(`${body.featuredImage ?? ''}\n${content}`))
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

/** In characters: two lines of a card, and as much as search engines show. */
const EXCERPT = 200

/** The beginning of the text, cut after a whole word. */
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
      name ? (entities[name] ?? whole) : emailOf(hex ? Number.parseInt(hex, 16) : Number(decimal)),
    )
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function emailOf(codePoint: number): string {
  return codePoint > 0x1f && codePoint <= 0x10_ff_ff ? String.fromCodePoint(codePoint).toWellFormed() : ' '
}
