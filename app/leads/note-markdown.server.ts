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

/** Quotes and lists inside of one another, and brackets: each level costs more than the one before. No real note nests this deep. */
const DEEPEST = 20
const NESTED = new RegExp(String.raw`^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])[ \t]*){${DEEPEST + 1}}|(?:[[(<*_~]\s*){${4 * DEEPEST}}`, 'm')

/** Renders Markdown of staff to sanitized HTML; raw HTML is dropped. A text that nests too deeply is refused (422). */
export async function renderNote(text: string): Promise<string> {
  if (NESTED.test(text)) {
    const sentence = 'Quotes, lists or brackets are nested too deeply.'
    stop('unprocessable', sentence, { code: 'validation_failed', errors: { text: sentence } })
  }
  return String(await markdown.process(text))
}
