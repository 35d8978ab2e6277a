import { describe, expect, test } from 'vitest'
import { startApp } from '#test/app.ts'
import { sendForm } from '#test/enquiries.ts'

const app = await startApp()

const choose = (theme: string, referer?: string) => sendForm(app, '/theme', { theme }, referer === undefined ? {} : { referer })
const cookieOf = (reply: { headers: Record<string, unknown> }) => String(reply.headers['set-cookie'])

describe('the theme', () => {
  test('is stored in a cookie, and the same page is shown again', async () => {
    const reply = await choose('dark', 'http://localhost:3000/services?from=footer')
    expect([reply.statusCode, reply.headers.location]).toEqual([303, '/services?from=footer'])
    expect(cookieOf(reply)).toMatch(/^theme=dark; Path=\/; Max-Age=31536000; SameSite=Lax; HttpOnly/)
  })

  test('is accepted only from a form', async () => {
    for (const type of ['text/plain', 'application/json', 'multipart/form-data']) {
      expect((await app.inject({ method: 'POST', url: '/theme', headers: { 'content-type': type }, payload: 'x' })).statusCode).toBe(415)
    }
  })

  test('is part of the document that the server writes', async () => {
    const dark = await app.inject({ url: '/services', headers: { cookie: 'theme=dark' } })
    expect(dark.body).toMatch(/<html lang="en" data-theme="dark">/)
    expect(dark.body).toMatch(/<button [^>]*value="dark" aria-pressed="true"/)
    const system = await app.inject('/services')
    expect(system.body).toMatch(/<html lang="en">/)
    expect(system.body).toMatch(/<meta name="color-scheme" content="light dark"\/>/)
  })

  test('is forgotten when the system decides again, or when the choice is unknown', async () => {
    for (const theme of ['system', 'purple', '']) expect(cookieOf(await choose(theme))).toMatch(/^theme=system; Path=\/; Max-Age=0/)
  })
})

describe('the way back', () => {
  test.each([
    [undefined, '/'],
    ['not an address', '/'],
    ['https://evil.example/services', '/services'],
    ['http://localhost:3000//evil.example/x', '/evil.example/x'],
    ['http://localhost:3000/\\evil.example', '/evil.example'],
    ['javascript:alert(1)', '/alert(1)'],
  ])('from %s never leaves this site', async (referer, location) => {
    expect((await choose('light', referer)).headers.location).toBe(location)
  })

  test('a foreign page cannot choose for someone', async () => {
    const reply = await sendForm(app, '/theme', { theme: 'dark' }, { origin: 'https://evil.example' })
    expect([reply.statusCode, reply.headers['set-cookie']]).toEqual([403, undefined])
  })
})
