import { refuse } from '#app/auth/protocol/refusal.ts'

const DEFAULT_PAGE_SIZE = 50
const LARGEST_PAGE = 1000
/** The largest accepted number. */
const LAST_PAGE = 1_000_000

export type Paging = { page: number; perPage: number; filter: string | undefined }

export function readPaging(query: { page?: string | undefined; per_page?: string | undefined; filter?: string | undefined }): Paging {
  const page = readCount('page', query.page, 1, LAST_PAGE)
  return {
    page,
    perPage: Math.min(readCount('per_page', query.per_page, DEFAULT_PAGE_SIZE, LAST_PAGE), LARGEST_PAGE),
    filter: query.filter,
  }
}

/**
 * The `Link` header. Clients split it at commas and read the digit after the first equals sign as the page,
 * so `page` comes first, and commas separate links only.
 */
export function linkOf(
  { page, perPage, filter }: Paging,
  total: number,
  { path = '/admin/users', ...asked }: { path?: string; sort?: string | undefined; query?: string | undefined },
): string {
  const last = Math.max(1, Math.ceil(total / perPage))
  const at = (number: number, rel: string) => {
    const query = new URLSearchParams({ page: String(number), per_page: String(perPage) })
    for (const [name, value] of Object.entries({ filter, ...asked })) if (value) query.set(name, value)
    return `<${path}?${query}>; rel="${rel}"`
  }
  return [...(page < last ? [at(page + 1, 'next')] : []), at(last, 'last')].join(', ')
}

function readCount(name: string, written: string | undefined, fallback: number, most: number): number {
  if (written === undefined) return fallback
  const count = /^\d{1,10}$/.test(written) ? Number(written) : 0
  if (count < 1 || count > most)
    refuse('validation_failed', { sentence: `Bad pagination parameter ${name}: it must be a positive integer` })
  return count
}
