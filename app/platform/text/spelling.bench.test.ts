import fc from 'fast-check'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { startApp } from '#test/app.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 4 })

const app = await startApp()
await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(async () => {
  agent.destroy()
})

/** Sends the address unchanged; ordinary clients normalize it. */
async function ask(path: string, method = 'GET') {
  const sent = request(app.listeningOrigin, { path, method, agent }).end()
  const reply = await new Promise<IncomingMessage>((resolve, reject) => sent.once('response', resolve).once('error', reject))
  return { status: reply.statusCode, location: reply.headers.location, body: await text(reply) }
}

describe('a page has one address, and every other spelling redirects to it permanently', () => {
  test.each([
    ['/SERVICES', '/services'],
    ['/Contact', '/contact'],
    ['/LOGIN?next=%2Fdashboard', '/login?next=%2Fdashboard'],
    ['/SiteMap.xml', '/sitemap.xml'],
    ['/%73ervices', '/services'],
    ['/hire%2Dweb-scraping-developer', '/hire-web-scraping-developer'],
    ['/contact/', '/contact'],
    ['/contact//?a=1&b=2', '/contact?a=1&b=2'],
    ['/services/?', '/services'],
    ['/services?', '/services'],
    ['//services', '/services'],
    ['/login//confirm', '/login/confirm'],
    ['/./services', '/services'],
    ['/about/%2e%2E/services', '/services'],
    ['/\\services', '/services'],
    ['//', '/'],
    ['/?', '/'],
  ])('%s leads to %s', async (address, place) => {
    for (const method of ['GET', 'HEAD']) expect(await ask(address, method)).toEqual({ status: 301, location: place, body: '' })
    expect(await ask(place)).toMatchObject({ location: undefined })
  })

  test.each(['/services', '/contact', '/login', '/'])('%s in any spelling leads to itself and nowhere else', async (path) => {
    const queries = fc.constantFrom('', '?a=1', '?a=%2F%2Fevil.example&b')
    await fc.assert(
      fc.asyncProperty(spellingsOf(path), queries, async (spelling, query) => {
        const { status, location } = await ask(spelling + query)
        expect([spelling, status, location]).toEqual(spelling === path ? [path, 200, undefined] : [spelling, 301, path + query])
      }),
      { numRuns: 60 },
    )
  })
})

describe('what is no other spelling of a page is no page', () => {
  test.each([
    '/%2573ervices',
    '/services%2F',
    '/%2Fservices',
    '/login%2Fconfirm',
    '/services%20',
    '/services.',
    '/services;x',
    '/nowhere/',
    '//evil.example/',
    '/\\evil.example/',
    '/%2F/evil.example/',
    '/%5Cevil.example',
    '//evil.example/contact/',
    '//evil.example/%2e%2e//evil.example',
    '//SERVICES@evil.example',
    '/serv%C4%B1ces',
  ])('%s', async (address) => {
    expect(await ask(address)).toMatchObject({ status: 404, location: undefined })
  })

  test('API clients need the exact address', async () => {
    for (const path of ['/API/contact', '/api/Contact', '/Auth/v1/user', '/HEALTHZ']) {
      expect([path, await ask(path)]).toMatchObject([path, { status: 404, location: undefined }])
    }
  })

  test('however an address is written, its redirect stays on this site and leads to no further redirect', async () => {
    const pieces = fc.constantFrom(
      '/',
      '//',
      '\\',
      '%2F',
      '%5C',
      '.',
      '..',
      '%2e',
      'services',
      'LOGIN',
      'evil.example',
      '@',
      ':',
      '?',
      '#',
      '%25',
      ';',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { minLength: 1, maxLength: 8 }), async (parts) => {
        const address = `/${parts.join('')}`
        const { status, location = '/' } = await ask(address)
        expect([200, 301, 404]).toContain(status)
        expect(location).toMatch(/^\/(services|login)?(\?|$)/)
        expect((await ask(location)).status).not.toBe(301)
      }),
      { numRuns: 300 },
    )
  })
})

/** Another case, percent-encoded characters, extra slashes and dots. */
function spellingsOf(path: string): fc.Arbitrary<string> {
  const letters = path
    .slice(1)
    .split('')
    .map((letter) => {
      const code = `%${letter.charCodeAt(0).toString(16)}`
      return fc.constantFrom(letter, letter, letter.toUpperCase(), code, code.toUpperCase())
    })
  const before = fc.constantFrom('/', '/', '//', '/./', '/x/../')
  const after = path === '/' ? fc.constant('') : fc.constantFrom('', '', '/', '//')
  return fc.tuple(before, fc.tuple(...letters), after).map(([start, middle, end]) => start + middle.join('') + end)
}
