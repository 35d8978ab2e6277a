import { shortened } from '#app/platform/text/shortened.ts'

/** In characters: two lines of a card, and as much as search engines show. */
const EXCERPT = 200

/** The beginning of the text, cut after a whole word. */
export function excerptOf(html: string): string {
  return shortened(runningText(html), EXCERPT)
}

/** The lead paragraph above the text of a post: its excerpt, unless the text begins with it or the title is the same. */
export function leadOf({ title, excerpt, html }: { title: string; excerpt: string; html: string }): string | undefined {
  const words = excerpt.replace(/\s*(…|\.\.\.|\[…\])$/, '')
  return words === '' || words === title || runningText(html).startsWith(words) ? undefined : excerpt
}

function runningText(html: string): string {
  const paragraphs = [...html.matchAll(/<p\b[^>]*>(.*?)<\/p>/gs)].map(([, inner = '']) => inner)
  return toText(paragraphs.join(' ')) || toText(html)
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function toText(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{1,10}));/gi, (whole, hex?: string, decimal?: string, name?: string) =>
      name ? (entities[name] ?? whole) : characterOf(hex ? Number.parseInt(hex, 16) : Number(decimal)),
    )
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function characterOf(codePoint: number): string {
  return codePoint > 0x1f && codePoint <= 0x10_ff_ff ? String.fromCodePoint(codePoint).toWellFormed() : ' '
}
