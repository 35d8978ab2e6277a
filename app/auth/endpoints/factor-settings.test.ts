import { expect, test, vi } from 'vitest'

vi.hoisted(() => {
  Object.assign(process.env, { MFA_TOTP_ENROLL_ENABLED: 'false', MFA_TOTP_VERIFY_ENABLED: 'false', MFA_MAX_ENROLLED_FACTORS: '1' })
})

import { db, insert } from '#app/platform/database/db.server.ts'
import { startAuth } from '#test/auth-app.ts'
import { authClient, bearer, signUpAndConfirm } from '#test/auth.ts'

const app = await startAuth()
const call = authClient(app)

test('kinds of factors that are switched off can neither be begun nor used, and those there are can still be removed', async () => {
  const { session } = await signUpAndConfirm(app)
  const auth = bearer(session)
  const enrolled = await call('POST', '/factors', { factor_type: 'totp' }, auth)
  expect([enrolled.statusCode, enrolled.json().code]).toEqual([422, 'mfa_totp_enroll_not_enabled'])
  const phone = await call('POST', '/factors', { factor_type: 'phone', phone: '4915112345678' }, auth)
  expect([phone.statusCode, phone.json().code]).toEqual([422, 'mfa_phone_enroll_not_enabled'])

  const columns = { userId: session.user.id, factorType: 'totp', secretSealed: Buffer.of(1), status: 'verified' } as const
  const { id } = await insert(db, 'mfaFactors', columns)
  const challenged = await call('POST', `/factors/${id}/challenge`, undefined, auth)
  expect([challenged.statusCode, challenged.json().code]).toEqual([422, 'mfa_totp_verify_not_enabled'])
  const verified = await call('POST', `/factors/${id}/verify`, { challenge_id: id, code: '123456' }, auth)
  expect([verified.statusCode, verified.json().code]).toEqual([422, 'mfa_totp_verify_not_enabled'])
  const { id: phoneId } = await insert(db, 'mfaFactors', { userId: session.user.id, factorType: 'phone', phone: '4915112345678' })
  const asked = await call('POST', `/factors/${phoneId}/challenge`, undefined, auth)
  expect([asked.statusCode, asked.json().code]).toEqual([422, 'mfa_phone_verify_not_enabled'])
  await db.updateTable('sessions').set({ aal: 'aal2' }).where('userId', '=', session.user.id).execute()
  expect((await call('DELETE', `/factors/${id}`, undefined, auth)).statusCode).toBe(200)
})
