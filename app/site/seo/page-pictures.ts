import type { PictureText } from '#app/content/og-image/picture.ts'
import { founder } from '#app/content/about.ts'
import { shownCaseStudies } from '#app/content/case-studies.ts'
import { intake } from '#app/content/intake.ts'
import { identity } from '#app/content/identity.ts'
import { legalDocuments, type LegalName } from '#app/content/legal.ts'
import { offerings } from '#app/content/offerings.ts'
import { priceText } from '#app/content/price.ts'
import { heads, isPagePath, type PagePath } from '#app/content/seo.ts'
import { extraction } from '#app/content/samples.ts'
import { terms } from '#app/content/terms.ts'

type Look = Pick<PictureText, 'backdrop' | 'kicker' | 'rows'>

const listPrices = () =>
  [offerings.scraping, offerings.apis, offerings.intelligence, offerings.analysis].map(
    ({ id, price }) => [id.replaceAll('-', '_'), priceText(price)] as const,
  )

const legal = (name: LegalName): Look => ({
  backdrop: 'text',
  kicker: 'legal',
  rows: [
    ['last_updated', legalDocuments[name].updated],
    ['questions', identity.email],
  ],
})

/** The data rows on a page's social image, beside its title. A page without an entry shows our email address. */
const looks: Partial<Record<PagePath, () => Look>> = {
  '/': () => ({
    backdrop: extraction.html.map((pieces) => pieces.join('')),
    kicker: identity.tagline,
    rows: extraction.row.map(([name, , value]) => [name, value]),
  }),
  '/services': () => ({ backdrop: 'scatter', kicker: 'services', rows: listPrices() }),
  '/case-studies': () => ({
    backdrop: 'scatter',
    kicker: 'case studies',
    rows: shownCaseStudies().map(({ results: [first], slug }) => [slug.replaceAll('-', '_'), first?.value ?? '']),
  }),
  '/about': () => ({
    backdrop: 'scatter',
    kicker: 'about',
    rows: [
      ['name', founder.name],
      ['role', founder.role],
      ['since', founder.since],
    ],
  }),
  '/contact': () => ({
    backdrop: 'scatter',
    kicker: 'contact',
    rows: [
      ['confirmed_by_a_person', `within ${terms.acknowledgement}`],
      ['proposal', `within ${terms.proposal}`],
      ['strategy_call', `free, ${terms.call}`],
    ],
  }),
  '/get-started': () => ({
    backdrop: 'scatter',
    kicker: 'get started',
    rows: [intake.need, intake.details, intake.you].map(({ title }, index) => [`step_${index + 1}`, title]),
  }),
  '/hire-web-scraping-developer': () => ({
    backdrop: 'scatter',
    kicker: 'for hire',
    rows: [...listPrices().slice(0, 3), ['fixed_quote', `within ${terms.proposal}`]],
  }),
  '/booking-success': () => ({
    backdrop: 'scatter',
    kicker: 'strategy call',
    rows: [
      ['length', terms.call],
      ['invitation', 'by email'],
      ['proposal', `within ${terms.proposal}`],
    ],
  }),
  '/blog': () => ({
    backdrop: 'scatter',
    kicker: 'blog',
    rows: [
      ['reading', 'difficult sites'],
      ['checking', 'every row'],
      ['staying', 'within the law'],
    ],
  }),
  '/datasets': () => ({
    backdrop: 'scatter',
    kicker: 'data catalog',
    rows: [
      ['columns', 'described and profiled'],
      ['first_rows', 'before you sign up'],
      ['formats', 'csv, json, parquet, api'],
    ],
  }),
  '/developers': () => ({
    backdrop: 'scatter',
    kicker: 'data api',
    rows: [
      ['rows', 'by filter and page'],
      ['versions', 'and what changed'],
      ['formats', 'json, csv, parquet'],
    ],
  }),
  '/privacy-policy': () => legal('privacy-policy'),
  '/terms-of-service': () => legal('terms-of-service'),
  '/cookie-policy': () => legal('cookie-policy'),
}

const plainLook = (title: string): Look => ({ backdrop: 'text', kicker: title.toLowerCase(), rows: [['questions', identity.email]] })

/** The social image of a public page, by its path. */
export function pagePictureAt(path: string): PictureText | undefined {
  if (!isPagePath(path)) return undefined
  const { title } = heads[path]
  return { name: nameOf(path), title, ...(looks[path]?.() ?? plainLook(title)) }
}

/** The social image of a public page, by the name in its URL. */
export async function findPagePicture(name: string): Promise<PictureText | undefined> {
  return pagePictureAt(Object.keys(heads).find((path) => nameOf(path) === name) ?? '')
}

const HOME = 'home'

function nameOf(path: string): string {
  return path.slice(1).replaceAll('/', '-') || HOME
}
