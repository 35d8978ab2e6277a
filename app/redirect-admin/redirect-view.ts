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

/** A redirect and its place in the whole list, from 1. */
export type Placed = Redirect & { place: number }

/** What a search and a filter leave of the list, in its order. */
export function chosenFrom(list: readonly Redirect[], params: URLSearchParams, now: number): Placed[] {
  const words = (params.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const show = params.get('show')
  const days = daysOf(params)
  return list
    .map((redirect, at) => ({ ...redirect, place: at + 1 }))
    .filter((redirect) => {
      if (show === 'active' || show === 'inactive') return redirect.isActive === (show === 'active')
      if (show === 'unused') return isUnused(redirect, days, now)
      return show !== 'external' || isExternal(redirect.toPath)
    })
    .filter(({ fromPath, toPath, description }) => {
      const text = `${fromPath} ${toPath} ${description ?? ''}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
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

/** The list after one redirect has gone before another one, or to the end. Unchanged when either is not there any more. */
export function moved<Item extends { id: string }>(list: readonly Item[], id: string, before: string | null): Item[] {
  const item = list.find((one) => one.id === id)
  const others = list.filter((one) => one.id !== id)
  const at = before === null ? others.length : others.findIndex((one) => one.id === before)
  return item && at >= 0 ? others.toSpliced(at, 0, item) : [...list]
}

/** Before which redirect one has to go to stand at a place of the whole list, from 1. */
export function beforeAt(list: readonly { id: string }[], id: string, place: number): string | null {
  return list.filter((one) => one.id !== id)[place - 1]?.id ?? null
}

export type RedirectFields = Omit<RedirectBody, 'description'> & { description: string }

/** What a form begins with: what there is, or what a new redirect is unless someone says otherwise. */
export function fieldsOf(given: Partial<Omit<RedirectBody, 'statusCode'>> & { statusCode?: number } = {}): RedirectFields {
  const { fromPath = '', toPath = '', isActive = true, description } = given
  const statusCode = statusCodes.find(({ value }) => value === given.statusCode)?.value ?? 301
  const { kind = 'exact', query = 'pass', ignoresSlash = true, ignoresCase = false } = given
  return { fromPath, toPath, statusCode, isActive, description: description ?? '', kind, query, ignoresSlash, ignoresCase }
}
