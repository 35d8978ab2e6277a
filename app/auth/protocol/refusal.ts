import { Stop, type StopKind } from '#app/platform/errors/stop.ts'

/**
 * The auth protocol's error codes, each with its default status and text. Clients compare the codes and some texts
 * word for word. Both are interface constants and are written only here.
 */
const refusals = {
  bad_json: ['badRequest', 'Could not parse request body as JSON'],
  validation_failed: ['badRequest', 'The request is not valid'],
  invalid_credentials: ['badRequest', 'Invalid login credentials'],
  email_not_confirmed: ['badRequest', 'Email not confirmed'],
  user_banned: ['badRequest', 'User is banned'],
  refresh_token_not_found: ['badRequest', 'Invalid Refresh Token: Refresh Token Not Found'],
  refresh_token_already_used: ['badRequest', 'Invalid Refresh Token: Already Used'],
  session_expired: ['badRequest', 'Invalid Refresh Token: Session Expired'],
  no_authorization: ['notSignedIn', 'This endpoint requires a valid Bearer token'],
  bad_jwt: ['forbidden', 'invalid JWT: unable to parse or verify signature'],
  not_admin: ['forbidden', 'User not allowed'],
  user_not_found: ['forbidden', 'User from sub claim in JWT does not exist'],
  session_not_found: ['forbidden', 'Session from session_id claim in JWT does not exist'],
  otp_expired: ['forbidden', 'Token has expired or is invalid'],
  flow_state_not_found: ['notFound', 'invalid flow state, no valid flow state found'],
  flow_state_expired: ['unprocessable', 'invalid flow state, flow state has expired'],
  bad_code_verifier: ['badRequest', 'code challenge does not match previously saved code verifier'],
  phone_not_confirmed: ['badRequest', 'Phone not confirmed'],
  email_provider_disabled: ['unprocessable', 'Email logins are disabled'],
  phone_exists: ['unprocessable', 'A user with this phone number has already been registered'],
  reauthentication_needed: ['badRequest', 'Password update requires reauthentication'],
  reauthentication_not_valid: ['unprocessable', 'Verification requires a valid code'],
  current_password_required: ['badRequest', 'Current password required when setting new password.'],
  current_password_invalid: ['badRequest', 'Current password is not right.'],
  insufficient_aal: ['forbidden', 'AAL2 session is required when a second factor is set up'],
  // Our own code; the protocol has none. Not 401, 403 or 404, which clients take for a finished sign-out.
  recent_sign_in_required: ['badRequest', 'Please confirm that it is you, then try again'],
  sms_send_failed: ['unprocessable', 'The message could not be sent, please try again later'],
  over_sms_send_rate_limit: ['tooMany', 'For security purposes, you can only request this later'],
  captcha_failed: ['badRequest', 'captcha protection: request disallowed'],
  request_timeout: ['timeout', 'Processing this request timed out, please retry after a moment.'],
  address_not_proven: ['conflict', 'This account has not confirmed its address yet. Roles and access can be given once it has.'],
  last_owner: ['conflict', 'This is the last owner. Make someone else an owner first.'],
  not_found: ['notFound', 'There is nothing at this address'],
  method_not_allowed: ['methodNotAllowed', 'This address does not support that method'],
  unexpected_audience: ['forbidden', "Token audience doesn't match request audience"],
  mfa_factor_not_found: ['notFound', 'Factor not found'],
  request_entity_too_large: ['tooLarge', 'Request body is too large'],
  signup_disabled: ['unprocessable', 'Signups not allowed for this instance'],
  anonymous_provider_disabled: ['unprocessable', 'Anonymous sign-ins are disabled'],
  provider_disabled: ['badRequest', 'Provider is not enabled'],
  web3_unsupported_chain: ['badRequest', 'Unsupported chain, use ethereum or solana'],
  bad_oauth_state: ['badRequest', 'OAuth callback with invalid state'],
  bad_oauth_callback: ['badRequest', 'OAuth callback without a code'],
  flow_state_already_used: ['badRequest', 'This sign-in was already used, please start again'],
  saml_provider_disabled: ['notFound', 'SAML 2.0 is disabled'],
  manual_linking_disabled: ['notFound', 'Manual linking is disabled'],
  identity_already_exists: ['unprocessable', 'Identity is already linked to a user'],
  identity_not_found: ['unprocessable', "Identity doesn't exist"],
  single_identity_not_deletable: ['unprocessable', 'User must have at least 1 identity after unlinking'],
  email_conflict_identity_not_deletable: [
    'unprocessable',
    'Unable to unlink this identity: another user has the email address that would remain',
  ],
  provider_email_needs_verification: ['unprocessable', 'Unverified email with the provider. A confirmation email has been sent to it'],
  phone_provider_disabled: ['badRequest', 'Phone logins are disabled'],
  web3_provider_disabled: ['unprocessable', 'Web3 provider is disabled'],
  user_already_exists: ['unprocessable', 'User already registered'],
  email_exists: ['unprocessable', 'A user with this email address has already been registered'],
  weak_password: ['unprocessable', 'Password is too weak'],
  same_password: ['unprocessable', 'New password should be different from the old password.'],
  mfa_totp_enroll_not_enabled: ['unprocessable', 'MFA enroll is disabled for TOTP'],
  mfa_totp_verify_not_enabled: ['unprocessable', 'MFA verification is disabled for TOTP'],
  mfa_phone_enroll_not_enabled: ['unprocessable', 'MFA enroll is disabled for Phone'],
  mfa_phone_verify_not_enabled: ['unprocessable', 'MFA verification is disabled for Phone'],
  mfa_webauthn_enroll_not_enabled: ['unprocessable', 'MFA enroll is disabled for WebAuthn'],
  mfa_webauthn_verify_not_enabled: ['unprocessable', 'MFA verification is disabled for WebAuthn'],
  passkey_disabled: ['notFound', 'Passkeys are disabled'],
  too_many_passkeys: ['unprocessable', 'Maximum number of passkeys reached'],
  webauthn_challenge_not_found: ['badRequest', 'Challenge not found or already used'],
  webauthn_challenge_expired: ['badRequest', 'Challenge has expired'],
  webauthn_verification_failed: ['badRequest', 'Credential verification failed'],
  webauthn_credential_exists: ['unprocessable', 'This credential is already registered'],
  mfa_factor_name_conflict: ['unprocessable', 'A factor with this friendly name for this user already exists'],
  mfa_verified_factor_exists: ['unprocessable', 'A verified phone factor already exists, unenroll the existing factor to continue'],
  mfa_ip_address_mismatch: ['unprocessable', 'Challenge and verify IP addresses mismatch'],
  mfa_challenge_expired: ['unprocessable', 'MFA challenge has expired, verify against another challenge or create a new challenge'],
  mfa_verification_failed: ['unprocessable', 'MFA verification failed'],
  too_many_enrolled_mfa_factors: ['unprocessable', 'Maximum number of enrolled factors reached, unenroll to continue'],
  over_request_rate_limit: ['tooMany', 'Request rate limit reached'],
  over_email_send_rate_limit: ['tooMany', 'For security purposes, you can only request this later'],
  foreign_origin: ['forbidden', 'This request came from another site'],
  unexpected_failure: ['unavailable', 'The service is busy, please try again in a moment'],
} as const satisfies Record<string, readonly [StopKind, string]>

export type RefusalCode = keyof typeof refusals

type Details = { kind?: StopKind; sentence?: string; reasons?: readonly string[]; retryAfter?: number; challenge?: unknown }

/** Ends an auth request with a code of the protocol. */
export function refuse(code: RefusalCode, details: Details = {}): never {
  throw refusalOf(code, details)
}

export function refusalOf(code: RefusalCode, { kind, sentence, ...extra }: Details = {}): Stop {
  const [usualKind, usualSentence] = refusals[code]
  return new Stop(kind ?? usualKind, sentence ?? usualSentence, { code, ...extra })
}

/** Ends a grant with an OAuth error, which has no protocol code. */
export function refuseGrant(error: 'invalid request' | 'invalid nonce' | 'invalid_grant', sentence: string): never {
  throw new Stop('badRequest', sentence, { oauth: error })
}

/** Texts that clients compare; their code is `validation_failed`. */
export const INVALID_EMAIL = 'Unable to validate email address: invalid format'
export const INVALID_PHONE = 'Invalid phone number format (E.164 required)'
