import { oneLine } from '#app/platform/text/clean-text.ts'
import { readSearch } from '#app/platform/text/search-text.ts'

/** The filters and page number in the address. */
export type Listing = { tag: string | undefined; q: string; page: number }

const LONGEST_TAG = 60

/** Invalid values become the nearest valid ones. */
export function readListing(params: URLSearchParams): Listing {
  const page = params.get('page') ?? ''
  return {
    tag: oneLine(params.get('tag') ?? '').slice(0, LONGEST_TAG) || undefined,
    q: readSearch(params),
    page: /^[1-9]\d{0,4}$/.test(page) ? Number(page) : 1,
  }
}

/** The canonical path of a listing with these filters. */
export function listingPath({ tag, q = '', page = 1 }: Partial<Listing>): string {
  const params = new URLSearchParams({ ...(tag && { tag }), ...(q && { q }), ...(page > 1 && { page: String(page) }) })
  return params.size > 0 ? `/blog?${params}` : '/blog'
}

/**
 * The canonical URL, if the given one is spelled differently, such as with an empty search. Unknown parameters stay, because they belong to
 * other tools; such a page is never cached.
 */
export function otherSpelling(url: URL): string | undefined {
  const own = [...url.searchParams].filter(([key]) => key === 'tag' || key === 'q' || key === 'page')
  const written = own.length > 0 ? `/blog?${new URLSearchParams(own)}` : '/blog'
  const meant = listingPath(readListing(url.searchParams))
  return written === meant ? undefined : meant
}
