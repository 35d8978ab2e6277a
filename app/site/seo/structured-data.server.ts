import type { Thing } from 'schema-dts'
import { env } from '#app/platform/env.server.ts'
import { founder } from '#app/content/about.ts'
import { homeQuestions, hireQuestions, type Question } from '#app/content/faq.ts'
import { identity, isExample } from '#app/content/identity.ts'
import { offerings } from '#app/content/offerings.ts'
import type { PageMeta } from '#app/content/page-meta.ts'
import { heads, isPagePath, type PagePath } from '#app/content/seo.ts'
import { services } from '#app/content/services.ts'
import { hireService, serviceOf } from './structured-offer.ts'

const site = env.SITE_URL

/** An item with a description, not only an id. */
type Block = Exclude<Thing, string>

/** The structured data of each page, from the same texts as the page. It has no rating: only others could rate the business. */
const blocks: Partial<Record<PagePath, () => Block[]>> = {
  '/': () => [
    organization(),
    website(),
    ...services.map((service) => serviceOf(site, service, '/#services')),
    questions('/', homeQuestions),
  ],
  '/services': () => Object.values(offerings).map((offering) => serviceOf(site, offering, `/services#${offering.id}`)),
  '/hire-web-scraping-developer': () => [hireService(site), questions('/hire-web-scraping-developer', hireQuestions)],
  '/about': () => [page('/about', 'AboutPage', { mainEntity: person() })],
  '/contact': () => [page('/contact', 'ContactPage')],
  '/case-studies': () => [page('/case-studies', 'CollectionPage')],
  '/blog': () => [page('/blog', 'Blog')],
}

/** The blocks of a page as JSON that is safe inside HTML. */
export function structuredDataAt(path: string): string[] {
  if (!isPagePath(path)) return []
  const things = [...(blocks[path]?.() ?? []), ...(path === '/' ? [] : [breadcrumbs(path)])]
  return things.map((thing) => JSON.stringify({ '@context': 'https://schema.org', ...thing }).replaceAll('<', '\\u003c'))
}

const ORGANIZATION = `${site}/#organization`
const WEBSITE = `${site}/#website`

const organization = () =>
  ({
    '@type': 'Organization',
    '@id': ORGANIZATION,
    name: identity.name,
    slogan: identity.tagline,
    url: `${site}/`,
    logo: `${site}/icon-512.png`,
    email: identity.email,
    founder: { '@id': `${site}/about#founder` },
    sameAs: [identity.microblog, identity.professionalNetwork, identity.fourthNetwork].flatMap(({ url }) =>
      url && !isExample(url) ? url : [],
    ),
  }) as const satisfies Block

const website = () =>
  ({
    '@type': 'WebSite',
    '@id': WEBSITE,
    name: identity.name,
    description: heads['/'].description,
    url: `${site}/`,
    inLanguage: 'en',
    publisher: { '@id': ORGANIZATION },
  }) as const satisfies Block

const person = () =>
  ({
    '@type': 'Person',
    '@id': `${site}/about#founder`,
    name: founder.name,
    jobTitle: founder.role,
    url: `${site}/about`,
    worksFor: { '@id': ORGANIZATION },
  }) as const satisfies Block

function page(
  path: PagePath,
  type: 'AboutPage' | 'ContactPage' | 'CollectionPage' | 'Blog',
  more: { mainEntity?: ReturnType<typeof person> } = {},
) {
  const { title, changed }: PageMeta = heads[path]
  return {
    '@type': type,
    name: title,
    url: site + path,
    inLanguage: 'en',
    isPartOf: { '@id': WEBSITE },
    ...(changed && { dateModified: changed }),
    ...more,
  } satisfies Block
}

/** Questions with the answers on the page. */
function questions(path: PagePath, asked: readonly Question[]) {
  return {
    '@type': 'FAQPage',
    url: site + path,
    mainEntity: asked.map(({ id, question, answer }) => ({
      '@type': 'Question' as const,
      '@id': `${site}${path}#${id}`,
      name: question,
      acceptedAnswer: { '@type': 'Answer' as const, text: answer.join(' ') },
    })),
  } as const satisfies Block
}

function breadcrumbs(path: PagePath) {
  const steps = [
    { name: identity.name, item: `${site}/` },
    { name: heads[path].title, item: site + path },
  ]
  return {
    '@type': 'BreadcrumbList',
    itemListElement: steps.map((step, index) => ({ '@type': 'ListItem' as const, position: index + 1, ...step })),
  } as const satisfies Block
}
