import { RE2JS } from 're2js'
import { foldCase, readAddress, withoutSlash } from '#app/redirects/engine/address.server.ts'
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

const QUERIES = [
  ...(['', '', '?', '?a=1', '?a=1&b=2', '?b=2&a=1', '?b=%31', '?a=1&a=1', '?fbclid=x', '?a=1&utm_source=n', '?utm_source=n&a=1'] as const),
  ...(['?UTM_Medium=m&b=1&gclid=%20', '?utm_source=n&utm_source=o', '?a=2&mc_cid=1&a=1', '?_ga=2.1&utmost=1'] as const),
] as const

export function rollUrl(chance: Dice): string {
  return rollPath(chance) + chance.pick(QUERIES)
}

/** A rule of any kind with any options. */
export function rollRule(chance: Dice, id: string): Rule {
  const { pick, roll } = chance
  const kind = pick(['exact', 'wildcard', 'pattern'] as const)
  const query = pick(['pass', 'ignore', 'exact', 'contains'] as const)
  const comparesQuery = query === 'exact' || query === 'contains'
  const asked = comparesQuery ? pick(['', '?a=1', '?b=1', '?utm_source=n', '?a=1&b=2', '?a=1&a=1']) : ''
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
    const [path, query] = [address.path, address.query]
    const [folded, shorter] = [foldCase(path), withoutSlash(path)]
    const asked = { path, folded, shorter, foldedShorter: withoutSlash(folded), query }
    return lines.find(({ matches }) => matches(asked))?.rule
  }
}

type Asked = Record<'path' | 'folded' | 'shorter' | 'foldedShorter' | 'query', string>

function reader(rule: Rule): (asked: Asked) => boolean {
  const matches = { exact: readExact, wildcard: readWildcard, pattern: readPattern }[rule.kind](rule)
  return (asked) => passedOn(rule, asked.query) !== undefined && matches(asked)
}

type Entry = [name: string, value: string]

/** The part of a visitor's query that a rule passes on, parameter by parameter; `undefined` when the rule does not match it. */
export function passedOn(rule: Rule, sent: string): Entry[] | undefined {
  const [, named = ''] = rule.kind === 'pattern' ? [] : rule.fromPath.split('?')
  const [own, asked] = [[...new URLSearchParams(named)], [...new URLSearchParams(sent)]]
  if (rule.query === 'ignore') return []
  if (rule.query === 'pass') return asked
  const [compared, others] = rule.query === 'exact' ? apartFromTracking(asked, own) : apartFromOwn(asked, own)
  return JSON.stringify(compared) === JSON.stringify(own) ? others : undefined
}

function apartFromTracking(asked: Entry[], own: Entry[]): [Entry[], Entry[]] {
  const begins = ['utm_', 'mc_', '_ga', 'fbclid', 'gclid']
  const isTracking = ([name]: Entry) => begins.some((begin) => name.toLowerCase().startsWith(begin)) && !own.some(([ours]) => ours === name)
  return [asked.filter((entry) => !isTracking(entry)), asked.filter(isTracking)]
}

/** The parameters of the rule, as far as they are there, and the rest. */
function apartFromOwn(asked: Entry[], own: Entry[]): [Entry[], Entry[]] {
  const others = [...asked]
  const found = own.filter(([name, value]) => {
    const at = others.findIndex((entry) => entry[0] === name && entry[1] === value)
    return at >= 0 && others.splice(at, 1).length > 0
  })
  return [found, others]
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
