import rehypeSanitize from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { elementsIn, type Root } from '#app/blog/markdown/tree.ts'
import { shownCaseStudies } from '#app/content/case-studies.ts'

const markdown = unified().use(remarkParse).use(remarkGfm).use(remarkRehype).use(belowTitle).use(rehypeSanitize).use(rehypeStringify)

/** The text of each shown case study as HTML, by its slug. */
export async function storyTexts(): Promise<Record<string, string>> {
  const texts = await Promise.all(shownCaseStudies().map(async ({ slug, text }) => [slug, String(await markdown.process(text))] as const))
  return Object.fromEntries(texts)
}

/** The title of a case study has the second level, so no heading of its text has. */
function belowTitle() {
  return (tree: Root) => {
    for (const { element } of elementsIn(tree)) if (/^h[12]$/.test(element.tagName)) element.tagName = 'h3'
  }
}
