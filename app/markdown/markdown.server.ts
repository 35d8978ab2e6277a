import rehypeSanitize from 'rehype-sanitize'
import rehypeSlug from 'rehype-slug'
import rehypeStringify from 'rehype-stringify'
import remarkBreaks from 'remark-breaks'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'

/** What is made of Markdown when it is saved. */
export type Rendered = { html: string; headings: { id: string; depth: number; title: string }[]; words: number }

const markdown = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkBreaks)
  .use(remarkRehype)
  .use(rehypeSanitize)
  .use(rehypeSlug)
  .use(rehypeStringify)

/** Cleaned HTML of what staff wrote: GitHub's flavour, each line break one of its own, no raw HTML. */
export async function renderMarkdown(source: string): Promise<Rendered> {
  const html = String(await markdown.process(source))
  const headings = [...html.matchAll(/<h([23]) id="([^"]+)">(.*?)<\/h\1>/gs)].map(([, depth, id = '', inner = '']) => ({
    id,
    depth: Number(depth),
    title: inner.replaceAll(/<[^>]*>/g, ''),
  }))
  const words = html.replaceAll(/<[^>]*>/g, ' ').match(/[\p{L}\p{N}][\p{L}\p{N}'’.-]*/gu)?.length ?? 0
  return { html, headings, words }
}
