import { oneLine } from '#app/platform/clean-text.ts'

/** What a reader of the listing asked for, as its address says it. */
export type Listing = { tag: string | undefined; q: string; page: number }

const LONGEST_SEARCH = 100
const LONGEST_TAG = 60

/** What is written in no way of ours is taken for the nearest that is. */
export function readListing(params: URLSearchParams): Listing {
  const page = params.get('page') ?? ''
  return {
    tag: oneLine(params.get('tag') ?? '').slice(0, LONGEST_TAG) || undefined,
    q: oneLine(params.get('q') ?? '').slice(0, LONGEST_SEARCH),
    page: /^[1-9]\d{0,4}$/.test(page) ? Number(page) : 1,
  }
}

/** The one spelling of an address of the listing, with what a change to it leaves. */
export function listingPath({ tag, q = '', page = 1 }: Partial<Listing>): string {
  const params = new URLSearchParams({ ...(tag && { tag }), ...(q && { q }), ...(page > 1 && { page: String(page) }) })
  return params.size > 0 ? `/blog?${params}` : '/blog'
}

/**
 * Where an address really leads that says the same in other words, such as an empty search. What others add to the address stays out of this:
 * it is theirs, and such a page is never kept.
 */
export function otherSpelling(url: URL): string | undefined {
  const own = [...url.searchParams].filter(([key]) => key === 'tag' || key === 'q' || key === 'page')
  const written = own.length > 0 ? `/blog?${new URLSearchParams(own)}` : '/blog'
  const meant = listingPath(readListing(url.searchParams))
  return written === meant ? undefined : meant
}
