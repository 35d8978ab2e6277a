import { afterAll, expect, test, vi } from 'vitest'

const { provider } = await vi.hoisted(async () => {
  const { CLIENT, SECRET, startProvider } = await import('#test/provider-server.ts')
  const provider = await startProvider()
  const settings = { ENABLED: 'true', CLIENT_ID: CLIENT, SECRET, URL: `${provider.base}/keycloak` }
  for (const [key, value] of Object.entries(settings)) process.env[`EXTERNAL_KEYCLOAK_${key}`] = value
  return { provider }
})

import { startAuth } from '#test/auth-app.ts'
import { authClient } from '#test/auth.ts'

const call = authClient(await startAuth())
afterAll(() => provider.close())

test('a provider whose discovery fails gets no redirect, is reported as an outage, and is tried again the next time', async () => {
  provider.state.isDown = true
  const away = await call('GET', '/authorize?provider=keycloak')
  expect([away.statusCode, away.json().code]).toEqual([503, 'unexpected_failure'])
  provider.state.isDown = false
  expect((await call('GET', '/authorize?provider=keycloak')).statusCode).toBe(302)
})
