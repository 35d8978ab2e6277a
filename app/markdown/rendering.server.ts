import rehypeSanitize from 'rehype-sanitize'
import rehypeSlug from 'rehype-slug'
import rehypeStringify from 'rehype-stringify'
import remarkBreaks from 'remark-breaks'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { allowed } from './allowed.server.ts'
import { codeColours } from './code.server.ts'
import { enriched, headingsOf, type Surroundings } from './enrich.server.ts'
import { elementsIn, replaceElements, type Root, textIn } from './tree.server.ts'

/** What is made of Markdown when it is saved. */
export type Rendered = { html: string; headings: { id: string; depth: number; title: string }[]; words: number }

/** Nobody writes lists in lists to this depth; browsers and this program have an end as well. */
const DEEPEST = 60
/** In characters. A few signs of Markdown can stand for very many of HTML. */
const LONGEST = 2_000_000

/** Raw HTML is left out at `remarkRehype`; what the rest have made is cleaned at the end. */
const markdown = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkBreaks)
  .use(remarkRehype, { clobberPrefix: 'note-' })
  .use(rehypeSlug, { prefix: 'sec-' })

const html = unified().use(rehypeSanitize, allowed).use(rehypeStringify)

/** A text that cannot be rendered with reason, in words for who wrote it. */
export class Unrenderable extends Error {}

/** Cleaned HTML of what staff wrote: GitHub's flavour, each line break one of its own, no raw HTML. */
export async function render(source: string, surroundings: Surroundings): Promise<Rendered> {
  const tree = await treeOf(source)
  for (const { depth } of elementsIn(tree)) if (depth > DEEPEST) throw tooDeep()
  const words = countWords(tree)
  const coloured = await codeColours(tree)
  replaceElements(tree, (element) => (element.tagName === 'pre' ? coloured(element) : enriched(element, surroundings)))
  const clean = await html.run(tree)
  const written = html.stringify(clean)
  if (written.length > LONGEST) throw new Unrenderable('The text becomes too large a page. Divide it into several posts.')
  return { html: written, headings: headingsOf(clean), words }
}

async function treeOf(source: string): Promise<Root> {
  try {
    return await markdown.run(markdown.parse(source))
  } catch (error) {
    // Signs inside signs, thousands of times: there is no room left to look into them.
    throw error instanceof RangeError ? tooDeep() : error
  }
}

function tooDeep() {
  return new Unrenderable('Too many quotes, lists or brackets lie inside each other.')
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’.,_-]*/gu

/** Blocks of code are looked at, not read, and a note's way back is none of its words. */
function countWords(tree: Root): number {
  const content = textIn(
    tree,
    ({ tagName, properties }) => tagName === 'pre' || 'dataFootnoteBackref' in properties || properties['id'] === 'footnote-label',
  )
  return content.match(WORD)?.length ?? 0
}
