import { expect, test } from 'vitest'
import { readPattern } from './url-pattern.ts'

test.each<[pattern: string, fits: string[], not: string[]]>([
  ['app', ['app'], ['apps', 'anapp', '']],
  ['*.example.com', ['a.example.com', '.example.com'], ['example.com', 'a.b.example.com', 'a/b.example.com']],
  ['/**', ['/', '/a/b.c'], ['a/', '']],
  ['/*/done', ['/a/done', '//done'], ['/a/b/done', '/a.b/done', '/a/done/']],
  ['v?', ['v1'], ['v', 'v12', 'v/', 'v.']],
  ['[abc][!0-9]', ['ax', 'c-'], ['a7', 'dx', 'a']],
  ['a[b', ['a[b'], ['ab']],
  ['(.+)+$', ['(.+)+$'], ['aaaa']],
])('%s', (pattern, fits, not) => {
  const matches = readPattern(pattern)
  for (const text of fits) expect([text, matches(text)]).toEqual([text, true])
  for (const text of not) expect([text, matches(text)]).toEqual([text, false])
})

test('no pattern makes it try the ways one after the other', () => {
  const matches = readPattern(`${'**a'.repeat(30)}**b`)
  expect(matches('a'.repeat(5000))).toBe(false)
})
