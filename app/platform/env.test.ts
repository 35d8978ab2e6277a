import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { readProviders } from '#app/auth/providers/provider-settings.server.ts'
import { readEnv } from './env.server.ts'

const sentenceFor = (source: Record<string, string>) => {
  try {
    readProviders(readEnv(source).external)
    return 'accepted'
  } catch (error) {
    return error instanceof Error ? error.message : 'not an error'
  }
}

test('without any setting everything has a default, and an empty value counts as none', () => {
  const defaults = readEnv({})
  expect(defaults).toMatchObject({
    PORT: 3000,
    HOST: '127.0.0.1',
    SITE_URL: 'http://localhost:3000',
    DATA_DIR: './data',
    RATE_LIMITS: 'on',
  })
  expect(readEnv(Object.fromEntries(Object.keys(defaults).map((name) => [name, ''])))).toEqual(defaults)
})

test('the public address follows the port until it is given', () => {
  expect(readEnv({ PORT: '8080' }).SITE_URL).toBe('http://localhost:8080')
  expect(readEnv({ SITE_URL: 'https://example.com/' }).SITE_URL).toBe('https://example.com')
})

const good: Record<string, string[]> = {
  PORT: ['0', '3000', '65535'],
  HOST: ['127.0.0.1', '0.0.0.0', '::1', 'localhost'],
  SITE_URL: ['https://example.com', 'http://localhost:3000/'],
  DATABASE_URL: ['postgres://user:password@host:5432/winnow', 'postgresql:///winnow'],
  SMTP_URL: ['smtp://localhost:25', 'smtps://user:password@mail.example.com:465'],
  MAIL_FROM: ['hello@example.com', 'Winnow <hello@example.com>'],
  MAIL_REPLY_ADDRESS: ['replies@example.com', 'sales.desk@mail.example.com', 'replies@localhost'],
  IMAP_URL: [
    'imaps://user:p%40ss@mail.example.com',
    'imaps://user:password@mail.example.com:1993/Sales/Replies',
    'imap://user:password@127.0.0.1:143',
  ],
  OWNER_EMAIL: ['owner@example.com'],
  BOOKING_URL: ['https://cal.example.com/you/30min'],
  BOOKING_WEBHOOK_SECRET: ['0123456789abcdef0123456789abcdef'],
  FILE_OFFLOAD: ['x-accel', 'x-sendfile'],
  TRUST_PROXY: ['10.0.0.1', '10.0.0.1, 10.1.0.0/16', 'fd00::/8'],
  RATE_LIMITS: ['on', 'off'],
  METRICS_TOKEN: ['0123456789abcdef'],
  LOG_LEVEL: ['silent', 'debug'],
  JWT_EXP: ['60', '900'],
  MAILER_OTP_EXP: ['60', '3600'],
  SMTP_MAX_FREQUENCY: ['0'],
  SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: ['10'],
  PASSWORD_MIN_LENGTH: ['6', '72'],
  DISABLE_SIGNUP: ['true', 'false'],
  MAILER_AUTOCONFIRM: ['true', 'false'],
  EXTERNAL_FLOW_STATE_EXPIRY_DURATION: ['300', '300s', '10m', '1h'],
  API_EXTERNAL_URL: ['https://example.com/auth/v1', 'http://localhost:3000/auth/v1/'],
  JWT_AUD: ['authenticated', 'https://api.example.com'],
  MAILER_OTP_LENGTH: ['6', '10'],
  MAILER_SECURE_EMAIL_CHANGE_ENABLED: ['true', 'false'],
  SMS_OTP_EXP: ['10', '600'],
  SMS_OTP_LENGTH: ['6', '10'],
  SMS_MAX_FREQUENCY: ['0', '60s', '1m'],
  SMS_AUTOCONFIRM: ['true'],
  SMS_TEST_OTP: ['15555550100:123456', '15555550100=123456,+4915100000000=000000'],
  PASSWORD_REQUIRED_CHARACTERS: ['abc', 'abc:ABC:0123', String.raw`abc:\:;`],
  PASSWORD_HIBP_ENABLED: ['true'],
  SECURITY_REFRESH_TOKEN_ROTATION_ENABLED: ['false'],
  SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: ['true'],
  SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD: ['true'],
  SECURITY_CAPTCHA_PROVIDER: ['hcaptcha', 'turnstile'],
  SESSIONS_TIMEBOX: ['24h', '86400'],
  SESSIONS_INACTIVITY_TIMEOUT: ['1h30m'],
  SESSIONS_SINGLE_PER_USER: ['true'],
  SESSIONS_ALLOW_LOW_AAL: ['15m'],
  EXTERNAL_EMAIL_ENABLED: ['false'],
  EXTERNAL_PHONE_ENABLED: ['true'],
  EXTERNAL_ANONYMOUS_USERS_ENABLED: ['true'],
  RATE_LIMIT_EMAIL_SENT: ['30'],
  RATE_LIMIT_SMS_SENT: ['30'],
  RATE_LIMIT_OTP: ['1'],
  RATE_LIMIT_VERIFY: ['30'],
  RATE_LIMIT_SSO: ['30'],
  RATE_LIMIT_WEB3: ['30'],
  RATE_LIMIT_TOKEN_REFRESH: ['150'],
  RATE_LIMIT_ANONYMOUS_USERS: ['30'],
  EXTERNAL_WEB3_ETHEREUM_ENABLED: ['true'],
  EXTERNAL_WEB3_SOLANA_ENABLED: ['true'],
  SECURITY_MANUAL_LINKING_ENABLED: ['true'],
  EXTERNAL_GOOGLE_ENABLED: ['false'],
  EXTERNAL_GOOGLE_CLIENT_ID: ['1234.apps.example.com', 'one,two'],
  EXTERNAL_KEYCLOAK_URL: ['https://id.example.com/realms/main/', 'http://localhost:8080/realms/main'],
  EXTERNAL_NOTION_ENABLED: ['false'],
  JWT_SECRET: ['0123456789abcdef0123456789abcdef'],
  MFA_TOTP_ENROLL_ENABLED: ['true', 'false'],
  MFA_TOTP_VERIFY_ENABLED: ['true', 'false'],
  MFA_PHONE_ENROLL_ENABLED: ['true', 'false'],
  MFA_PHONE_VERIFY_ENABLED: ['true', 'false'],
  MFA_MAX_ENROLLED_FACTORS: ['1', '100'],
  MFA_CHALLENGE_EXPIRY_DURATION: ['300', '5m'],
  URI_ALLOW_LIST: [
    'https://app.example',
    'https://*.example.org/welcome, winnow://signed-in',
    'https://{a,b}.example/{x,y/**},winnow://{in,out}',
  ],
}

test.each(Object.entries(good))('%s accepts its values', (name, values) => {
  for (const value of values) expect([value, sentenceFor({ [name]: value })]).toEqual([value, 'accepted'])
})

const bad: Record<string, string[]> = {
  PORT: ['-1', '65536', 'http', '80.5'],
  HOST: ['two words', 'a/b'],
  SITE_URL: ['example.com', 'ftp://example.com', 'https://example.com/shop', 'https://user@example.com'],
  DATABASE_URL: ['mysql://host/winnow', 'nonsense'],
  SMTP_URL: ['https://mail.example.com', 'mail.example.com'],
  MAIL_FROM: ['nobody', 'Winnow <hello>', 'a@b.example\r\nBcc: c@d.example'],
  MAIL_REPLY_ADDRESS: ['replies', 'a+b@example.com', 'replies@example.com\r\nBcc: c@d.example', `${'a'.repeat(22)}@example.com`],
  IMAP_URL: [
    'imap://user:password@mail.example.com',
    'imaps://user@mail.example.com',
    'imaps://mail.example.com',
    'https://user:password@mail.example.com',
    'imaps://user:%zz@mail.example.com',
    'imaps://user:pass%0d%0aA1 LOGOUT@mail.example.com',
    'imaps://user:password@mail.example.com/?folder=INBOX',
  ],
  OWNER_EMAIL: ['owner'],
  SUPABASE_URL: ['http://example.com', 'https://example.com/auth/v1', 'abcdefgh.supabase.co', 'https://user@example.com'],
  SUPABASE_PUBLISHABLE_KEY: [
    'short',
    'two words',
    'sb_secret_0123456789',
    `x.${Buffer.from('{"role":"service_role"}').toString('base64url')}.x`,
  ],
  SUPABASE_SECRET_KEY: ['sb_publishable_0123456789', 'secret-of-mine'],
  BOOKING_URL: ['javascript:alert(1)', 'cal.example.com'],
  BOOKING_WEBHOOK_SECRET: ['short'],
  S3_ENDPOINT: ['s3.example.com', 'https://s3.example.com/bucket', 'ftp://s3.example.com'],
  S3_REGION: ['eu central'],
  S3_BUCKET: ['Files', 'a', 'files/other'],
  S3_ACCESS_KEY_ID: ['two words'],
  S3_SECRET_ACCESS_KEY: ['short', 'with a space'],
  FILE_OFFLOAD: ['on', 'sendfile'],
  TRUST_PROXY: ['everyone', '10.0.0.0/33', '10.0.0', 'fd00::/129'],
  RATE_LIMITS: ['yes'],
  METRICS_TOKEN: ['short'],
  LOG_LEVEL: ['loud'],
  JWT_EXP: ['59', 'soon'],
  MAILER_OTP_EXP: ['59', '3601'],
  SMTP_MAX_FREQUENCY: ['-1'],
  SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: ['601'],
  PASSWORD_MIN_LENGTH: ['5', '73'],
  DISABLE_SIGNUP: ['maybe'],
  MAILER_AUTOCONFIRM: ['2'],
  API_EXTERNAL_URL: ['example.com/auth/v1', 'https://example.com/auth/v1?a=b', 'ftp://example.com'],
  JWT_AUD: ['two words'],
  MAILER_OTP_LENGTH: ['5', '11'],
  MAILER_SECURE_EMAIL_CHANGE_ENABLED: ['perhaps'],
  SMS_OTP_EXP: ['9', '601'],
  SMS_OTP_LENGTH: ['5', '11'],
  SMS_MAX_FREQUENCY: ['soon'],
  SMS_TEST_OTP: ['15555550100', '0123:123456', '15555550100:12'],
  HOOK_SEND_SMS_URI: ['http://sms.example.com/send', 'sms.example.com'],
  HOOK_SEND_SMS_SECRETS: ['secret', 'v1,whsec_short'],
  PASSWORD_REQUIRED_CHARACTERS: [':abc', 'abc::123'],
  SECURITY_CAPTCHA_PROVIDER: ['recaptcha'],
  SESSIONS_TIMEBOX: ['1s', 'for ever'],
  RATE_LIMIT_OTP: ['0', 'many'],
  RATE_LIMIT_TOKEN_REFRESH: ['0', '1.5'],
  EXTERNAL_FLOW_STATE_EXPIRY_DURATION: ['299', '60s', '61m', 'soon', '5 m', '-300s'],
  EXTERNAL_WEB3_ETHEREUM_ENABLED: ['maybe'],
  EXTERNAL_WEB3_SOLANA_ENABLED: ['maybe'],
  SECURITY_MANUAL_LINKING_ENABLED: ['maybe'],
  EXTERNAL_GOOGLE_ENABLED: ['maybe'],
  EXTERNAL_GOOGLE_CLIENT_ID: ['two words', 'a,,b'],
  EXTERNAL_KEYCLOAK_URL: ['http://id.example.com/realms/main', 'id.example.com', 'https://user@id.example.com', 'https://id.example.com?x'],
  EXTERNAL_NOTION_ENABLED: ['true'],
  JWT_SECRET: ['too short a secret'],
  MFA_TOTP_ENROLL_ENABLED: ['maybe'],
  MFA_TOTP_VERIFY_ENABLED: ['2'],
  MFA_PHONE_ENROLL_ENABLED: ['maybe'],
  MFA_PHONE_VERIFY_ENABLED: ['maybe'],
  MFA_MAX_ENROLLED_FACTORS: ['0', '101'],
  MFA_CHALLENGE_EXPIRY_DURATION: ['299', '11m', 'soon'],
  URI_ALLOW_LIST: [
    '*',
    'app.example',
    'javascript://x',
    'https://user@app.example',
    'https://app.example,',
    'https://{a,b.example',
    'https://a}b{.example',
    'https://a{,/x}',
  ],
}

test('private persons buy only where a payment provider computes the tax', () => {
  const sentence = 'SELL_TO must not be all without a payment provider that computes the tax, such as PAYMENTS=stripe with SELL_TO=all.'
  expect(sentenceFor({ SELL_TO: 'all', PAYMENTS: 'transfer' })).toBe(sentence)
  expect(sentenceFor({ SELL_TO: 'all', PAYMENTS: 'none' })).toBe(sentence)
  expect(sentenceFor({ SELL_TO: 'all' })).toBe('accepted')
})

test('automatic confirmation, an owner named by email, and a public address do not go together', () => {
  const owned = { MAILER_AUTOCONFIRM: 'true', OWNER_EMAIL: 'owner@example.com' }
  const places: Record<string, string>[] = [{ SITE_URL: 'https://example.com' }, { HOST: '0.0.0.0' }]
  for (const place of places) {
    expect(sentenceFor({ ...owned, ...place })).toMatch(/^MAILER_AUTOCONFIRM must be false while HOST or SITE_URL is reachable [^\n]+\.$/)
  }
  expect(readEnv(owned).MAILER_AUTOCONFIRM).toBe(true)
})

test.each(Object.entries(bad))('%s is refused in one sentence that names it, says what it must be and gives an example', (name, values) => {
  const sentence = new RegExp(`^${name} must be [^\n]*(such as|true or false|on or off|one of)[^\n]*\\.$`)
  for (const value of values) expect(sentenceFor({ [name]: value })).toMatch(sentence)
})

test.each([
  ['DATABASE_URL', 'mysql://user:planted-word@host/winnow'],
  ['DATABASE_REPLICA_URL', 'mysql://user:planted-word@host/winnow'],
  ['SMTP_URL', 'ftp://user:planted-word@host'],
  ['METRICS_TOKEN', 'planted-word'],
  ['JWT_SECRET', 'planted-word'],
  ['HOOK_SEND_SMS_SECRETS', 'planted-word'],
  ['S3_SECRET_ACCESS_KEY', 'planted-word and another'],
  ['SUPABASE_SECRET_KEY', 'planted-word'],
])('what is secret in %s is not said back where it is refused', (name, value) => {
  const sentence = sentenceFor({ [name]: value })
  expect(sentence).toMatch(new RegExp(`^${name} must be `))
  expect(sentence).not.toContain('planted-word')
})

describe('combinations of settings', () => {
  test('limits can be switched off only on a local installation', () => {
    expect(sentenceFor({ RATE_LIMITS: 'off', HOST: '0.0.0.0' })).toBe(
      'RATE_LIMITS must be on while HOST is not loopback, such as RATE_LIMITS=on.',
    )
  })

  test('an external sign-in provider needs a client ID, and a realm needs an address', () => {
    expect(sentenceFor({ EXTERNAL_GOOGLE_ENABLED: 'true' })).toMatch(/^EXTERNAL_GOOGLE_CLIENT_ID must be set while EXTERNAL_GOOGLE_ENABLED/)
    const keycloak = { EXTERNAL_KEYCLOAK_ENABLED: 'true', EXTERNAL_KEYCLOAK_CLIENT_ID: 'winnow' }
    expect(sentenceFor(keycloak)).toMatch(/^EXTERNAL_KEYCLOAK_URL must be the address of the realm, such as /)
    expect(sentenceFor({ ...keycloak, EXTERNAL_KEYCLOAK_URL: 'https://id.example.com/realms/main' })).toBe('accepted')
  })

  test('a replica needs a database', () => {
    expect(sentenceFor({ DATABASE_REPLICA_URL: 'postgres://replica/winnow' })).toMatch(/^DATABASE_REPLICA_URL must come with DATABASE_URL/)
  })

  test('a bucket needs its service, its region and a key', () => {
    const whole = {
      S3_ENDPOINT: 'https://s3.example.com',
      S3_REGION: 'eu-central-1',
      S3_BUCKET: 'winnow-files',
      S3_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      S3_SECRET_ACCESS_KEY: 'secret/of+the=key',
    }
    expect(sentenceFor(whole)).toBe('accepted')
    for (const [name, value] of Object.entries(whole)) {
      const set = name === 'S3_ENDPOINT' ? 'S3_REGION' : 'S3_ENDPOINT'
      expect(sentenceFor({ ...whole, [name]: '' })).toMatch(new RegExp(`^${name} must come with ${set} [^\n]+ such as [^\n]+\\.$`))
      expect(sentenceFor({ [name]: value })).toMatch(/^S3_(ENDPOINT|REGION) must come with S3_/)
    }
  })

  test('a hosted auth service has an address and a key, and a secret key only with both', () => {
    const url = { SUPABASE_URL: 'https://abcdefgh.supabase.co' }
    const key = { SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_0123456789' }
    const secret = { SUPABASE_SECRET_KEY: 'sb_secret_0123456789' }
    for (const one of [url, key])
      expect(sentenceFor(one)).toMatch(/^SUPABASE_URL must come with SUPABASE_PUBLISHABLE_KEY, such as [^\n]+\.$/)
    expect(sentenceFor(secret)).toMatch(/^SUPABASE_SECRET_KEY must come with SUPABASE_URL and SUPABASE_PUBLISHABLE_KEY/)
    expect(sentenceFor({ ...url, ...key })).toBe('accepted')
    expect(sentenceFor({ ...url, ...key, ...secret })).toBe('accepted')
    expect(sentenceFor({ ...key, SUPABASE_URL: 'http://localhost:54321/' })).toBe('accepted')
  })

  test('the hook that sends messages to phones needs a secret, and a public installation needs the hook', () => {
    const hook = { HOOK_SEND_SMS_URI: 'https://sms.example.com/send' }
    const secrets = { HOOK_SEND_SMS_SECRETS: `v1,whsec_${'a'.repeat(43)}=|whsec_${'b'.repeat(43)}=` }
    const phone = { EXTERNAL_PHONE_ENABLED: 'true', SITE_URL: 'https://example.com' }
    expect(sentenceFor(hook)).toMatch(/^HOOK_SEND_SMS_URI must come with HOOK_SEND_SMS_SECRETS/)
    expect(sentenceFor(secrets)).toMatch(/^HOOK_SEND_SMS_URI must come with HOOK_SEND_SMS_SECRETS/)
    expect(sentenceFor(phone)).toMatch(/^EXTERNAL_PHONE_ENABLED must come with HOOK_SEND_SMS_URI/)
    expect(sentenceFor({ ...phone, ...hook, ...secrets })).toBe('accepted')
  })

  test('a captcha needs a provider and a secret', () => {
    const captcha = { SECURITY_CAPTCHA_ENABLED: 'true', SECURITY_CAPTCHA_PROVIDER: 'turnstile' }
    expect(sentenceFor(captcha)).toMatch(/^SECURITY_CAPTCHA_ENABLED must come with/)
    expect(sentenceFor({ ...captcha, SECURITY_CAPTCHA_SECRET: 'secret' })).toBe('accepted')
  })
})

test.each([
  ['app/platform/env.server.ts', { PORT: 'ninety' }, 'PORT must be a port from 0 to 65535, such as 3000.\n'],
  [
    'app/auth/providers/provider-settings.server.ts',
    { EXTERNAL_GOOGLE_ENABLED: 'maybe' },
    'EXTERNAL_GOOGLE_ENABLED must be true or false.\n',
  ],
])('a process with a bad setting prints that sentence alone and ends with 1: %s', (file, bad, sentence) => {
  const env = { ...process.env, ...bad }
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { env, encoding: 'utf8' })
  expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: sentence })
})
