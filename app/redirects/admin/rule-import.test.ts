import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import type { Redirect } from '#app/redirects/rules/redirect.ts'
import { startEndpoints } from '#test/app.ts'
import { signIn, type SignedIn } from '#test/factories.ts'
import type { RedirectImportReport } from './rule-import.ts'

const app = await startEndpoints()
let staff: SignedIn
beforeAll(async () => {
  staff = await signIn('staff')
})
beforeEach(async () => {
  await db.deleteFrom('redirects').execute()
})

type Given = { text: string; columns?: (string | null)[]; format?: string; replace?: boolean; confirm?: boolean }
type Headers = Record<string, string>

const send = async ({ format = 'csv', ...given }: Given, dry: boolean, headers: Headers = staff.headers) =>
  app.inject({ method: 'POST', url: `/api/redirects/import?dry=${dry}`, headers, payload: { format, ...given } })
const look = async (given: Given): Promise<RedirectImportReport> => (await send(given, true)).json()
const write = async (given: Given): Promise<RedirectImportReport> => (await send(given, false)).json()
const exported = async (format: string, headers: Headers = staff.headers) =>
  app.inject({ url: `/api/redirects/export?format=${format}`, headers })
const list = async (): Promise<Redirect[]> => (await app.inject({ url: '/api/redirects', headers: staff.headers })).json()
const ways = async () => (await list()).map(({ fromPath, toPath, statusCode }) => `${fromPath} ${toPath} ${statusCode}`)
const states = ({ lines }: RedirectImportReport) => lines.map(({ line, state }) => `${line} ${state}`)

describe('happy', () => {
  test('a file is looked at without writing, then written behind what there is, in its order', async () => {
    await write({ text: 'From,To\n/kept,/about' })
    await db.insertInto('missingPaths').values({ path: '/a' }).execute()
    const file = { text: 'From,To,Status code,Description\n/a,/contact,302,One\n/b/*,/services/*,301,\n' }
    const seen = await look(file)
    expect(seen).toEqual({
      written: 0,
      heads: ['From', 'To', 'Status code', 'Description'],
      columns: ['fromPath', 'toPath', 'statusCode', 'description'],
      lines: [
        { line: 2, text: '/a,/contact,302,One', state: 'new', rule: { fromPath: '/a', toPath: '/contact', statusCode: 302 } },
        { line: 3, text: '/b/*,/services/*,301,', state: 'new', rule: { fromPath: '/b/*', toPath: '/services/*', statusCode: 301 } },
      ],
    })
    expect(await ways()).toEqual(['/kept /about 301'])
    expect((await write(file)).written).toBe(2)
    expect(await ways()).toEqual(['/kept /about 301', '/a /contact 302', '/b/* /services/* 301'])
    expect((await list()).map(({ description, kind }) => [description, kind])).toEqual([
      [null, 'exact'],
      ['One', 'exact'],
      [null, 'wildcard'],
    ])
    expect(await db.selectFrom('missingPaths').selectAll().execute()).toEqual([])
    expect(states(await look(file))).toEqual(['2 duplicate', '3 duplicate'])
  })

  test('paths that an imported rule redirects leave the not found log, in any spelling and below a star; those of an inactive rule stay', async () => {
    const missed = ['/off', '/old/a', '/été', '/else'].map((path) => ({ path }))
    await db.insertInto('missingPaths').values(missed).execute()
    await write({ text: 'From,To,Active\n/off,/about,no\n/old/*,/services,yes\n/%C3%A9t%C3%A9/,/contact,yes\n' })
    const left = await db.selectFrom('missingPaths').select('path').orderBy('path').execute()
    expect(left.map(({ path }) => path)).toEqual(['/else', '/off'])
  })

  test('an old address with a query is met with other parameters too, unless the file asks for exactly this query', async () => {
    await write({ text: 'from,to,code,query\n/case?x=1,/about,301,\n/shop?id=7,/contact,301,exact\n/plain,/blog,301,\n' })
    expect((await list()).map(({ fromPath, query }) => `${fromPath} ${query}`)).toEqual([
      '/case?x=1 contains',
      '/shop?id=7 exact',
      '/plain pass',
    ])
    const { body } = await exported('csv')
    expect(states(await look({ text: body }))).toEqual(['2 duplicate', '3 duplicate', '4 duplicate'])
  })

  test('columns with other names get their fields by hand, and what was corrected is told', async () => {
    const text = 'Alt;Neu;Art\nold;/new;permanent\n'
    const seen = await look({ text })
    expect([seen.heads, seen.columns, seen.lines[0]?.reason]).toEqual([
      ['Alt', 'Neu', 'Art'],
      [null, null, null],
      'The header needs at least the columns From and To',
    ])
    const report = await write({ text, columns: ['fromPath', 'toPath', 'statusCode'] })
    expect(report.lines[0]).toMatchObject({ state: 'new', notes: ['The leading slash was missing.', '“permanent” is read as 301.'] })
    expect(await ways()).toEqual(['/old /new 301'])
    expect((await send({ text, columns: ['nothing'] }, true)).statusCode).toBe(422)
  })

  test('in the place of all others, all of it or nothing', async () => {
    await write({ text: '/old,/about\n/older,/about' })
    expect((await write({ text: '/old,/contact\nhttps://else.example/x,/y', replace: true })).written).toBe(1)
    expect(await ways()).toEqual(['/old /contact 301'])
  })

  test.each([
    ['csv', 'text/csv; charset=utf-8', 'csv'],
    ['json', 'application/json; charset=utf-8', 'json'],
    ['apache', 'text/plain; charset=utf-8', 'htaccess'],
    ['nginx', 'text/plain; charset=utf-8', 'conf'],
  ])('an export as %s imports unchanged', async (format, type, ending) => {
    await write({
      text: 'From,To,Status code,Active,Description\n/a,/contact,308,no,=1+1\n/b/*,https://else.example/*,302,yes,\n/c,/about,301,yes,',
    })
    const before = await ways()
    const file = await exported(format)
    expect(file.headers['content-type']).toBe(type)
    expect(file.headers['content-disposition']).toBe(`attachment; filename="redirects-${new Date().toISOString().slice(0, 10)}.${ending}"`)
    expect(file.headers['rules-left-out']).toBe('0')
    expect((await write({ text: file.body, format, replace: true })).written).toBe(3)
    expect(await ways()).toEqual(before)
    expect((await list()).map(({ isActive, description }) => [isActive, description])).toEqual([
      [false, '=1+1'],
      [true, null],
      [true, null],
    ])
  })
})

describe('error', () => {
  test('circles, twins and what no rule can be are named and left out; the rest is written', async () => {
    await write({ text: '/x,/y' })
    const given = { text: '/y,/x\n/p,/q\n/q,/p\n/same,/same\n/x/,/z\n/admin/users,/z\n/news/(,/z\n/k,/l\n/k,/m\n\n', format: 'csv' }
    const report = await write(given)
    expect(states(report)).toEqual([
      '1 problem',
      '2 problem',
      '3 problem',
      '4 problem',
      '5 duplicate',
      '6 refused',
      '7 new',
      '8 new',
      '9 duplicate',
    ])
    expect(report.lines[0]).toMatchObject({ kind: 'loop', path: ['/y', '/x', '/y'], reason: expect.stringContaining('/y → /x → /y') })
    expect(report.lines[5]?.reason).toBe('Paths below /admin cannot be redirected')
    expect(await ways()).toEqual(['/x /y 301', '/news/( /z 301', '/k /l 301'])
  })

  test('a chain, and a rule that is never reached, are written once that is confirmed', async () => {
    const given = { text: '/a,/b\n/b,/c\n/s/*,/t\n/s/one,/u' }
    const seen = await write(given)
    expect([states(seen), seen.written]).toEqual([['1 doubtful', '2 new', '3 new', '4 doubtful'], 2])
    expect(seen.lines[0]).toMatchObject({ kind: 'chain', path: ['/a', '/b', '/c'] })
    expect(seen.lines[3]).toMatchObject({ kind: 'shadowed' })
    await db.deleteFrom('redirects').execute()
    expect((await write({ ...given, confirm: true })).written).toBe(4)
    expect(await ways()).toEqual(['/a /b 301', '/b /c 301', '/s/* /t 301', '/s/one /u 301'])
  })

  test.each([
    ['no text', { text: '' }, 'The text of the file is required'],
    ['an unknown format', { text: 'x', format: 'xml' }, 'The format is csv, json, apache or nginx'],
    ['too many lines', { text: '\n'.repeat(20_001) }, 'The file can have at most 2,000,000 characters and 20,000 lines'],
    ['too many characters', { text: 'x'.repeat(2_000_001) }, 'The file can have at most 2,000,000 characters and 20,000 lines'],
  ])('%s is refused with a sentence', async (_name, given, sentence) => {
    const reply = await send(given, true)
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([422, 'application/problem+json'])
    expect(Object.values(reply.json().errors)).toEqual([sentence])
  })

  test('a format for an export that there is not, and a body that is no JSON, are refused', async () => {
    expect((await exported('xml')).statusCode).toBe(422)
    const reply = await app.inject({
      method: 'POST',
      url: '/api/redirects/import',
      headers: { ...staff.headers, 'content-type': 'text/csv' },
      payload: '/a,/b',
    })
    expect(reply.statusCode).toBe(415)
  })

  test('two imports at once: each is whole, or is told that the list has changed', async () => {
    const replies = await Promise.all([send({ text: '/a,/b\n/c,/d' }, false), send({ text: '/e,/a\n/f,/g' }, false)])
    const written = replies.filter(({ statusCode }) => statusCode === 200).length
    expect(written).toBeGreaterThan(0)
    expect(replies.every(({ statusCode, body }) => statusCode === 200 || (statusCode === 409 && body.includes('list_changed')))).toBe(true)
    expect((await list()).length).toBeGreaterThanOrEqual(2)
  })
})

describe('security', () => {
  test('files are for staff: strangers and customers neither read nor write', async () => {
    const customer = await signIn()
    for (const [headers, status] of [
      [{}, 401],
      [customer.headers, 403],
    ] as const) {
      expect((await send({ text: '/a,/b' }, false, headers)).statusCode).toBe(status)
      expect((await send({ text: '/a,/b' }, true, headers)).statusCode).toBe(status)
      expect((await exported('csv', headers)).statusCode).toBe(status)
    }
    expect(await list()).toEqual([])
  })

  test('nothing of a file becomes a script, another site by the back door or a header', async () => {
    const report = await write({
      format: 'json',
      text: JSON.stringify([
        { from: '/a', to: 'javascript:alert(1)' },
        { from: '/b', to: '//evil.example' },
        { from: '/c', to: '/\\evil.example' },
        { from: '/d', to: 'data:text/html,x' },
        { from: '/e', to: '/x\r\nset-cookie: a=b' },
        { from: '/f/*', to: 'https://*', kind: 'wildcard' },
        { from: { $gt: '' }, to: ['/x'] },
        { from: '/g', to: '/ok', __proto__: { isActive: false }, constructor: 1 },
      ]),
    })
    expect(report.lines.map(({ state }) => state)).toEqual([
      'refused',
      'refused',
      'refused',
      'refused',
      'refused',
      'refused',
      'refused',
      'new',
    ])
    expect(await ways()).toEqual(['/g /ok 301'])
  })
})
