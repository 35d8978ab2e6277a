import rehypeSlug from 'rehype-slug'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import type { LegalName } from '#app/content/legal.ts'
import { legalMarkdown } from '#app/content/legal-text.server.ts'

/** HTML, and its numbered sections for a table of contents. */
export type LegalText = { html: string; sections: { id: string; title: string }[] }

const markdown = unified().use(remarkParse).use(remarkGfm).use(remarkRehype).use(rehypeSlug).use(rehypeStringify)

export async function legalText(name: LegalName): Promise<LegalText> {
  const html = String(await markdown.process(legalMarkdown(name)))
  const headings = html.matchAll(/<h2 id="([^"]+)">([^<]+)<\/h2>/g)
  return { html, sections: [...headings].map(([, id = '', title = '']) => ({ id, title })) }
}
