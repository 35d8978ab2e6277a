import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkBreaks from 'remark-breaks'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { foreignLink } from '#app/platform/text/foreign-link.ts'

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
    protocols: { href: ['http', 'https', 'mailto', 'tel'] },
    strip: ['script', 'style', 'section'],
  })
  .use(absoluteLinks)
  .use(rehypeStringify)

type Root = Parameters<ReturnType<typeof rehypeSanitize>>[0]

/** Notes come with imports too, and replies leave as emails: a relative link would lead elsewhere than its writer meant. */
function absoluteLinks() {
  return (tree: Root) => visitLinks(tree)
}

function visitLinks({ children }: Pick<Root, 'children'>): void {
  for (const child of children) {
    if (child.type !== 'element') continue
    if (child.tagName === 'a') child.properties = { href: foreignLink(child.properties['href']) }
    visitLinks({ children: child.children })
  }
}

/** Renders Markdown to sanitized HTML; raw HTML is dropped. */
export async function toNoteHtml(text: string): Promise<string> {
  return String(await markdown.process(text))
}
