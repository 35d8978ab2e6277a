import rehypeSanitize from 'rehype-sanitize'
import rehypeSlug from 'rehype-slug'
import rehypeStringify from 'rehype-stringify'
import remarkBreaks from 'remark-breaks'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { allowed } from './allowed.server.ts'
import { codeHighlighter } from './code.server.ts'
import { enriched, headingsOf, type RenderContext } from './enrich.server.ts'
import { elementsIn, replaceElements, type Root, textIn } from './tree.ts'
import { Unrenderable } from './unrenderable.ts'

/** The result of rendering, stored with the post. */
export type RenderedMarkdown = { html: string; headings: { id: string; depth: number; title: string }[]; words: number }

/** No real text nests this deep, and browsers and parsers have limits as well. */
const DEEPEST = 60
/** In characters. Short Markdown can expand to very long HTML. */
const LONGEST = 2_000_000

/** Raw HTML is dropped by `remarkRehype`; the output of all steps is sanitized last. */
const markdown = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkBreaks)
  .use(remarkRehype, { clobberPrefix: 'note-' })
  .use(rehypeSlug, { prefix: 'sec-' })

const html = unified().use(rehypeSanitize, allowed).use(rehypeStringify)

/** Sanitized HTML: GitHub-flavored Markdown, line breaks preserved, no raw HTML. */
export async function render(source: string, surroundings: RenderContext): Promise<RenderedMarkdown> {
  const tree = await treeOf(source)
  for (const { depth } of elementsIn(tree)) if (depth > DEEPEST) throw tooDeep()
  const words = countWords(tree)
  const coloured = await codeHighlighter(tree)
  replaceElements(tree, (element) => (element.tagName === 'pre' ? coloured(element) : enriched(element, surroundings)))
  const clean = await html.run(tree)
  const written = html.stringify(clean)
  if (written.length > LONGEST) throw new Unrenderable('The rendered page is too large. Split the text into several posts.')
  return { html: written, headings: headingsOf(clean), words }
}

async function treeOf(source: string): Promise<Root> {
  try {
    return await markdown.run(markdown.parse(source))
  } catch (error) {
    // Thousands of nested markers exhaust the stack.
    throw error instanceof RangeError ? tooDeep() : error
  }
}

function tooDeep() {
  return new Unrenderable('Quotes, lists or brackets are nested too deeply.')
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’.,_-]*/gu

/** Skips code blocks and the back links of footnotes. */
function countWords(tree: Root): number {
  const content = textIn(
    tree,
    ({ tagName, properties }) => tagName === 'pre' || 'dataFootnoteBackref' in properties || properties['id'] === 'footnote-label',
  )
  return content.match(WORD)?.length ?? 0
}
