import { expect, test } from 'vitest'
import type { Redirect } from '#app/redirects/rules/redirect.ts'
import { filterRedirects, redirectFields, isUnused, pageOf } from './redirect-view.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')
const DAY = 24 * 3_600_000
const ago = (days: number) => new Date(NOW - days * DAY).toISOString()
const redirect = (id: string, given: Partial<Redirect> = {}): Redirect => ({
  ...redirectFields({ fromPath: `/${id}`, toPath: '/new' }),
  id,
  position: 1,
  hits: 0,
  lastHitAt: null,
  createdAt: ago(1),
  ...given,
})

test('unused is what was never hit or not for so long, and has had the time', () => {
  expect(isUnused(redirect('a', { createdAt: ago(89) }), 90, NOW)).toBe(false)
  expect(isUnused(redirect('a', { createdAt: ago(91) }), 90, NOW)).toBe(true)
  expect(isUnused(redirect('a', { createdAt: ago(400), lastHitAt: ago(91), hits: 7 }), 90, NOW)).toBe(true)
  expect(isUnused(redirect('a', { createdAt: ago(400), lastHitAt: ago(29), hits: 7 }), 30, NOW)).toBe(false)
})

test('search and filter leave the order and the numbers of the whole list', () => {
  const some = [
    redirect('a', { isActive: false }),
    redirect('b', { toPath: 'https://else.example/', description: 'The Old shop' }),
    redirect('c', { createdAt: ago(100) }),
  ]
  const chosen = (query: string) =>
    filterRedirects(some, new URLSearchParams(query), NOW)
      .map(({ id, place }) => `${id}${place}`)
      .join(' ')
  expect(chosen('')).toBe('a1 b2 c3')
  expect(chosen('show=active')).toBe('b2 c3')
  expect(chosen('show=inactive')).toBe('a1')
  expect(chosen('show=external')).toBe('b2')
  expect(chosen('show=unused')).toBe('c3')
  expect(chosen('show=unused&days=365')).toBe('')
  expect(chosen('q=old+SHOP')).toBe('b2')
  expect(chosen('q=/c')).toBe('c3')
})

test('a page that is not there is the nearest one', () => {
  expect(pageOf(new URLSearchParams(''), 0)).toEqual({ page: 1, pages: 1 })
  expect(pageOf(new URLSearchParams('cursor=2'), 120)).toEqual({ page: 2, pages: 3 })
  expect(pageOf(new URLSearchParams('cursor=9'), 120)).toEqual({ page: 3, pages: 3 })
  expect(pageOf(new URLSearchParams('cursor=-1'), 120)).toEqual({ page: 1, pages: 3 })
  expect(pageOf(new URLSearchParams('cursor=x'), 120)).toEqual({ page: 1, pages: 3 })
})

test('a new redirect is permanent, active and exact unless someone says otherwise', () => {
  expect(redirectFields()).toEqual({
    fromPath: '',
    toPath: '',
    statusCode: 301,
    isActive: true,
    description: '',
    kind: 'exact',
    query: 'pass',
    ignoresSlash: true,
    ignoresCase: false,
  })
  expect(redirectFields(redirect('a', { statusCode: 308, description: null })).statusCode).toBe(308)
})
