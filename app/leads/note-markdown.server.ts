import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkBreaks from 'remark-breaks'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { stop } from '#app/platform/stop.ts'

/** No pictures: a note must not tell another server that it is read. No headings: they would mix with those of the page. */
const tagNames = 'p br strong em del code pre blockquote ul ol li a hr table thead tbody tr th td'.split(' ')

const markdown = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkBreaks)
  .use(remarkRehype)
  .use(rehypeSanitize, {
    ...defaultSchema,
    tagNames,
    attributes: { a: ['href'], th: [['align', 'left', 'right', 'center']], td: [['align', 'left', 'right', 'center']], ol: ['start'] },
    protocols: { href: ['http', 'https', 'mailto'] },
    strip: ['script', 'style', 'section'],
  })
  .use(rehypeStringify)

/**
 * The parser's time grows with the square of some signs, and each level of quotes and lists costs more than the one before. No real note
 * comes near these bounds; within them, 10,000 characters take about 0.15 s of computing.
 */
const MOST = { lines: 600, signs: 1_000, markers: 600, depth: 6 }

const MARKERS = /^(?:[ \t]*(?:>|[-*+](?=\s)|\d{1,9}[.)](?=\s)))+/gm
const MARKER = />|[-*+]|\d+[.)]/g
const SIGNS = /[*_~`]+|[[\]<]/g
const NESTED = /(?:[[(<*_~]\s*){80}/

/** Renders Markdown of staff to sanitized HTML; raw HTML is dropped. A text that would take long is refused (422). */
export async function renderNote(text: string): Promise<string> {
  const sentence = slowPartOf(text)
  if (sentence) stop('unprocessable', sentence, { code: 'validation_failed', errors: { text: sentence } })
  return String(await markdown.process(text))
}

/** Says why a text would take long to render. */
export function slowPartOf(text: string): string | undefined {
  const depths = (text.match(MARKERS) ?? []).map((start) => start.match(MARKER)?.length ?? 0)
  if (Math.max(0, ...depths) > MOST.depth || NESTED.test(text)) return 'Quotes, lists or brackets are nested too deeply.'
  if (text.split('\n').length > MOST.lines || depths.reduce((sum, depth) => sum + depth, 0) > MOST.markers)
    return `A note has at most ${MOST.lines.toLocaleString('en')} lines, quotes and list items. Split it.`
  if ((text.match(SIGNS)?.length ?? 0) > MOST.signs) return 'The note has too many formatting signs. Split it.'
  return undefined
}
