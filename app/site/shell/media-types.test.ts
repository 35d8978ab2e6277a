import { describe, expect, test } from 'vitest'
import { startApp } from '#test/app.ts'
import { signIn } from '#test/factories.ts'
import { forgetLimits } from '#test/auth.ts'
import { textOf } from '#test/read-page.ts'

const app = await startApp()
const { headers: signedIn } = await signIn('owner')

const foreign = [
  'application/json',
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/x-www-form-urlencoded-not',
]
const post = (url: string, type: string) => {
  const headers = { host: 'localhost:3000', origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin', 'content-type': type }
  return app.inject({ method: 'POST', url, headers: { ...headers, ...(url.startsWith('/api') && signedIn) }, payload: '{"theme":"dark"}' })
}

describe('error', () => {
  test('a form that is sent as something else is 415: pages say so on the error page, in its title as well', async () => {
    const pages = [
      '/login',
      '/login/code',
      '/login/forgot-password',
      '/login/confirm',
      '/login/link',
      '/login/new-address',
      '/login/new-password',
    ]
    for (const url of [...pages, '/?index', '/contact', '/get-started', '/hire-web-scraping-developer']) {
      for (const type of foreign) {
        await forgetLimits()
        const { statusCode, headers, body } = await post(url, type)
        expect([url, type, statusCode, headers['content-type']]).toEqual([url, type, 415, 'text/html; charset=utf-8'])
        expect(/<title>([^<]*)/.exec(body)?.[1]).toBe('Unknown media type')
        expect(textOf(body)).toContain('Send the fields of the form as application/x-www-form-urlencoded.')
      }
    }
  })

  test('URLs without a page, and all API endpoints, return errors as a problem', async () => {
    const problem = { type: 'about:blank', title: 'Unknown media type', status: 415, detail: expect.stringMatching(/^Send /) }
    for (const type of foreign) {
      const theme = await post('/theme', type)
      expect([type, theme.statusCode, theme.headers['content-type']]).toEqual([type, 415, 'application/problem+json'])
      expect(theme.json()).toMatchObject(problem)
      expect(theme.headers['set-cookie']).toBeUndefined()
    }
    for (const url of [
      '/api/contact',
      '/api/access-requests',
      '/api/consultations',
      '/api/admin/users/invite',
      '/api/account/deletion',
      '/api/logout',
    ]) {
      for (const type of foreign.slice(1)) {
        const reply = await post(url, type)
        expect([url, type, reply.statusCode, reply.headers['content-type']]).toEqual([url, type, 415, 'application/problem+json'])
        expect(reply.json()).toMatchObject(problem)
      }
    }
  })
})
