import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { startApp } from '#test/app.ts'
import { ada, sendForm } from '#test/enquiries.ts'
import { makeContact, signIn } from '#test/factories.ts'

const headline = 'Transform Web Data Into Your Competitive Advantage'

const app = await startApp()

const read = async (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

describe('`/` for a signed-in person', () => {
  test.each(['customer', 'staff', 'owner'] as const)(
    'is the workspace of the %s, greeted by name, while its data is on the way',
    async (role) => {
      const { user, headers } = await signIn(role)
      const page = await read('/', headers)
      expect(page.statusCode).toBe(200)
      expect(page.body).toMatch(role === 'customer' ? /<h1[^>]*>Welcome, Ada<\/h1>/ : /<h1[^>]*>Hello, Ada<\/h1>/)
      expect(page.body).toContain(user.email)
      // With the sidebar, without the button and the footer of the public pages.
      expect(page.body).toContain('<body class="workspace">')
      expect(page.body).not.toContain('Get Started Today')
      expect(page.body).toContain('Loading your workspace...')
      expect(page.body).not.toContain(headline)
      expect(page.body).toMatch(/<title>Home · Winnow<\/title>/)
    },
  )

  test('is never cached, and contains no lead', async () => {
    await makeContact({ name: 'Confidential Person' })
    const page = await read('/', (await signIn('staff')).headers)
    expect(page.headers['cache-control']).toBe('no-store')
    expect(page.body).not.toContain('Confidential Person')
  })

  test('is compressed, and names its scripts with their nonce', async () => {
    const { headers } = await signIn('staff')
    const plain = await read('/', headers)
    const sent = await read('/', { ...headers, 'accept-encoding': 'gzip, br' })
    expect([plain.headers['content-encoding'], sent.headers['content-encoding']]).toEqual([undefined, 'br'])
    expect(sent.headers.vary).toBe('Accept-Encoding, Cookie, Authorization')
    expect(sent.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3)
    const page = brotliDecompressSync(sent.rawPayload).toString()
    expect(page).toContain('Hello, Ada')
    expect(page).toMatch(/<script nonce="[^"]+" type="module" async="">import /)
    expect(page.replaceAll(/<script nonce="[^"]+"/g, '')).not.toMatch(/<script(?! type="application\/ld\+json")/)
  })

  test('says when a password of staff is too short', async () => {
    expect((await read('/', (await signIn('staff', { passwordShort: true })).headers)).body).toContain('12 characters')
  })

  test('shows the public page where they ask for it, as the same page to search engines', async () => {
    const page = await read('/?view=public', (await signIn('staff')).headers)
    expect(page.body).toContain(headline)
    expect(page.body).toContain('<link rel="canonical" href="http://localhost:3000/"/>')
    expect(page.headers['cache-control']).toBe('no-store')
  })

  test('leads to the public page from beside the logo and from the drawer', async () => {
    const { body } = await read('/', (await signIn('customer')).headers)
    expect(body.match(/<a [^>]*href="\/\?view=public"[^>]*>View public site<\/a>/g)).toHaveLength(2)
    expect((await read('/')).body).not.toContain('view=public')
  })

  test('stays the public page after its form was sent without script', async () => {
    const { headers } = await signIn('customer')
    const sent = await sendForm(app, '/?index', { ...ada, problem: 'Price Monitoring' }, headers)
    expect(sent.statusCode).toBe(303)
    expect((await read(String(sent.headers.location).replace(/#.*/, ''), headers)).body).toContain(headline)

    const refused = await sendForm(app, '/?index', { ...ada, name: '' }, headers)
    expect(refused.statusCode).toBe(422)
    expect(refused.body).toContain('Name is required')
  })
})

describe('`/` for a visitor', () => {
  test('is the public page, rendered once for all visitors, while other people are signed in', async () => {
    await read('/')
    await read('/', (await signIn('staff')).headers)
    const page = await read('/')
    expect(page.body).toContain(headline)
    expect(page.body).not.toContain('Hello')
  })
})
