import { beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env.URI_ALLOW_LIST = 'https://app.example, winnow://signed-in'
  process.env.API_EXTERNAL_URL = 'https://api.winnow.example/service/auth/v1/'
})

import { readEmail } from '#app/mail/emails.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { startApp } from '#test/app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, someEmail } from '#test/auth.ts'
import { browser } from '#test/browser.ts'
import { secretsOf } from '#test/emails.ts'

const app = await startApp()
const call = authClient(app)
beforeEach(forgetLimits)

const TARGET = 'https://app.example/welcome'

async function signedUp(target = TARGET) {
  const email = someEmail()
  await call('POST', `/signup?redirect_to=${encodeURIComponent(target)}`, { email, password: PASSWORD })
  return { email, target, ...(await secretsOf(email, 'confirm-address')) }
}

type Question = { link: string; type?: string; target?: string | undefined }

const look = ({ link, type = 'signup', target }: Question, method: 'GET' | 'HEAD' = 'GET', headers: Record<string, string> = {}) =>
  app.inject({
    method,
    url: `/auth/v1/verify?${new URLSearchParams({ token: link, type, ...(target && { redirect_to: target }) })}`,
    headers,
  })

/** Submits the page's form. */
async function press(page: string) {
  const fields = [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']): [string, string] => [name, value.replaceAll('&amp;', '&')],
  )
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://api.winnow.example' }
  return app.inject({ method: 'POST', url: '/auth/v1/verify', headers, payload: new URLSearchParams(fields).toString() })
}

const fragmentOf = (reply: { headers: { location?: string | undefined } }) =>
  Object.fromEntries(new URLSearchParams(new URL(reply.headers.location ?? '').hash.slice(1)))

describe('happy', () => {
  test('the email links to the service’s public URL; its page has one button, which redirects with the session', async () => {
    const asked = await signedUp()
    const { id } = await db.selectFrom('jobs').select('id').where('kind', '=', 'letter').orderBy('id', 'desc').executeTakeFirstOrThrow()
    const [named = ''] = /https:\/\/api\.[^\s>]+/.exec((await readEmail(id))?.text ?? '') ?? []
    expect(named).toBe(
      `https://api.winnow.example/service/auth/v1/verify?token=${asked.link}&type=signup&redirect_to=${encodeURIComponent(TARGET)}`,
    )
    const page = await look(asked)
    expect([page.statusCode, page.headers['content-type'], page.headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ])
    expect(page.body.match(/<button/g)).toHaveLength(1)
    expect(page.body).toContain('Click the button to continue to app.example')
    const pressed = await press(page.body)
    expect([pressed.statusCode, String(pressed.headers.location)]).toEqual([
      303,
      expect.stringMatching(/^https:\/\/app\.example\/welcome#/),
    ])
    const { access_token = '', ...rest } = fragmentOf(pressed)
    expect(Object.keys(rest)).toEqual(['expires_at', 'expires_in', 'refresh_token', 'sb', 'token_type', 'type'])
    expect(rest).toMatchObject({ expires_in: '900', token_type: 'bearer', type: 'signup', sb: '' })
    expect((await call('GET', '/user', undefined, bearer({ access_token }))).json().email).toBe(asked.email)
    const [, payload = ''] = access_token.split('.')
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString()).iss).toBe('https://api.winnow.example/service/auth/v1')
  })

  test('an app on a device is a target like any other', async () => {
    const asked = await signedUp('winnow://signed-in')
    const page = await look(asked)
    expect(page.headers['content-security-policy']).toContain("form-action 'self' winnow:")
    expect((await press(page.body)).headers.location).toMatch(/^winnow:\/\/signed-in#access_token=/)
  })

  test('opening the page by any method, any number of times, uses nothing up', async () => {
    const asked = await signedUp()
    for (const method of ['GET', 'HEAD', 'GET'] as const) {
      expect((await look(asked, method, { 'sec-purpose': 'prefetch;prerender' })).statusCode).toBe(200)
    }
    expect((await press((await look(asked)).body)).headers.location).toContain('#access_token=')
  })
})

describe('error', () => {
  test('without a token or a type it is no link', async () => {
    for (const query of ['', '?type=signup', '?token=abc', '?token=abc&type=sms', '?token=abc&type=magic']) {
      const reply = await call('GET', `/verify${query}`)
      expect([query, reply.statusCode, reply.json().code]).toEqual([query, 400, 'validation_failed'])
    }
  })

  test('a link that is used up, replaced, too old or of another kind leads on with what clients read', async () => {
    const asked = await signedUp()
    await press((await look(asked)).body)
    const expired = { error: 'access_denied', error_code: 'otp_expired', error_description: 'Token has expired or is invalid', sb: '' }
    for (const question of [asked, { ...asked, type: 'recovery' }, { ...asked, link: 'nonsense' }]) {
      const reply = await look(question)
      expect([reply.statusCode, fragmentOf(reply)]).toEqual([303, expired])
      expect(reply.headers.location).toMatch(
        /^https:\/\/app\.example\/welcome#error=access_denied&error_code=otp_expired&error_description=Token\+has\+expired\+or\+is\+invalid&sb=$/,
      )
    }
    const page = (await look(await signedUp())).body
    await db
      .updateTable('oneTimeTokens')
      .set({ issuedAt: new Date(Date.now() - 3_601_000) })
      .execute()
    expect(fragmentOf(await press(page))).toEqual(expired)
  })

  test('a banned user is told so there', async () => {
    const asked = await signedUp()
    await db
      .updateTable('users')
      .set({ bannedUntil: new Date(Date.now() + 60_000) })
      .where('email', '=', asked.email)
      .execute()
    const reply = await press((await look(asked)).body)
    expect(fragmentOf(reply)).toMatchObject({ error: 'access_denied', error_code: 'user_banned' })
  })
})

describe('security', () => {
  test('nothing on the page can be run, framed or told to another site, and its form leads to its target alone', async () => {
    const { headers, body } = await look(await signedUp())
    const policy = String(headers['content-security-policy'])
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'nonce-[\w-]+'; form-action 'self' https:\/\/app\.example; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect([headers['referrer-policy'], headers['x-robots-tag'], headers['x-frame-options']]).toEqual(['same-origin', 'noindex', 'DENY'])
    expect(body).not.toMatch(/<script|style="|href=|src=/)
  })

  test('values from the URL are text, never markup', async () => {
    const asked = await signedUp()
    const reply = await look({ ...asked, target: 'https://app.example/"><script>alert(1)</script>' })
    expect(reply.statusCode).toBe(200)
    expect(reply.body).not.toContain('<script>')
  })

  test('a disallowed target is ignored: the link leads to our own page, which asks the browser of nobody’s sign-up for a password', async () => {
    const asked = await signedUp()
    for (const target of ['https://evil.example/', 'https://app.example@evil.example/', 'javascript:alert(1)', '//evil.example']) {
      const reply = await look({ ...asked, target })
      const own = `http://localhost:3000/login/link?token_hash=${asked.link}&type=signup`
      expect([reply.statusCode, reply.headers.location]).toEqual([303, own])
    }
    const form = { token: asked.link, type: 'signup', redirect_to: 'http://localhost:3000/about' }
    const pressed = await browser(app).post('/auth/v1/verify', form)
    expect([pressed.statusCode, pressed.cookies]).toEqual([303, []])
    const own = new URL(pressed.headers.location ?? '')
    const from = browser(app)
    const signedIn = await from.post(own.pathname + own.search, { token_hash: asked.link })
    expect([signedIn.statusCode, signedIn.headers.location]).toEqual([302, `/login/new-password?token_hash=${asked.link}&type=signup`])
    expect([...from.cookies.keys()]).toEqual([])
  })

  test('of many concurrent submits one gets a session', async () => {
    const { body } = await look(await signedUp())
    const replies = await Promise.all(Array.from({ length: 6 }, () => press(body)))
    expect(replies.filter((reply) => fragmentOf(reply)['access_token']).length).toBe(1)
  })
})
