import { request } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { RuleSet } from '#app/redirects/engine/rule-set.server.ts'
import type { RedirectBody } from '#app/redirects/rules/redirect.ts'
import { startApache, startNginx, type WebServer } from '#test/web-server.ts'
import type { Format } from './rule-file.ts'
import { writeRules } from './rule-file.server.ts'

const SITE = 'https://winnow.example'
const rule = (fromPath: string, toPath: string, given: Partial<RedirectBody> = {}): RedirectBody => ({
  fromPath,
  toPath,
  statusCode: 301,
  isActive: true,
  description: undefined,
  kind: fromPath.endsWith('*') ? 'wildcard' : 'exact',
  query: 'pass',
  ignoresSlash: true,
  ignoresCase: false,
  ...given,
})
const pattern = (fromPath: string, toPath: string, given: Partial<RedirectBody> = {}) =>
  rule(fromPath, toPath, { kind: 'pattern', ...given })

const rules: RedirectBody[] = [
  rule('/old-blog', '/blog'),
  rule('/journal/*', '/blog/*', { description: 'The blog of before' }),
  rule('/news/*', 'https://news.example/*', { statusCode: 302 }),
  rule('/strict', '/about', { ignoresSlash: false }),
  rule('/Case', '/services', { ignoresCase: true }),
  rule('/off', '/nowhere', { isActive: false }),
  rule('/café', '/menü'),
  rule('/straße/*', '/weg/größe/*'),
  rule('/tokyo', 'https://else.example/東京?q=寿司#駅', { query: 'ignore' }),
  rule('/space here', '/with a space'),
  rule('/encoded', '/a%20b/c%2Fd%3Fe'),
  rule('/form', '/contact?from=form', { statusCode: 307 }),
  rule('/form-308', '/contact?from=form', { statusCode: 308 }),
  rule('/form-301', '/contact?from=form'),
  rule('/kept', '/about', { statusCode: 308 }),
  rule('/dropped', '/about?x=1', { query: 'ignore', statusCode: 302 }),
  rule('/dropped-307', '/about?x=1', { query: 'ignore', statusCode: 307 }),
  rule('/place', '/about#team', { query: 'ignore' }),
  rule('/signs.(a)+[b]', '/about'),
  rule('/quote"d', '/about'),
  rule('/deep/er/*', '/first/*'),
  rule('/deep/*', '/second/*', { statusCode: 302 }),
  rule('/lost/*', '/lost-and-found', { statusCode: 307 }),
  pattern('/product-(\\d+)', '/data-marketplace/p$1'),
  pattern('/(en|de)/(.*)', '/$1-$2', { statusCode: 302 }),
  pattern('/archive/\\d{4}', '/blog', { statusCode: 308 }),
  rule('/below/*', '/top/*', { ignoresSlash: false }),
]

const rests = [
  '',
  'a',
  'a/b',
  'a/b/',
  'x.html',
  'caf%C3%A9',
  'ü',
  '%E6%9D%B1',
  'a%20b',
  "it's",
  'a,b;c',
  '(a)',
  'A',
  'a+b',
  'a&b',
  'a=b',
  '~x',
  '%7Ex',
  'a:b@c',
  '!$',
]
const queries = ['', '?', '?a=1', '?a=1&b=%20', '?0', '?caf%C3%A9=ü']

/** Paths on the rules, beside them and below them. */
const asked = [
  ...rules.flatMap(({ fromPath, kind }) => {
    const place = kind === 'pattern' ? [] : [fromPath.replace(/\/?\*$/, '')]
    return place.flatMap((at) => [
      at,
      `${at}/`,
      `${at}x`,
      `${at}?a=1`,
      `${at}?`,
      `${at}/x?a=1&b=2`,
      `/${at}`,
      `/./${at.slice(1)}`,
      at.toUpperCase(),
    ])
  }),
  ...[
    '/journal',
    '/news',
    '/straße',
    '/deep/er',
    '/deep',
    '/below',
    '/lost',
    '/fr',
    '/en',
    '/de',
    '/old-blog',
    '/strict',
    '/lost/and',
  ].flatMap((at) => rests.map((rest) => `${at}/${rest}`)),
  ...['/old-blog', '/form', '/form-308', '/form-301', '/journal/a', '/tokyo', '/dropped', '/product-7', '/kept', '/lost/a'].flatMap((at) =>
    queries.map((query) => at + query),
  ),
  '/product-12',
  '/product-',
  '/product-12x',
  '/product-12/',
  '/en/',
  '/de/a',
  '/de/a/b',
  '/fr/a',
  '/archive/2024',
  '/archive/24',
  '/archive/2024/',
  '/old-blogger',
  '/old-blog/post',
  '/old%2Dblog',
  '/OLD-BLOG',
  '/caf%c3%a9',
  '/caf%C3%A9/',
  '/',
  '/robots',
].map((url) => url.replaceAll(/[^!-~]|"/gu, encodeURIComponent))

const servers: WebServer[] = []
afterAll(() => Promise.all(servers.map(async (server) => server.stop())))

test.each([
  ['nginx', startNginx],
  ['apache', startApache],
] as const)('%s sends 500 addresses where this site sends them', async (format, start) => {
  const { text, left } = writeRules(rules, format)
  const said = rules.filter((one) => !left.some((unsaid) => unsaid.rule === one))
  expect(left.map(({ rule: { fromPath } }) => fromPath)).toEqual(unwritten[format])
  const engine = new RuleSet(
    said.filter(({ isActive }) => isActive).map((one) => ({ ...one, id: one.fromPath })),
    SITE,
  )
  const server = await start(text)
  servers.push(server)

  const paths = [...new Set(asked)]
  expect(paths.length).toBeGreaterThan(500)
  const wrong: string[] = []
  for (const url of paths) {
    const found = engine.find(url)
    const wanted = found?.target ? `${found.rule.statusCode} ${same(found.target.location)}` : 'none'
    const given = await ask(server.url, url)
    if (given !== wanted) wrong.push(`${url}: ${given}, not ${wanted}`)
  }
  expect(wrong).toEqual([])
})

/** The rules that each format leaves out and lists in its report. */
const unwritten: Partial<Record<Format, string[]>> = { nginx: [], apache: [] }

function ask(origin: string, url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(origin, { path: url }, (response) => {
      response.resume()
      const { location } = response.headers
      resolve(
        location ? `${response.statusCode} ${same(location.replace(origin, '').replace(/^http:\/\/localhost(?::\d+)?/, ''))}` : 'none',
      )
    })
    sent.on('error', reject).end()
  })
}

/** Normalizes spellings of one address: case of `%c3`, optional encoding, an empty query passed on by Apache. */
function same(location: string): string {
  return location
    .replaceAll(/%[\da-f]{2}/gi, (number) => number.toUpperCase())
    .replaceAll(/%(2[14789A-C]|3[ABD]|40|7E)/g, (number) => decodeURIComponent(number))
    .replace(/\?$/, '')
}
