import { AuthClient } from '@supabase/auth-js'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { startEndpoints } from '#test/app.ts'
import { forgetLimits, PASSWORD, signUpAndConfirm } from '#test/auth.ts'
import { forgetSteps } from '#test/mfa.ts'
import { codeOf } from '#test/totp.ts'

const clients: InstanceType<typeof AuthClient>[] = []

const app = await startEndpoints()
const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/auth/v1`
beforeEach(forgetLimits)
afterAll(async () => void (await Promise.all(clients.map((client) => client.stopAutoRefresh()))))

/** The official client, unmodified, signed in with a new account. */
async function signedIn() {
  const { email } = await signUpAndConfirm(app)
  const client = new AuthClient({ url, autoRefreshToken: false, storageKey: email })
  clients.push(client)
  await client.signInWithPassword({ email, password: PASSWORD })
  return { client, email }
}

async function enrolled() {
  const { client, email } = await signedIn()
  const { data, error } = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })
  if (error) throw error
  return { client, email, factorId: data.id, totp: data.totp }
}

test('its second factor goes from enrolment to removal, with the levels that it reads from its own session', async () => {
  const { client, factorId, totp } = await enrolled()
  expect(totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg /)
  expect((await client.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' })

  const events: string[] = []
  client.onAuthStateChange((event) => void events.push(event))
  const verified = await client.mfa.challengeAndVerify({ factorId, code: codeOf(totp.secret) })
  expect(verified.error).toBeNull()
  expect(events).toContain('MFA_CHALLENGE_VERIFIED')
  const { data: level } = await client.mfa.getAuthenticatorAssuranceLevel()
  expect(level).toMatchObject({
    currentLevel: 'aal2',
    nextLevel: 'aal2',
    currentAuthenticationMethods: [{ method: 'totp' }, { method: 'password' }],
  })
  expect((await client.mfa.listFactors()).data).toMatchObject({ totp: [{ id: factorId, status: 'verified' }], phone: [] })

  expect((await client.mfa.unenroll({ factorId })).data).toEqual({ id: factorId })
  await client.refreshSession()
  expect((await client.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' })
})

test('after the password it knows that a second step is wanted, and takes it', async () => {
  const { client, email, factorId, totp } = await enrolled()
  await client.mfa.challengeAndVerify({ factorId, code: codeOf(totp.secret) })
  await client.signOut()
  await forgetSteps()
  await client.signInWithPassword({ email, password: PASSWORD })
  expect((await client.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' })
  const { data: challenge } = await client.mfa.challenge({ factorId })
  const { error } = await client.mfa.verify({ factorId, challengeId: challenge?.id ?? '', code: codeOf(totp.secret) })
  expect(error).toBeNull()
  expect((await client.refreshSession()).error).toBeNull()
  expect((await client.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe('aal2')
})

test('a wrong code is the error that it shows, and the session stays as it was', async () => {
  const { client, factorId, totp } = await enrolled()
  const code = String((Number(codeOf(totp.secret)) + 1) % 1_000_000).padStart(6, '0')
  const { error } = await client.mfa.challengeAndVerify({ factorId, code })
  expect([error?.code, error?.status]).toEqual(['mfa_verification_failed', 422])
  expect(error?.message).toContain('Invalid TOTP code')
  expect((await client.getUser()).data.user?.factors).toMatchObject([{ id: factorId, status: 'unverified' }])
})

test('without a session it hears so', async () => {
  const client = new AuthClient({ url, autoRefreshToken: false, storageKey: 'nobody' })
  const { error } = await client.mfa.enroll({ factorType: 'totp' })
  expect([error?.code, error?.status]).toEqual(['no_authorization', 401])
})
