import { describe, expect, test } from 'vitest'
import { makeRule } from '#test/redirect-rules.ts'
import { finish, rollRuleSet } from '#test/redirect-circles.ts'
import { endOfChain } from './collapse.server.ts'
import { RuleLint } from './lint.server.ts'
import { inPieces } from './in-pieces.server.ts'
import type { Rule } from './rule.ts'

const SITE = 'https://ours.example'

/** Rules from lines such as `/a → /b`; a star makes a wildcard, a bracket a pattern. */
function read(...lines: string[]): Rule[] {
  return lines.map((line) => {
    const [fromPath = '', toPath = ''] = line.split(' → ')
    return makeRule({
      id: line,
      fromPath,
      toPath,
      kind: fromPath.includes('(') ? 'pattern' : fromPath.includes('*') ? 'wildcard' : 'exact',
    })
  })
}

const found = (lines: string[], pages: string[] = []) =>
  finish(new RuleLint(read(...lines), SITE, pages).all()).map(({ kind, path }) => `${kind} ${path.join(' ')}`)

describe('problems are found with the chain that shows them', () => {
  test.each([
    [['/a → /a/'], ['self /a /a/']],
    [['/a/* → /a/b'], ['self /a/* /a/b']],
    [['/a/* → /a/b/*'], ['self /a/* /a/b/*']],
    [['/a → /b', '/b → /a'], ['loop /a /b /a']],
    [['/a/* → /b/*', '/b/* → /a/*'], ['loop /a/* /b/* /a/*']],
    [['/a/* → /b/*', '/b/* → /a/x/*'], ['loop /a/* /b/* /a/x/*']],
    // Only one address of a wildcard loops, through the rules before and after it.
    [['/b/one/two → /a/two', '/a/* → /b/one/*'], ['loop /b/one/two /a/two /b/one/two']],
    [['/x/(.*) → /y/$1', '/y/* → /x/*'], ['loop /x/ /y/ /x/']],
    [['/a → https://ours.example/b', '/b → /a'], ['loop /a /b /a']],
    [['/a → /b', '/b → /c'], ['chain /a /b /c']],
    [['/old/* → /new/*', '/new/special → /c'], ['chain /old/special /new/special /c']],
    [
      ['/* → /a', '/b → /c'],
      ['self /* /a', 'shadowed /b /*'],
    ],
    [['/a → /b', '/a/ → /c'], ['duplicate /a']],
  ])('%o: %o', (lines, problems) => {
    expect(found(lines)).toEqual(problems)
  })

  test('a live page that a rule hides is named', () => {
    expect(found(['/about → /x', '/shop/* → /y'], ['/about', '/contact', '/shop/1'])).toEqual([
      'shadows-page /about',
      'shadows-page /shop/1',
    ])
  })

  test('similar rules without a problem are not reported', () => {
    expect(found(['/a → /b', '/A → /c', '/a/b → /d', '/bb/* → https://example.com/*', '/a* → /e'])).toEqual([])
    // Each hop shortens the address, so the chain ends; a visitor gets a single redirect.
    expect(found(['/a/* → /*'])).toEqual([expect.stringMatching(/^chain \/a\/a\//)])
  })
})

test('a wildcard over thousands of places takes a bounded number of pieces, and others have their turns between them', async () => {
  const places = Array.from({ length: 3000 }, (_, index) => `/old/${index} → /new/${index}`)
  const rules = read('/all/* → /old/*', ...places)
  const [all] = rules
  if (!all) throw new Error('There is no rule.')
  let pieces = 0
  const problems = finish(new RuleLint(rules, SITE, []).around(all), () => (pieces += 1))
  expect(problems.map(({ kind }) => kind)).toContain('chain')
  expect(pieces).toBeGreaterThan(rules.length)
  expect(pieces).toBeLessThan(rules.length + 2 * 2100)

  let turns = 0
  const others = setInterval(() => (turns += 1), 1)
  expect(await inPieces(new RuleLint(rules, SITE, []).around(all))).toEqual(problems)
  clearInterval(others)
  expect(turns).toBeGreaterThan(1)
})

test('every planted circle that can be reached is found', () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const { rules, circles } = rollRuleSet(seed)
    const problems = finish(new RuleLint(rules, SITE, []).all()).filter(({ kind }) => kind === 'loop' || kind === 'self')
    for (const circle of circles)
      expect(
        problems.some(({ ids }) => ids.includes(circle.id)),
        `seed ${seed}`,
      ).toBe(true)
  }
})

test.each([
  [['/a → /b', '/b → /c#d'], '/c#d'],
  [['/a/* → /b/*', '/b/* → https://example.com/*'], 'https://example.com/*'],
  [['/a/* → /b/*', '/b/* → /c'], '/c'],
  [['/x/(.*) → /y', '/y → /z'], '/z'],
  [['/x/(.*) → /y/$1', '/y/* → /z/*'], undefined],
  [['/a → /b', '/b → /a'], undefined],
  [['/a → /b'], undefined],
])('the chain %o leads to %s at once', (lines, end) => {
  const rules = read(...lines)
  expect(rules[0] && endOfChain(rules, rules[0], SITE)).toBe(end)
})
