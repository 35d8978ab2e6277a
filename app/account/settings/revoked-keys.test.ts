import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { startApp } from '#test/app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm } from '#test/auth.ts'
import { browser } from '#test/browser.ts'
import { passkeyClient } from '#test/passkeys.ts'
import { emailsTo, secretsOf, secretsSoon } from '#test/emails.ts'

const app = await startApp()
startJobs()
afterAll(() => stopJobs())
const call = authClient(app)
beforeEach(forgetLimits)

/** A person with a valid API key that has been used. */
async function withKey() {
  const { email, session } = await signUpAndConfirm(app)
  const made = await app.inject({ method: 'POST', url: '/api/keys', headers: bearer(session), payload: { name: 'Nightly import' } })
  const key: string = made.json().key
  expect(await statusOf(key)).toBe(200)
  return { email, session, key }
}

const statusOf = async (key: string) =>
  (await app.inject({ url: '/api/v1/datasets', headers: { authorization: `Bearer ${key}` } })).statusCode

async function resetPage(email: string) {
  await forgetLimits()
  expect((await call('POST', '/recover', { email })).statusCode).toBe(200)
  const { link } = await secretsSoon(email, 'reset-password')
  const from = browser(app)
  const url = `/login/new-password?token_hash=${link}`
  const fields = { token_hash: link, password: 'another horse', confirmPassword: 'another horse' }
  return { page: (await from.send({ url })).body, save: (more = {}) => from.post(url, { ...fields, ...more }) }
}

const emailOf = async (email: string, kind: string) => (await emailsTo(email)).findLast((email) => email.kind === kind)?.data

describe('happy', () => {
  test('account recovery revokes the API keys, unless that is unticked; the email names each with its last use, and the passkeys that still work', async () => {
    const lost = await withKey()
    const { passkey } = await passkeyClient(app).register(lost.session)
    const { page, save } = await resetPage(lost.email)
    expect(page).toMatch(/<input type="checkbox"[^>]* name="keys" checked="" value="revoke"/)
    expect(page).toContain('Revoke my API key as well')
    expect((await save({ offered: 'keys', keys: 'revoke' })).statusCode).toBe(302)
    expect(await statusOf(lost.key)).toBe(401)
    expect(await emailOf(lost.email, 'password-changed')).toMatchObject({
      revoked: true,
      keys: [{ name: 'Nightly import', prefix: lost.key.slice(0, 11), lastUsedAt: expect.any(String) }],
      signIns: { passkeys: [passkey.friendly_name], providers: [] },
    })

    const kept = await withKey()
    expect((await (await resetPage(kept.email)).save({ offered: 'keys' })).statusCode).toBe(302)
    expect(await statusOf(kept.key)).toBe(200)
    expect(await emailOf(kept.email, 'password-changed')).toMatchObject({ revoked: false, keys: [{ name: 'Nightly import' }] })
  })

  test('signing out everywhere on our pages revokes them, unless they untick that', async () => {
    for (const revokeKeys of [true, false]) {
      const { email, session, key } = await withKey()
      const url = '/api/account/sessions/end-all'
      const payload = revokeKeys ? {} : { revokeKeys }
      expect((await app.inject({ method: 'POST', url, headers: bearer(session), payload })).statusCode).toBe(204)
      expect((await call('GET', '/user', undefined, bearer(session))).json().code).toBe('session_not_found')
      expect([revokeKeys, await statusOf(key)]).toEqual([revokeKeys, revokeKeys ? 401 : 200])
      expect(await emailOf(email, 'signed-out')).toMatchObject({ revoked: revokeKeys, keys: [{ name: 'Nightly import' }] })
    }
  })

  test('so does the protocol’s sign-out of all sessions, and a new password after a recovery email', async () => {
    const everywhere = await withKey()
    expect((await call('POST', '/logout?scope=global', undefined, bearer(everywhere.session))).statusCode).toBe(204)
    expect(await statusOf(everywhere.key)).toBe(401)
    const kept = await withKey()
    expect((await call('POST', '/logout?scope=global&keys=keep', undefined, bearer(kept.session))).statusCode).toBe(204)
    expect(await statusOf(kept.key)).toBe(200)

    const lost = await withKey()
    await call('POST', '/recover', { email: lost.email })
    await secretsSoon(lost.email, 'reset-password')
    const { link } = await secretsOf(lost.email, 'reset-password')
    const recovered = (await call('POST', '/verify', { type: 'recovery', token_hash: link })).json()
    expect((await call('PUT', '/user', { password: 'another horse' }, bearer(recovered))).statusCode).toBe(200)
    expect(await statusOf(lost.key)).toBe(401)
    const actions = await db.selectFrom('auditEvents').select('action').where('subjectId', '=', lost.session.user.id).execute()
    expect(actions.map(({ action }) => action)).toContain('api_key_revoked')
  })

  test('a routine change of the password keeps them and names them, and revokes them when asked to', async () => {
    const { email, key } = await withKey()
    const signedIn = (await call('POST', '/token?grant_type=password', { email, password: PASSWORD })).json()
    expect((await call('PUT', '/user', { password: 'another horse' }, bearer(signedIn))).statusCode).toBe(200)
    expect(await statusOf(key)).toBe(200)
    expect(await emailOf(email, 'password-changed')).toMatchObject({ revoked: false, keys: [{ name: 'Nightly import' }] })
    expect((await call('PUT', '/user', { password: 'a third horse', revoke_api_keys: true }, bearer(signedIn))).statusCode).toBe(200)
    expect(await statusOf(key)).toBe(401)
  })
})

describe('security', () => {
  test('signing out here or elsewhere revokes nothing, and other people’s keys are not affected', async () => {
    const [mine, theirs] = [await withKey(), await withKey()]
    expect((await call('POST', '/logout?scope=others', undefined, bearer(mine.session))).statusCode).toBe(204)
    expect((await call('POST', '/logout?scope=local', undefined, bearer(mine.session))).statusCode).toBe(204)
    expect(await statusOf(mine.key)).toBe(200)
    expect((await call('POST', '/logout', undefined, bearer(theirs.session))).statusCode).toBe(204)
    expect([await statusOf(mine.key), await statusOf(theirs.key)]).toEqual([200, 401])
  })
})
