import rehypeParse from 'rehype-parse'
import { unified } from 'unified'
import { type Relink, treeToMarkdown } from '#app/blog/markdown/html-to-markdown.ts'

const MOST_HTML = 1024 * 1024

const reading = unified().use(rehypeParse, { fragment: true })

/** Converts HTML to Markdown without scripts, styles and comments, or returns the reason why it cannot. */
export function toMarkdown(html: string, relink: Relink): string | { reason: string } {
  if (html.length > MOST_HTML) return { reason: 'Its text is larger than 1 MB.' }
  try {
    return treeToMarkdown(reading.parse(html), relink)
  } catch (error) {
    if (error instanceof RangeError) return { reason: 'Its elements are nested too deeply.' }
    throw error
  }
}
