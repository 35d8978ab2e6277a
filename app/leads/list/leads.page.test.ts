import { expect, test } from 'vitest'
import { startApp } from '#test/app.ts'
import { makeContact, signIn } from '#test/factories.ts'

const app = await startApp()

test('the pages of the desk are for staff; strangers sign in first and come back, customers are refused', async () => {
  const { reference } = await makeContact()
  const [staff, customer] = [await signIn('staff'), await signIn('customer')]
  for (const url of ['/leads', '/leads?layout=board', '/leads/import', '/leads/stages', `/leads/${reference}`]) {
    const shown = await app.inject({ url, headers: staff.headers })
    expect([url, shown.statusCode, /<h1[^>]*>(.*?)<\/h1>/s.exec(shown.body)?.[1]]).toEqual([
      url,
      200,
      expect.stringMatching(/Lead|Import leads|Stages/),
    ])
    expect([url, (await app.inject({ url, headers: customer.headers })).statusCode]).toEqual([url, 403])
    const away = await app.inject({ url })
    expect([away.statusCode, away.headers.location]).toEqual([302, `/login?next=${encodeURIComponent(url)}`])
  }
})
