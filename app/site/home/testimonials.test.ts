import { expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env['SITE_URL'] = 'https://winnow.example'
})

import { exampleTestimonials } from '#app/content/home.ts'
import { startApp } from '#test/app.ts'
import { signIn } from '#test/factories.ts'
import { textOf } from '#test/read-page.ts'

const app = await startApp()
const host = { host: 'winnow.example', 'x-forwarded-proto': 'https' }
const home = async () => textOf((await app.inject({ url: '/', headers: host })).body)

test('a public address shows no testimonials until the owner has confirmed them in the settings', async () => {
  const before = await home()
  expect(before).not.toContain('What clients say')
  for (const { quote } of exampleTestimonials) expect(before).not.toContain(quote)

  const owner = await signIn('owner')
  const items = [{ quote: 'The file is right, every morning.', name: 'Ada Lovelace', company: 'Analytical Engines' }]
  const save = (version: number, payload: object) =>
    app.inject({
      method: 'PUT',
      url: '/api/settings/sections/testimonials',
      headers: { ...owner.headers, ...host, 'if-match': `"${version}"` },
      payload,
    })
  expect((await save(0, { items, confirmed: true })).statusCode).toBe(200)

  const after = await home()
  expect(after).toContain('What clients say The file is right, every morning. Ada Lovelace, Analytical Engines')

  // Without any there is nothing to confirm, and the part is gone.
  expect((await save(1, { items: [], confirmed: false })).statusCode).toBe(200)
  expect(await home()).not.toContain('What clients say')
})
