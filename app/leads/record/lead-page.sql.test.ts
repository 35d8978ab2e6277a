import { expect, test } from 'vitest'
import { startApp } from '#test/app.ts'
import { makeContact, signIn } from '#test/factories.ts'

const app = await startApp()

test('a lead that does not exist is not found, as a page and as its data', async () => {
  const { headers } = await signIn('staff')
  const { reference } = await makeContact()
  const statusOf = async (url: string) => (await app.inject({ url, headers })).statusCode
  expect([await statusOf(`/leads/${reference}`), await statusOf(`/leads/${reference}.data`)]).toEqual([200, 200])
  for (const unknown of ['W-ZZZZZZ', 'nonsense'])
    expect([await statusOf(`/leads/${unknown}`), await statusOf(`/leads/${unknown}.data`)]).toEqual([404, 404])
})
