import { type Placed, search } from '#app/admin-view/order.ts'
import { type Redirect, type RedirectBody, statusCodes } from '#app/redirects/redirect.ts'

/** Rows of one page of the list. */
export const PAGE_SIZE = 50

export const shown = [
  { value: '', label: 'All redirects' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
  { value: 'unused', label: 'Unused' },
  { value: 'external', label: 'To other sites' },
] as const

/** For how long a redirect has not been hit that is called unused, in days. */
export const unusedFor = [30, 90, 365] as const

const DAY_MS = 24 * 3_600_000

export function isExternal(toPath: string): boolean {
  return toPath.startsWith('http')
}

/** Never hit, or not for so many days; one that is younger has not had its chance. */
export function isUnused({ createdAt, lastHitAt }: Redirect, days: number, now: number): boolean {
  return new Date(lastHitAt ?? createdAt).getTime() < now - days * DAY_MS
}

/** What a search and a filter leave of the list, in its order. */
export function chosenFrom(list: readonly Redirect[], params: URLSearchParams, now: number): Placed<Redirect>[] {
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

export function daysOf(params: URLSearchParams): number {
  return unusedFor.find((days) => String(days) === params.get('days')) ?? 90
}

/** The page that the address names, within what there is. */
export function pageOf(params: URLSearchParams, count: number): { page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(count / PAGE_SIZE))
  const asked = Math.trunc(Number(params.get('cursor') ?? 1)) || 1
  return { page: Math.min(Math.max(1, asked), pages), pages }
}

export type RedirectFields = Omit<RedirectBody, 'description'> & { description: string }

/** What a form begins with: what there is, or what a new redirect is unless someone says otherwise. */
export function fieldsOf(given: Partial<Omit<RedirectBody, 'statusCode'>> & { statusCode?: number } = {}): RedirectFields {
  const { fromPath = '', toPath = '', isActive = true, description } = given
  const statusCode = statusCodes.find(({ value }) => value === given.statusCode)?.value ?? 301
  const { kind = 'exact', query = 'pass', ignoresSlash = true, ignoresCase = false } = given
  return { fromPath, toPath, statusCode, isActive, description: description ?? '', kind, query, ignoresSlash, ignoresCase }
}
