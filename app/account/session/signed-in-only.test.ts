import { expect, test } from 'vitest'
import { startApp } from '#test/app.ts'
import { signedInAs } from '#test/signed-in.ts'

const app = await startApp()

test.each([
  [20, '/dashboard'],
  [21, '/data-marketplace'],
  [22, '/admin/blog'],
  [23, '/admin/redirects'],
])('row %i: %s is for people who are signed in; others sign in first and come back to it', async (_row, url) => {
  const { statusCode, headers } = await app.inject(url)
  expect([statusCode, headers.location]).toEqual([302, `/login?next=${encodeURIComponent(url)}`])
  for (const role of ['staff', 'owner'] as const) {
    expect([role, (await app.inject({ url, headers: await signedInAs(role) })).statusCode]).toEqual([role, 200])
  }
})

test('/login is one page for everyone, to sign in and to sign up', async () => {
  for (const [url, title] of [
    ['/login?mode=sign-in', 'Welcome Back'],
    ['/login?mode=sign-up', 'Create Account'],
  ] as const) {
    const { statusCode, body } = await app.inject(url)
    expect([statusCode, body]).toEqual([200, expect.stringMatching(new RegExp(`<h1[^>]*>${title}</h1>`))])
  }
})
