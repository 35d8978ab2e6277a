import { expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env['SITE_URL'] = 'http://192.0.2.7:3000'
})

import { startAuth } from '#test/auth-app.ts'
import { authClient, bearer, signUpAndConfirm } from '#test/auth.ts'

const app = await startAuth()
const call = authClient(app)

test('where browsers make no passkeys, the service says that it has none', async () => {
  expect((await call('GET', '/settings')).json().passkeys_enabled).toBe(false)
  const asked = await call('POST', '/passkeys/authentication/options', {})
  expect([asked.statusCode, asked.json().code]).toEqual([404, 'passkey_disabled'])
  const { session } = await signUpAndConfirm(app)
  const begun = await call('POST', '/factors', { factor_type: 'webauthn' }, bearer(session))
  expect([begun.statusCode, begun.json().code]).toEqual([422, 'mfa_webauthn_enroll_not_enabled'])
})
