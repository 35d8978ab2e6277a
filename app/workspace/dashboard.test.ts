import { describe, expect, test } from 'vitest'
import { startApp } from '#test/app.ts'
import { makeContact, signIn } from '#test/factories.ts'

const app = await startApp()

const open = (headers: Record<string, string> = {}) =>
  app.inject({ url: '/dashboard?tab=quarantine', headers: { accept: 'text/html', ...headers } })

describe('happy', () => {
  test.each(['staff', 'owner'] as const)('the %s sees the Sales Dashboard, which says that it is loading', async (role) => {
    const page = await open((await signIn(role)).headers)
    expect(page.statusCode).toBe(200)
    expect(page.body).toMatch(/<h1[^>]*>Sales Dashboard<\/h1>/)
    expect(page.body).toContain('Loading dashboard...')
  })

  test('a customer sees a dashboard of their own', async () => {
    const page = await open((await signIn('customer', { email: 'grace@example.com' })).headers)
    expect(page.statusCode).toBe(200)
    expect(page.body).toMatch(/<h1[^>]*>Welcome, Ada<\/h1>/)
    expect(page.body).toContain('grace@example.com')
    expect(page.body).not.toContain('Sales Dashboard')
  })
})

describe('security', () => {
  test('a stranger is led to the sign-in page and back', async () => {
    const page = await open()
    expect(page.statusCode).toBe(302)
    expect(page.headers.location).toBe('/login?next=%2Fdashboard%3Ftab%3Dquarantine')
  })

  test('the page contains no data of leads, and is never cached', async () => {
    await makeContact({ name: 'Confidential Person' })
    const page = await open((await signIn('staff')).headers)
    expect([page.statusCode, page.headers.location]).toEqual([200, undefined])
    expect(page.body).not.toContain('Confidential Person')
    expect(page.headers['cache-control']).toBe('no-store')
    expect(page.headers['content-security-policy']).toContain("script-src 'self' 'nonce-")
  })
})
