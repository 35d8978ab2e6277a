import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkBreaks from 'remark-breaks'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'

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

/** Renders Markdown to sanitized HTML; raw HTML is dropped. */
export async function toNoteHtml(text: string): Promise<string> {
  return String(await markdown.process(text))
}
