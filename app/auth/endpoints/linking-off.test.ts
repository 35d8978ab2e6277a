import { expect, test } from 'vitest'
import { newId } from '#app/platform/database/db.server.ts'
import { startApp } from '#test/app.ts'
import { authClient, bearer, signUpAndConfirm } from '#test/auth.ts'

const app = await startApp()
const call = authClient(app)

test('with manual linking off, every request of a signed-in user to link is refused', async () => {
  const { session } = await signUpAndConfirm(app)
  const calls = [
    ['GET', '/user/identities/authorize?provider=keycloak'],
    ['GET', '/user/identities/authorize?provider=keycloak&redirect_to=http%3A%2F%2Flocalhost%3A3000%2F&code_challenge=x'],
    ['DELETE', `/user/identities/${newId()}`],
    ['DELETE', '/user/identities/x'],
  ] as const
  for (const [method, path] of calls) {
    expect((await call(method, path)).statusCode).toBe(401)
    const reply = await call(method, path, undefined, bearer(session))
    expect([reply.statusCode, reply.json()]).toEqual([404, { code: 'manual_linking_disabled', message: 'Manual linking is disabled' }])
  }
  expect((await call('GET', '/user/identities', undefined, bearer(session))).json().identities).toHaveLength(1)
})

test('SAML is not supported, and the client’s other unsupported requests get a 404 in JSON', async () => {
  for (const body of [undefined, {}, { domain: 'example.com' }, { provider_id: newId() }, { provider_id: 'x' }]) {
    const reply = await call('POST', '/sso', body)
    expect([reply.statusCode, reply.json()]).toEqual([404, { code: 'saml_provider_disabled', message: 'SAML 2.0 is disabled' }])
  }
  const { session } = await signUpAndConfirm(app)
  const others = [
    ['GET', '/factors/recovery-codes'],
    ['POST', '/factors/recovery-codes/verify'],
    ['DELETE', '/user/oauth/grants'],
    ['GET', `/oauth/authorizations/${newId()}`],
    ['GET', '/admin/oauth/clients'],
    ['GET', '/admin/custom-providers'],
    ['POST', '/sso/saml/acs'],
  ] as const
  for (const [method, path] of others) {
    const reply = await call(method, path, method === 'POST' ? { code: 'x' } : undefined, bearer(session))
    const kind = reply.headers['content-type']
    expect([path, reply.statusCode, kind]).toEqual([path, 404, 'application/json; charset=utf-8'])
    expect(['not_found', 'validation_failed']).toContain(reply.json().code)
  }
})
