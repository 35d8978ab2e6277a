import { expect, test } from 'vitest'
import { readUrlPattern } from './url-pattern.ts'

test.each<[pattern: string, fits: string[], not: string[]]>([
  ['app', ['app'], ['apps', 'anapp', '']],
  ['*.example.com', ['a.example.com', '.example.com'], ['example.com', 'a.b.example.com', 'a/b.example.com']],
  ['/**', ['/', '/a/b.c'], ['a/', '']],
  ['/*/done', ['/a/done', '//done'], ['/a/b/done', '/a.b/done', '/a/done/']],
  ['v?', ['v1'], ['v', 'v12', 'v/', 'v.']],
  ['[abc][!0-9]', ['ax', 'c-'], ['a7', 'dx', 'a']],
  ['a[b', ['a[b'], ['ab']],
  ['{app,www}.x', ['app.x', 'www.x'], ['app', 'appwww.x', 'app,www.x', '{app,www}.x', '.x']],
  ['a{,b,c*}', ['a', 'ab', 'ac', 'acd'], ['abc', 'ac.d', 'a,']],
  ['{a,{b,c{d,}}}e', ['ae', 'be', 'cde', 'ce'], ['de', 'e', 'abe']],
  ['[{,}]{x[,}]y,z}', ['{x,y', ',x}y', '}z'], ['{xy', 'z']],
  ['{a', ['{a'], ['a']],
  ['a}b,c', ['a}b,c'], ['a', 'c']],
  ['(.+)+$', ['(.+)+$'], ['aaaa']],
])('%s', (pattern, fits, not) => {
  const matches = readUrlPattern(pattern)
  for (const text of fits) expect([text, matches(text)]).toEqual([text, true])
  for (const text of not) expect([text, matches(text)]).toEqual([text, false])
})

test('no pattern causes backtracking', () => {
  const matches = readUrlPattern(`${'**a'.repeat(30)}**b`)
  expect(matches('a'.repeat(5000))).toBe(false)
  const braced = readUrlPattern(`${'{a,a*,**}'.repeat(30)}b`)
  expect(braced('a'.repeat(2000))).toBe(false)
  expect(braced(`${'a'.repeat(2000)}b`)).toBe(true)
})
