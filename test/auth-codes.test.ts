import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'

const { provider, outside } = await vi.hoisted(async () => {
  const { CLIENT, SECRET, startProvider } = await import('#test/provider-server.ts')
  const { startOutside } = await import('#test/outside.ts')
  const [provider, outside] = [await startProvider(), await startOutside()]
  for (const name of ['KEYCLOAK', 'GOOGLE']) {
    const settings = { ENABLED: 'true', CLIENT_ID: CLIENT, SECRET, URL: `${provider.base}/${name.toLowerCase()}` }
    for (const [key, value] of Object.entries(settings)) process.env[`EXTERNAL_${name}_${key}`] = value
  }
  Object.assign(process.env, {
    EXTERNAL_PHONE_ENABLED: 'true',
    HOOK_SEND_SMS_URI: `${outside.base}/sms`,
    HOOK_SEND_SMS_SECRETS: `v1,whsec_${'a'.repeat(43)}=`,
    MFA_PHONE_ENROLL_ENABLED: 'true',
    MFA_PHONE_VERIFY_ENABLED: 'true',
    SECURITY_MANUAL_LINKING_ENABLED: 'true',
    EXTERNAL_WEB3_SOLANA_ENABLED: 'true',
    URI_ALLOW_LIST: 'https://app.example',
  })
  return { provider, outside }
})

import type { RefusalCode } from '#app/auth/protocol/refusal.ts'
import { forgetLimits } from './auth.ts'
import { byIdToken, byWallet, elsewhere, grant, type Reply } from './code-askers.ts'
import { accountCodes, ownCodes } from './codes-of-account.ts'
import { signInCodes } from './codes-of-sign-in.ts'

// Every code of the protocol, with a request that causes it, on one product (startEndpoints). A code without such a request fails the first test; an unlisted code of our own does not compile.

const cases = { ...signInCodes, ...accountCodes }
elsewhere.sign = (claims) => provider.sign(`${provider.base}/google`, claims)
elsewhere.codeFor = outside.codeFor
beforeEach(forgetLimits)
afterAll(async () => {
  await provider.close()
  await outside.close()
})

/** Codes of the protocol that no request to our service causes, with the reason. */
const never = {
  email_address_not_authorized:
    'a hosted service sends letters to its team alone until it has a mail server; ours sends to everyone or to nobody',
  email_address_invalid:
    'the reference does not send to addresses of test domains; ours are refused by their syntax alone, as validation_failed',
  otp_disabled: 'it would tell whether an address has an account: the response is the same with and without one',
  sso_provider_not_found: 'of SAML: whatever is asked, it is not served (saml_provider_disabled)',
  user_sso_managed: 'of SAML: no user of ours is managed elsewhere',
  feature_disabled: 'of parts that are not there: their addresses are not found',
  webauthn_credential_not_found: 'a sign-in that fails tells nothing of what is known here: webauthn_verification_failed',
  conflict: 'a session that stays locked is answered by 503, because clients take any 4xx at a refresh for its end',
  request_timeout:
    'of what takes ten seconds, which no request is known to: app/auth/endpoints/timeout.test.ts shows the answer with a shorter patience',
} satisfies Record<string, string>

/** Compiles only with every code of the product. */
const covered = { ...cases, ...never, ...ownCodes } satisfies Record<RefusalCode, unknown>

const protocol =
  'bad_json validation_failed invalid_credentials email_not_confirmed phone_not_confirmed user_banned refresh_token_not_found refresh_token_already_used session_expired bad_code_verifier captcha_failed provider_disabled web3_unsupported_chain reauthentication_needed current_password_required current_password_invalid email_address_not_authorized email_address_invalid bad_oauth_state bad_oauth_callback flow_state_already_used no_authorization insufficient_aal bad_jwt not_admin user_not_found session_not_found otp_expired unexpected_audience mfa_factor_not_found flow_state_not_found saml_provider_disabled sso_provider_not_found manual_linking_disabled feature_disabled passkey_disabled too_many_passkeys webauthn_challenge_not_found webauthn_challenge_expired webauthn_verification_failed webauthn_credential_exists webauthn_credential_not_found conflict request_entity_too_large signup_disabled user_already_exists email_exists phone_exists weak_password same_password otp_disabled anonymous_provider_disabled email_provider_disabled phone_provider_disabled flow_state_expired reauthentication_not_valid user_sso_managed identity_already_exists identity_not_found single_identity_not_deletable email_conflict_identity_not_deletable mfa_totp_enroll_not_enabled mfa_totp_verify_not_enabled mfa_phone_enroll_not_enabled mfa_phone_verify_not_enabled mfa_webauthn_enroll_not_enabled mfa_webauthn_verify_not_enabled mfa_factor_name_conflict mfa_verified_factor_exists mfa_ip_address_mismatch mfa_challenge_expired mfa_verification_failed too_many_enrolled_mfa_factors sms_send_failed web3_provider_disabled provider_email_needs_verification over_request_rate_limit over_email_send_rate_limit over_sms_send_rate_limit unexpected_failure request_timeout'

test('a request here produces each error code of the protocol and of the product, or the list says why none can', () => {
  const met = [...Object.keys(cases), ...Object.keys(never)]
  expect(met.toSorted()).toEqual(protocol.split(' ').toSorted())
})

describe('error', () => {
  const all = Object.entries(covered).flatMap(([code, ways]) =>
    typeof ways === 'string' ? [] : ways.map(([status, ask]) => ({ code, status, ask })),
  )
  test.each(all)('$code with $status', async ({ code, status, ask }) => {
    const reply = await ask()
    const told = new URLSearchParams(URL.parse(reply.headers.location ?? '')?.hash.slice(1)).get('error_code')
    expect([reply.statusCode, reply.headers['x-sb-error-code'] ?? told]).toEqual([status, code])
  })

  test.each<[error: string, ask: () => Promise<Reply>]>([
    ['invalid request', () => grant('id_token', { provider: 'google', id_token: 'x' })],
    ['invalid nonce', () => byIdToken({ nonce: 'x' }, { nonce: 'y' })],
    ['invalid_grant', () => byWallet('solana', () => Buffer.alloc(64).toString('base64'))],
  ])('%s, in the words of OAuth', async (error, ask) => {
    const reply = await ask()
    expect([reply.statusCode, reply.json()]).toEqual([400, { error, error_description: expect.any(String) }])
  })
})
