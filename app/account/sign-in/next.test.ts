import { expect, test } from 'vitest'
import { safeNext } from './next.ts'

test('a path of this site is kept with its query and its anchor', () => {
  for (const path of ['/', '/dashboard', '/dashboard?tab=consultations&q=a%2Fb#row-3', '/admin/blog']) expect(safeNext(path)).toBe(path)
})

test('nothing leads to another site, however it is written', () => {
  const hostile = [
    '//evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/%09/../..//evil.example',
    'https://evil.example',
    'HTTPS:evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    ' //evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '@evil.example',
    '.evil.example',
    '',
    null,
    undefined,
  ]
  for (const next of hostile) {
    const safe = safeNext(next)
    if (safe === undefined) continue
    expect(safe).toMatch(/^\/(?![/\\])/)
    expect(new URL(safe, 'http://localhost:3000').origin).toBe('http://localhost:3000')
  }
  expect(safeNext('//evil.example')).toBeUndefined()
  expect(safeNext('/\\evil.example')).toBeUndefined()
})
