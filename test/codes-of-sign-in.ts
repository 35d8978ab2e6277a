import { sql } from 'kysely'
import { db, newId } from '#app/platform/database/db.server.ts'
import { bearer, PASSWORD, someEmail } from './auth.ts'
import {
  admin,
  age,
  app,
  back,
  banned,
  byIdToken,
  byPassword,
  call,
  type Case,
  challenge,
  change,
  enrol,
  enrolled,
  exchange,
  flowCode,
  grant,
  refresh,
  removeIdentity,
  reused,
  signed,
  someNumber,
  stateOf,
  under,
  verify,
  withHalf,
  withSession,
  byWallet,
} from './code-askers.ts'

/** Codes about sign-in and about callers, with their statuses. */
export const signInCodes = {
  bad_json: [
    [400, () => app.inject({ method: 'POST', url: '/auth/v1/token', headers: { 'content-type': 'application/json' }, payload: '{' })],
  ],
  validation_failed: [
    [400, () => call('POST', '/verify', {})],
    [422, () => call('POST', '/verify', { type: 'email', token: '123456', email: 'no address' })],
    [404, () => withSession((session) => removeIdentity(session, 'x'))],
  ],
  invalid_credentials: [[400, () => byPassword(someEmail())]],
  email_not_confirmed: [
    [
      400,
      async () => {
        const email = someEmail()
        await admin('POST', '/admin/users', { email, password: PASSWORD })
        return byPassword(email)
      },
    ],
  ],
  phone_not_confirmed: [
    [
      400,
      async () => {
        const phone = someNumber()
        await admin('POST', '/admin/users', { phone, password: PASSWORD })
        return grant('password', { phone, password: PASSWORD })
      },
    ],
  ],
  user_banned: [
    [400, async () => byPassword((await banned()).email)],
    [403, async () => call('GET', '/user', undefined, bearer((await banned()).session))],
  ],
  refresh_token_not_found: [[400, () => refresh('x'.repeat(43))]],
  refresh_token_already_used: [[400, reused]],
  session_expired: [
    [
      400,
      () =>
        withSession(async (session) => {
          await age()
          return under({ SESSIONS_TIMEBOX: 3600 }, () => refresh(session.refresh_token))
        }),
    ],
  ],
  bad_code_verifier: [[400, async () => exchange(await flowCode(), 'w'.repeat(64))]],
  flow_state_not_found: [[404, () => exchange(newId())]],
  flow_state_expired: [
    [
      422,
      async () => {
        const code = await flowCode()
        await sql`UPDATE flow_states SET code_issued_at = now() - interval '1 hour'`.execute(db)
        return exchange(code)
      },
    ],
  ],
  captcha_failed: [
    [
      400,
      () =>
        under({ SECURITY_CAPTCHA_ENABLED: true, SECURITY_CAPTCHA_PROVIDER: 'turnstile', SECURITY_CAPTCHA_SECRET: 'x' }, () =>
          byPassword(someEmail()),
        ),
    ],
  ],
  provider_disabled: [[400, () => byIdToken({}, { provider: 'azure' })]],
  web3_unsupported_chain: [[400, () => byWallet('bitcoin')]],
  web3_provider_disabled: [[422, () => byWallet('ethereum')]],
  reauthentication_needed: [
    [
      400,
      () =>
        withSession(async (session) => {
          await age()
          return under({ SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: true }, () => change(session, { password: 'another horse' }))
        }),
    ],
  ],
  reauthentication_not_valid: [
    [
      422,
      () =>
        withSession(async (session) => {
          await age()
          return under({ SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: true }, () =>
            change(session, { password: 'another horse', nonce: '000000' }),
          )
        }),
    ],
  ],
  current_password_required: [
    [
      400,
      () =>
        withSession(async (_session, email) => {
          const session = await signed(email)
          return under({ SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD: true }, () => change(session, { password: 'another horse' }))
        }),
    ],
  ],
  current_password_invalid: [
    [
      400,
      () =>
        withSession(async (_session, email) => {
          const session = await signed(email)
          return under({ SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD: true }, () =>
            change(session, { password: 'another horse', current_password: 'wrong horse' }),
          )
        }),
    ],
  ],
  bad_oauth_state: [[302, () => call('GET', '/callback')]],
  bad_oauth_callback: [[302, async () => back(await stateOf())]],
  flow_state_already_used: [
    [
      302,
      async () => {
        const state = await stateOf()
        await back(state)
        return back(state)
      },
    ],
  ],
  no_authorization: [[401, () => call('GET', '/user')]],
  insufficient_aal: [
    [401, () => withHalf((session) => change(session, { password: 'another horse' }))],
    [403, () => withHalf((session) => enrol(session, { friendly_name: 'Other' }))],
    [422, () => withHalf((session, id) => call('DELETE', `/factors/${id}`, undefined, bearer(session)))],
  ],
  bad_jwt: [[403, () => call('GET', '/user', undefined, { authorization: 'Bearer x' })]],
  not_admin: [[403, () => withSession((session) => call('GET', '/admin/users', undefined, bearer(session)))]],
  user_not_found: [
    [
      403,
      () =>
        withSession(async (session) => {
          await db.deleteFrom('users').where('id', '=', session.user.id).execute()
          return call('GET', '/user', undefined, bearer(session))
        }),
    ],
    [404, () => admin('GET', `/admin/users/${newId()}`)],
  ],
  session_not_found: [
    [
      403,
      () =>
        withSession(async (session) => {
          await call('POST', '/logout', undefined, bearer(session))
          return call('GET', '/user', undefined, bearer(session))
        }),
    ],
  ],
  otp_expired: [[403, () => call('POST', '/verify', { type: 'signup', token_hash: 'x' })]],
  mfa_factor_not_found: [
    [404, () => withSession((session) => challenge(session, newId()))],
    [422, () => enrolled((session, factor) => verify(session, factor.id, newId(), '123456'))],
  ],
} satisfies Record<string, Case[]>
