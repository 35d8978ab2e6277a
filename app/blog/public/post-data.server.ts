import type { BlogPosting, BreadcrumbList, WithContext } from 'schema-dts'
import { env } from '#app/platform/env.server.ts'
import { isImageAddress } from '#app/platform/text/image-address.ts'
import { type MachineText, machineTexts } from '#app/platform/text/machine-text.server.ts'
import type { PublicPost } from '#app/blog/posts/public-post.server.ts'
import { identity } from '#app/content/identity.ts'
import { heads } from '#app/content/seo.ts'

const site = env.SITE_URL

/** Structured data of a post for search engines. */
export function postData(post: PublicPost, picture: string): MachineText[] {
  const { slug, title, excerpt, metaDescription, tags, words, publishedAt, updatedAt, author } = post
  const url = `${site}/blog/${slug}`
  const publisher = { '@type': 'Organization' as const, '@id': `${site}/#organization`, name: identity.name, url: `${site}/` }
  const posting: WithContext<BlogPosting> = {
    '@context': 'https://schema.org',
    '@type': 'BlogPosting',
    headline: title,
    description: metaDescription || excerpt,
    url,
    mainEntityOfPage: url,
    image: [
      ...new Set([
        ...(post.featuredImage && isImageAddress(post.featuredImage, site) ? [new URL(post.featuredImage, site).href] : []),
        picture,
      ]),
    ],
    datePublished: publishedAt.toISOString(),
    dateModified: (updatedAt > publishedAt ? updatedAt : publishedAt).toISOString(),
    wordCount: words,
    keywords: tags.join(', '),
    inLanguage: 'en',
    author: author ? { '@type': 'Person', name: author.name } : publisher,
    publisher,
    isPartOf: { '@type': 'Blog', name: heads['/blog'].title, url: `${site}/blog` },
  }
  return machineTexts([posting, breadcrumbs(title, url)])
}

function breadcrumbs(title: string, url: string): WithContext<BreadcrumbList> {
  const steps = [
    { name: identity.name, item: `${site}/` },
    { name: heads['/blog'].title, item: `${site}/blog` },
    { name: title, item: url },
  ]
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: steps.map((step, index) => ({ '@type': 'ListItem', position: index + 1, ...step })),
  }
}
