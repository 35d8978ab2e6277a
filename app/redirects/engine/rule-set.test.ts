import { expect, test } from 'vitest'
import { dice, lineByLine, makeRule, passedOn, rollRule, rollUrl } from '#test/redirect-rules.ts'
import { readAddress } from './address.server.ts'
import { resolve } from './resolve.server.ts'
import { RuleSet } from './rule-set.server.ts'
import type { Rule } from './rule.ts'

const SITE = 'https://ours.example'
const lead = (rule: Partial<Rule>, url: string) => new RuleSet([makeRule(rule)], SITE).find(url)?.target?.location ?? null

test('however many rules there are, the one that answers is the first that a reader of the list would find', () => {
  const chance = dice(7)
  for (let round = 0; round < 25; round += 1) {
    const rules = Array.from({ length: 1 + chance.roll(25) }, (_, index) => rollRule(chance, String(index)))
    const [set, find] = [new RuleSet(rules, SITE), lineByLine(rules)]
    for (let ask = 0; ask < 60; ask += 1) {
      const url = rollUrl(chance)
      expect(set.find(url)?.rule.id, `${url} of ${JSON.stringify(rules)}`).toBe(find(url)?.id)
    }
  }
})

test('what is passed on of a query is what the rule has not matched, as the visitor sent it', () => {
  const chance = dice(11)
  let matched = 0
  for (let round = 0; round < 4_000; round += 1) {
    const rule = { ...rollRule(chance, String(round)), toPath: '/to' }
    const url = rollUrl(chance)
    const found = new RuleSet([rule], SITE).find(url)
    if (!found) continue
    matched += 1
    const [, sent = ''] = url.split('?')
    const [, rest = ''] = found.target?.location.split('?') ?? []
    expect([...new URLSearchParams(rest)], `${url} by ${JSON.stringify(rule)}`).toEqual(passedOn(rule, sent))
    expect(rest.split('&').filter((part) => part !== '' && !sent.split('&').includes(part))).toEqual([])
  }
  expect(matched).toBeGreaterThan(100)
})

test.each([
  ['/caf%c3%a9', '/café'],
  ['/cafe\u0301', '/café'],
  ['/a//b/./c/../d', '/a/b/d'],
  ['/a\\b', '/a/b'],
  ['/%61%2F%3f%25', '/a%2F%3F%25'],
  ['/%ff%', '/%FF%25'],
  ['/a%20b%0a', '/a b%0A'],
  ['/%2e%2e/a', '/a'],
])('%s is read as %s', (given, read) => {
  expect(readAddress(given).path).toBe(read)
})

test.each<[Partial<Rule>, string, string | null]>([
  [{ fromPath: '/café', toPath: '/über uns' }, '/caf%C3%A9', '/%C3%BCber%20uns'],
  [{ fromPath: '/a/' }, '/a', '/new'],
  [{ fromPath: '/a', ignoresSlash: false }, '/a/', null],
  [{ fromPath: '/a' }, '/a//', '/new'],
  [{ fromPath: '/a', ignoresCase: true }, '/A', '/new'],
  [{ fromPath: '/a' }, '/A', null],
  [{ fromPath: '/a', query: 'pass', toPath: '/b?x=1#y' }, '/a?z=2', '/b?x=1&z=2#y'],
  [{ fromPath: '/a', query: 'ignore', toPath: '/b?x=1' }, '/a?z=2', '/b?x=1'],
  [{ fromPath: '/a?p=1', query: 'exact' }, '/a?p=1', '/new'],
  [{ fromPath: '/a?p=1', query: 'exact' }, '/a?p=1&q=2', null],
  [{ fromPath: '/a', query: 'exact' }, '/a?p=1', null],
  [{ fromPath: '/?p=1', query: 'exact' }, '/?p=1&fbclid=x%20y', '/new?fbclid=x%20y'],
  [{ fromPath: '/a?p=1', query: 'exact' }, '/a?utm_source=n&p=1&GCLID=2', '/new?utm_source=n&GCLID=2'],
  [{ fromPath: '/a?utm_source=n', query: 'exact' }, '/a?utm_source=o', null],
  [{ fromPath: '/a?utm_source=n', query: 'exact' }, '/a?utm_source=n&utm_medium=m', '/new?utm_medium=m'],
  [{ fromPath: '/a?p=1', query: 'contains' }, '/a?q=2&p=1', '/new?q=2'],
  [{ fromPath: '/a?p=1&p=1', query: 'contains' }, '/a?p=1', null],
  [{ fromPath: '/a?p=1', query: 'contains' }, '/a?p=10', null],
  [{ fromPath: '/a?p=1', query: 'contains' }, '/a', null],
  [{ fromPath: '/a', query: 'contains' }, '/a?p=1', '/new?p=1'],
  [{ fromPath: '/old/*', toPath: '/new/*', kind: 'wildcard' }, '/old/x/Y?z', '/new/x/Y?z'],
  [{ fromPath: '/old/*', toPath: '/new/*', kind: 'wildcard' }, '/old', '/new'],
  [{ fromPath: '/old/*', toPath: '/new/*', kind: 'wildcard' }, '/old/', '/new/'],
  [{ fromPath: '/old/*', toPath: 'https://else.example/*', kind: 'wildcard' }, '/old', 'https://else.example/'],
  [{ fromPath: '/old/*', toPath: '/new/*', kind: 'wildcard', ignoresSlash: false }, '/old', null],
  [{ fromPath: '/OLD/*', toPath: '/*/end', kind: 'wildcard', ignoresCase: true }, '/old/Ünder', '/%C3%9Cnder/end'],
  [{ fromPath: '/(\\w+)-(\\d+)', toPath: '/p/$2?name=$1', kind: 'pattern' }, '/shoe-12', '/p/12?name=shoe'],
  [{ fromPath: '/(.*)', toPath: `${SITE}/x/$1`, kind: 'pattern' }, '/a', '/x/a'],
  [{ fromPath: '/a', toPath: 'https://bücher.example/ä' }, '/a', 'https://xn--bcher-kva.example/%C3%A4'],
  [{ fromPath: '/*', toPath: 'https://example.com*', kind: 'wildcard' }, '/.evil.example', null],
])('%o leads %s to %s', (rule, url, place) => {
  expect(lead(rule, url)).toBe(place)
})

test('a path that nobody could mean matches nothing, and a way of fifty hops ends', () => {
  expect(lead({ fromPath: '/*', kind: 'wildcard' }, `/${'a'.repeat(2000)}`)).toBeNull()
  const rules = Array.from({ length: 60 }, (_, index) => makeRule({ fromPath: `/${index}`, toPath: `/${index + 1}` }))
  expect(resolve(new RuleSet(rules, SITE), '/30').end).toBe('page')
  expect(resolve(new RuleSet(rules, SITE), '/1').end).toBe('circle')
})
