import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { describe, expect, test } from 'vitest'
import { Stop } from '#app/platform/errors/stop.ts'
import { startApp } from '#test/app.ts'
import { signedInAs } from '#test/signed-in.ts'
import { ErrorPage } from './error-page.tsx'

const app = await startApp()

const titleOf = (html: string) => /<title>(.*?)<\/title>/.exec(html)?.[1]
const headingOf = (html: string) => /<h1[^>]*>(.*?)<\/h1>/.exec(html)?.[1]

describe('an unknown path', () => {
  test.each(['/nowhere', '/services/nowhere', '/admin/nowhere', '/blog.html'])(
    '%s is 404 with ways back, and no search engine keeps it',
    async (url) => {
      const reply = await app.inject(url)
      expect([reply.statusCode, titleOf(reply.body), headingOf(reply.body)]).toEqual([404, '404 Page Not Found', '404 Page Not Found'])
      expect(reply.body).toContain('<meta name="robots" content="noindex"/>')
      expect(reply.body).toMatch(/<main[\s\S]*href="\/"[\s\S]*href="\/services"[\s\S]*href="\/contact"[\s\S]*<\/main>/)
    },
  )

  test('has the chosen theme and the signed-in person', async () => {
    const reply = await app.inject({ url: '/nowhere', headers: { cookie: 'theme=dark', ...(await signedInAs('customer')) } })
    expect(reply.statusCode).toBe(404)
    expect(reply.body).toContain('data-theme="dark"')
    expect(reply.body).toContain('href="/dashboard"')
  })

  test('has them too on a page that the person may not open', async () => {
    const reply = await app.inject({ url: '/leads', headers: { cookie: 'theme=dark', ...(await signedInAs('customer')) } })
    expect([reply.statusCode, titleOf(reply.body)]).toEqual([403, 'You don’t have access'])
    expect(reply.body).toContain('data-theme="dark"')
    expect(reply.body).toContain('href="/dashboard"')
  })
})

test('a refusal has its own title and its own text', async () => {
  const reply = await app.inject({ method: 'POST', url: '/theme', headers: { origin: 'https://evil.example' }, payload: '' })
  expect([reply.statusCode, titleOf(reply.body)]).toEqual([403, 'You don’t have access'])
  expect(reply.body).toContain('This request came from another site.')
})

test('the way out of a refusal is there in the document, and after a navigation in the browser', () => {
  const show = (error: unknown) =>
    renderToStaticMarkup(
      <MemoryRouter>
        <ErrorPage error={error} />
      </MemoryRouter>,
    )
  const refusal = new Stop('forbidden', 'Sign in with Google first.', {
    wayOut: { label: 'Sign in with Google', url: '/account/organization' },
  })
  // React Router sends an instance of a class as a plain object.
  const sent = structuredClone(refusal)
  expect(sent).not.toBeInstanceOf(Stop)
  for (const error of [refusal, sent]) {
    expect(show(error)).toContain('Sign in with Google first.')
    expect(show(error)).toMatch(/href="\/account\/organization"[^>]*>Sign in with Google</)
  }
  for (const error of [
    new Stop('forbidden', 'No.'),
    Object.assign(structuredClone(refusal), { extra: { wayOut: 'elsewhere' } }),
    new Error('A bug'),
    undefined,
  ])
    expect(show(error)).not.toContain('/account/organization')
})
