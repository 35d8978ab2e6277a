import type { MetaDescriptor } from 'react-router'
import { shortened } from '#app/platform/text/shortened.ts'
import { identity } from './identity.ts'

export type PageMeta = {
  readonly title: string
  /** One or two sentences for search results. */
  readonly description?: string
  readonly keywords?: readonly string[]
  /** `false` excludes a page from search engines. */
  readonly index?: boolean
  /** The day of the last change of its text, such as `2025-11-20`: search engines reload a page when this is newer than their copy. */
  readonly changed?: string
  /** The Open Graph type. */
  readonly type?: 'website' | 'article'
}

/** In characters: search engines cut off the rest in the middle of a word. */
const MOST_DESCRIPTION = 160

/** The head of a page: `export const meta = () => pageMeta({ title: 'Contact' })`. */
export function pageMeta({ title, description: whole, keywords, index = true, type = 'website' }: PageMeta): MetaDescriptor[] {
  const description = whole && shortened(whole, MOST_DESCRIPTION)
  return [
    { title: `${title} | ${identity.name}` },
    ...(description ? [{ name: 'description', content: description }] : []),
    ...(keywords ? [{ name: 'keywords', content: keywords.join(', ') }] : []),
    ...(index ? [] : [{ name: 'robots', content: 'noindex' }]),
    { property: 'og:title', content: title },
    ...(description ? [{ property: 'og:description', content: description }] : []),
    { property: 'og:type', content: type },
    { property: 'og:site_name', content: identity.name },
    { name: 'twitter:card', content: 'summary_large_image' },
  ]
}
