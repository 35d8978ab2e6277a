import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { sessionAnswer, type SessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { bearer, PASSWORD, signUpAndConfirm, someEmail } from './auth.ts'
import {
  admin,
  age,
  app,
  broken,
  byIdToken,
  byPassword,
  call,
  type Case,
  challenge,
  change,
  elsewhere,
  enrol,
  enrolled,
  grant,
  many,
  refresh,
  removeIdentity,
  someNumber,
  under,
  verify,
  withSession,
} from './code-askers.ts'
import { softAuthenticator } from './authenticator.ts'
import { signIn } from './factories.ts'
import { passkeyClient } from './passkeys.ts'
import { codeOf } from './totp.ts'

const passkeys = passkeyClient(app)
const keepPasskey = (session: SessionAnswer, credentialId = randomBytes(16)) =>
  insert(db, 'webauthnCredentials', { userId: session.user.id, credentialId, publicKey: Buffer.of(1) })

/** Codes of accounts, identities, second factors and of limits, with their statuses. */
export const accountCodes = {
  saml_provider_disabled: [[404, () => call('POST', '/sso', { domain: 'example.com' })]],
  manual_linking_disabled: [
    [404, () => withSession((session) => under({ SECURITY_MANUAL_LINKING_ENABLED: false }, () => removeIdentity(session)))],
  ],
  request_entity_too_large: [[413, () => call('POST', '/signup', { email: 'x'.repeat(1024 * 1024) })]],
  signup_disabled: [
    [422, () => under({ DISABLE_SIGNUP: true }, () => call('POST', '/signup', { email: someEmail(), password: PASSWORD }))],
  ],
  user_already_exists: [
    [
      422,
      () =>
        withSession((_session, email) => under({ MAILER_AUTOCONFIRM: true }, () => call('POST', '/signup', { email, password: PASSWORD }))),
    ],
  ],
  email_exists: [[422, () => withSession((_session, email) => admin('POST', '/admin/users', { email }))]],
  phone_exists: [
    [
      422,
      async () => {
        const phone = someNumber()
        await admin('POST', '/admin/users', { phone, phone_confirm: true })
        return admin('POST', '/admin/users', { phone })
      },
    ],
  ],
  weak_password: [[422, () => call('POST', '/signup', { email: someEmail(), password: 'abc' })]],
  same_password: [[422, () => withSession((session) => change(session, { password: PASSWORD }))]],
  anonymous_provider_disabled: [[422, () => call('POST', '/signup', {})]],
  email_provider_disabled: [
    [400, () => under({ EXTERNAL_EMAIL_ENABLED: false }, () => call('POST', '/signup', { email: someEmail(), password: PASSWORD }))],
    [422, () => under({ EXTERNAL_EMAIL_ENABLED: false }, () => byPassword(someEmail()))],
  ],
  phone_provider_disabled: [
    [400, () => under({ EXTERNAL_PHONE_ENABLED: false }, () => call('POST', '/otp', { phone: someNumber() }))],
    [422, () => under({ EXTERNAL_PHONE_ENABLED: false }, () => grant('password', { phone: someNumber(), password: PASSWORD }))],
  ],
  identity_already_exists: [
    [
      422,
      () =>
        withSession(async (session) => {
          const sub = newId()
          await byIdToken({ sub })
          return byIdToken({ sub }, { link_identity: true }, bearer(session))
        }),
    ],
  ],
  unexpected_audience: [[403, () => call('GET', '/settings', undefined, { 'x-jwt-aud': 'another' })]],
  identity_not_found: [
    [
      422,
      () =>
        withSession(async (session) => {
          await insert(db, 'identities', { userId: session.user.id, provider: 'github', providerId: newId() })
          return removeIdentity(session, newId())
        }),
    ],
  ],
  single_identity_not_deletable: [[422, () => withSession((session) => removeIdentity(session))]],
  email_conflict_identity_not_deletable: [
    [
      422,
      () =>
        withSession(async (session) => {
          const { email } = await signUpAndConfirm(app)
          await insert(db, 'identities', { userId: session.user.id, provider: 'github', providerId: newId(), email })
          return removeIdentity(session)
        }),
    ],
  ],
  mfa_totp_enroll_not_enabled: [[422, () => withSession((session) => under({ MFA_TOTP_ENROLL_ENABLED: false }, () => enrol(session)))]],
  mfa_totp_verify_not_enabled: [
    [422, () => enrolled((session, { id }) => under({ MFA_TOTP_VERIFY_ENABLED: false }, () => challenge(session, id)))],
  ],
  mfa_webauthn_enroll_not_enabled: [
    [
      422,
      () => withSession((session) => under({ MFA_WEB_AUTHN_ENROLL_ENABLED: false }, () => enrol(session, { factor_type: 'webauthn' }))),
    ],
  ],
  mfa_webauthn_verify_not_enabled: [
    [
      422,
      () =>
        withSession(async (session) => {
          const { id } = (await enrol(session, { factor_type: 'webauthn' })).json()
          return under({ MFA_WEB_AUTHN_VERIFY_ENABLED: false }, () => challenge(session, id))
        }),
    ],
  ],
  passkey_disabled: [[404, () => under({ PASSKEY_ENABLED: false }, () => call('POST', '/passkeys/authentication/options', {}))]],
  too_many_passkeys: [
    [
      422,
      () =>
        withSession(async (session) => {
          for (let made = 0; made < 10; made += 1) await keepPasskey(session)
          return passkeys.ask(session)
        }),
    ],
  ],
  webauthn_challenge_not_found: [[400, () => passkeys.signIn(newId(), {})]],
  webauthn_challenge_expired: [
    [
      400,
      async () => {
        const { id } = await insert(db, 'passkeyChallenges', { challenge: Buffer.alloc(32), createdAt: new Date(Date.now() - 301_000) })
        return passkeys.signIn(id, {})
      },
    ],
  ],
  webauthn_verification_failed: [[400, async () => passkeys.signIn((await passkeys.askToSignIn()).challenge_id, {})]],
  webauthn_credential_exists: [
    [
      422,
      () =>
        withSession(async (session) => {
          const { challenge_id: challengeId, options } = await passkeys.begin(session)
          const made = softAuthenticator().create(options)
          await keepPasskey((await signUpAndConfirm(app)).session, Buffer.from(made.id, 'base64url'))
          return passkeys.answer(session, challengeId, made)
        }),
    ],
  ],
  mfa_phone_enroll_not_enabled: [
    [
      422,
      () =>
        withSession((session) =>
          under({ MFA_PHONE_ENROLL_ENABLED: false }, () => enrol(session, { factor_type: 'phone', phone: someNumber() })),
        ),
    ],
  ],
  mfa_phone_verify_not_enabled: [
    [
      422,
      () =>
        withSession(async (session) => {
          const { id } = (await enrol(session, { factor_type: 'phone', phone: someNumber() })).json()
          return under({ MFA_PHONE_VERIFY_ENABLED: false }, () => challenge(session, id))
        }),
    ],
  ],
  mfa_factor_name_conflict: [[422, () => enrolled((session) => enrol(session, { friendly_name: 'Phone' }))]],
  mfa_verified_factor_exists: [
    [
      422,
      () =>
        withSession(async (session) => {
          const phone = someNumber()
          const { id } = (await enrol(session, { factor_type: 'phone', phone })).json()
          const asked = (await challenge(session, id)).json().id
          const raised = sessionAnswer.parse((await verify(session, id, asked, elsewhere.codeFor(phone))).json())
          return enrol(raised, { factor_type: 'phone', phone, friendly_name: 'Again' })
        }),
    ],
  ],
  mfa_ip_address_mismatch: [
    [
      422,
      () =>
        enrolled(async (session, { id, secret }, asked) =>
          app.inject({
            method: 'POST',
            url: `/auth/v1/factors/${id}/verify`,
            headers: bearer(session),
            payload: { challenge_id: asked, code: codeOf(secret) },
            remoteAddress: '203.0.113.9',
          }),
        ),
    ],
  ],
  mfa_challenge_expired: [
    [
      422,
      () =>
        enrolled(async (session, { id, secret }, asked) => {
          await sql`UPDATE mfa_challenges SET created_at = now() - interval '301 seconds'`.execute(db)
          return verify(session, id, asked, codeOf(secret))
        }),
    ],
  ],
  mfa_verification_failed: [[422, () => enrolled((session, { id }, asked) => verify(session, id, asked, 'abcdef'))]],
  too_many_enrolled_mfa_factors: [
    [422, () => enrolled((session) => under({ MFA_MAX_ENROLLED_FACTORS: 1 }, () => enrol(session, { friendly_name: 'Other' })))],
  ],
  sms_send_failed: [[422, () => under({ HOOK_SEND_SMS_URI: 'http://127.0.0.1:9/' }, () => call('POST', '/otp', { phone: someNumber() }))]],
  provider_email_needs_verification: [[422, () => byIdToken({ email_verified: false })]],
  over_request_rate_limit: [[429, () => many(31, () => call('POST', '/recover', {}))]],
  over_email_send_rate_limit: [
    [
      429,
      async () => {
        const email = someEmail()
        return many(2, () => call('POST', '/recover', { email }))
      },
    ],
  ],
  over_sms_send_rate_limit: [
    [
      429,
      async () => {
        const phone = someNumber()
        return many(2, () => call('POST', '/otp', { phone }))
      },
    ],
  ],
  unexpected_failure: [
    [500, broken],
    [503, () => many(1801, () => refresh(''))],
  ],
} satisfies Record<string, Case[]>

/** Our own codes, which the protocol lacks. */
export const ownCodes = {
  not_found: [[404, () => call('GET', '/nothing')]],
  method_not_allowed: [[405, () => call('DELETE', '/signup')]],
  foreign_origin: [[403, () => call('POST', '/token', {}, { origin: 'https://evil.example' })]],
  recent_sign_in_required: [
    [
      400,
      () =>
        withSession(async (session) => {
          await db.updateTable('sessions').set({ ownPages: true, amr: '[]' }).execute()
          await age()
          return call('POST', '/factors', { factor_type: 'totp' }, bearer(session))
        }),
    ],
  ],
  address_not_proven: [[409, () => admin('POST', '/admin/users', { email: someEmail(), app_metadata: { role: 'staff' } })]],
  last_owner: [
    [
      409,
      async () => {
        await db.updateTable('users').set({ appMetadata: '{}' }).execute()
        const { user } = await signIn('owner')
        return admin('DELETE', `/admin/users/${user.id}`)
      },
    ],
  ],
} satisfies Record<string, Case[]>
