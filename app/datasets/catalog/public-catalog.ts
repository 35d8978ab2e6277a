import { oneLine } from '#app/platform/text/clean-text.ts'
import { readSearch } from '#app/platform/text/search-text.ts'

/** The public page of all datasets. */
export const CATALOG = '/datasets'

/** The sort orders; the first is the order that staff chose. */
export const publicOrders = { recommended: 'Recommended', newest: 'Newest', name: 'Name', rows: 'Most rows' } as const

export type PublicOrder = keyof typeof publicOrders

/** The search, category, order and page number in the URL of the public catalog. */
export type PublicChoice = { category: string | undefined; q: string; sort: PublicOrder; page: number }

const LONGEST_CATEGORY = 60

/** Invalid values become the nearest valid ones. */
export function readPublicChoice(params: URLSearchParams): PublicChoice {
  const page = params.get('page') ?? ''
  const sort = params.get('sort') ?? ''
  return {
    category: oneLine(params.get('category') ?? '').slice(0, LONGEST_CATEGORY) || undefined,
    q: readSearch(params),
    sort: isOrder(sort) ? sort : 'recommended',
    page: /^[1-9]\d{0,3}$/.test(page) ? Number(page) : 1,
  }
}

/** The canonical path of the catalog with these choices. */
export function publicCatalogPath({ category, q = '', sort = 'recommended', page = 1 }: Partial<PublicChoice>): string {
  const params = new URLSearchParams({
    ...(category && { category }),
    ...(q && { q }),
    ...(sort !== 'recommended' && { sort }),
    ...(page > 1 && { page: String(page) }),
  })
  return params.size > 0 ? `${CATALOG}?${params}` : CATALOG
}

/** The canonical URL, if the given one is spelled differently, such as with an empty search. Unknown parameters belong to other tools. */
export function canonicalCatalogPath(url: URL): string | undefined {
  const own = [...url.searchParams].filter(([key]) => ['category', 'q', 'sort', 'page'].includes(key))
  const written = own.length > 0 ? `${CATALOG}?${new URLSearchParams(own)}` : CATALOG
  const meant = publicCatalogPath(readPublicChoice(url.searchParams))
  return written === meant ? undefined : meant
}

function isOrder(text: string): text is PublicOrder {
  return Object.hasOwn(publicOrders, text)
}
