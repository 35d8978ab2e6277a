import { type Placed, search } from '#app/ui/admin/order.ts'
import { type Redirect, type RedirectBody, statusCodes } from '#app/redirects/rules/redirect.ts'

export const REDIRECT_PAGE_SIZE = 50

export const visibleRedirects = [
  { value: '', label: 'All redirects' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
  { value: 'unused', label: 'Unused' },
  { value: 'external', label: 'To other sites' },
] as const

/** In days without a hit. */
export const unusedFor = [30, 90, 365] as const
export const DAYS_UNUSED = '90'

const DAY_MS = 24 * 3_600_000

export function isExternal(toPath: string): boolean {
  return toPath.startsWith('http')
}

/** Never hit, or not for this many days. A redirect younger than that does not count as unused. */
export function isUnused({ createdAt, lastHitAt }: Redirect, days: number, now: number): boolean {
  return new Date(lastHitAt ?? createdAt).getTime() < now - days * DAY_MS
}

/** Applies search and filter, in list order. */
export function filterRedirects(list: readonly Redirect[], params: URLSearchParams, now: number): Placed<Redirect>[] {
  const show = params.get('show')
  const days = daysOf(params)
  return search(list, params.get('q'), ({ fromPath, toPath, description }) => `${fromPath} ${toPath} ${description ?? ''}`).filter(
    (redirect) => {
      if (show === 'active' || show === 'inactive') return redirect.isActive === (show === 'active')
      if (show === 'unused') return isUnused(redirect, days, now)
      return show !== 'external' || isExternal(redirect.toPath)
    },
  )
}

function daysOf(params: URLSearchParams): number {
  return unusedFor.find((days) => String(days) === params.get('days')) ?? Number(DAYS_UNUSED)
}

/** The page number in the address, clamped to the pages that exist. */
export function pageOf(params: URLSearchParams, count: number): { page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(count / REDIRECT_PAGE_SIZE))
  const asked = Math.trunc(Number(params.get('cursor') ?? 1)) || 1
  return { page: Math.min(Math.max(1, asked), pages), pages }
}

export type RedirectFields = Omit<RedirectBody, 'description'> & { description: string }

/** Initial values of the form: the given ones, else the defaults of a new redirect. */
export function redirectFields(given: Partial<Omit<RedirectBody, 'statusCode'>> & { statusCode?: number } = {}): RedirectFields {
  const { fromPath = '', toPath = '', isActive = true, description } = given
  const statusCode = statusCodes.find(({ value }) => value === given.statusCode)?.value ?? 301
  const { kind = 'exact', query = 'pass', ignoresSlash = true, ignoresCase = false } = given
  return { fromPath, toPath, statusCode, isActive, description: description ?? '', kind, query, ignoresSlash, ignoresCase }
}
