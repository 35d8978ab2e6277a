import { RE2JS } from 're2js'
import { foldCase, readAddress, readQuery, withoutSlash } from '#app/redirects/engine/address.server.ts'
import { isProtected } from '#app/redirects/engine/protected.server.ts'
import { readFrom } from '#app/redirects/engine/rule-set.server.ts'
import type { Rule } from '#app/redirects/engine/rule.ts'

/** Pseudo-random numbers, the same for the same seed. */
export function dice(seed: number) {
  let state = seed
  const roll = (sides: number) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c_1b_3c_6d) + 0x6d_2b_79_f5) | 0
    return ((state ^ (state >>> 13)) >>> 0) % sides
  }
  return { roll, pick: <Thing>(things: readonly [Thing, ...Thing[]]): Thing => things[roll(things.length)] ?? things[0] }
}

export type Dice = ReturnType<typeof dice>

export function makeRule(given: Partial<Rule> = {}): Rule {
  return {
    id: `${given.fromPath} → ${given.toPath}`,
    fromPath: '/old',
    toPath: '/new',
    statusCode: 301,
    kind: 'exact',
    query: 'pass',
    ignoresSlash: true,
    ignoresCase: false,
    ...given,
  }
}

const WORDS = ['a', 'b', 'A', 'shop', 'Shop', 'café', 'caf%C3%A9', 'old', 'x-1', '1', 'ſ', 'K', 'k', 's'] as const
const PATTERNS = [
  '/(a|b)/(\\d+)',
  '/shop/.*',
  '/.*old.*',
  '/[a-c]+/?',
  '/café/(.*)',
  '/(.*)/x-\\d',
  '/a+b?c*',
  '/\\x61',
  '/a|/b',
  '/s(hop)?/k+',
  '/.{3}',
  '/old/?.*1',
] as const

/** A path of a few words, so that many rules and addresses meet. */
export function rollPath({ roll, pick }: Dice): string {
  const words = Array.from({ length: 1 + roll(3) }, () => pick(WORDS))
  return `/${words.join(pick(['/', '/', '//', '/./']))}${pick(['', '', '/'])}`
}

export function rollUrl(chance: Dice): string {
  return rollPath(chance) + chance.pick(['', '', '?', '?a=1', '?a=1&b=2', '?b=%31'])
}

/** A rule of any kind with any options. */
export function rollRule(chance: Dice, id: string): Rule {
  const { pick, roll } = chance
  const kind = pick(['exact', 'wildcard', 'pattern'] as const)
  const query = pick(['pass', 'ignore', 'exact'] as const)
  const asked = query === 'exact' ? pick(['', '?a=1', '?b=1']) : ''
  const path = rollPath(chance)
  const fromPath = { exact: path + asked, wildcard: `${path}*${asked}`, pattern: pick(PATTERNS) }[kind]
  const options = { query, ignoresSlash: roll(2) === 0, ignoresCase: roll(2) === 0 } as const
  return makeRule({ id, fromPath, kind, toPath: kind === 'wildcard' ? '/to/*' : '/to', ...options })
}

/** The result of a scan of the list from the top, line by line. */
export function lineByLine(rules: readonly Rule[]): (url: string) => Rule | undefined {
  const lines = rules.map((rule) => ({ rule, matches: reader(rule) }))
  return (url) => {
    const address = readAddress(url)
    if (isProtected(address.path)) return undefined
    const [path, query] = [address.path, readQuery(address.query)]
    const [folded, shorter] = [foldCase(path), withoutSlash(path)]
    const asked = { path, folded, shorter, foldedShorter: withoutSlash(folded), query }
    return lines.find(({ matches }) => matches(asked))?.rule
  }
}

type Asked = Record<'path' | 'folded' | 'shorter' | 'foldedShorter' | 'query', string>

function reader(rule: Rule): (asked: Asked) => boolean {
  const { query } = readFrom(rule)
  const matches = { exact: readExact, wildcard: readWildcard, pattern: readPattern }[rule.kind](rule)
  return query === undefined ? matches : (asked) => asked.query === query && matches(asked)
}

function readExact({ ignoresCase, ignoresSlash, ...rule }: Rule): (asked: Asked) => boolean {
  const { path } = readFrom({ ...rule, ignoresCase, ignoresSlash })
  const whole = ignoresSlash ? withoutSlash(path) : path
  const from = ignoresCase ? foldCase(whole) : whole
  if (ignoresSlash) return ignoresCase ? (asked) => asked.foldedShorter === from : (asked) => asked.shorter === from
  return ignoresCase ? (asked) => asked.folded === from : (asked) => asked.path === from
}

function readWildcard(rule: Rule): (asked: Asked) => boolean {
  const { path } = readFrom(rule)
  const from = rule.ignoresCase ? foldCase(path) : path
  const itself = rule.ignoresSlash && from.length > 1 && from.endsWith('/') ? from.slice(0, -1) : undefined
  const key = rule.ignoresCase ? 'folded' : 'path'
  return (asked) => asked[key].startsWith(from) || asked[key] === itself
}

function readPattern({ fromPath, ignoresCase, ignoresSlash }: Rule): (asked: Asked) => boolean {
  const machine = RE2JS.compile(fromPath, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0)
  return ({ path, shorter }) => machine.matches(path) || (ignoresSlash && machine.matches(shorter))
}
