import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readEnv } from '#app/platform/env.server.ts'

/** Every setting of the protocol that changes behavior, with its default. Where our default differs, it is the safer one. */
const settings: Record<string, unknown> = {
  JWT_EXP: 900,
  JWT_AUD: 'authenticated',
  JWT_KEYS: undefined,
  JWT_SECRET: undefined,
  API_EXTERNAL_URL: 'http://localhost:3000/auth/v1',
  SITE_URL: 'http://localhost:3000',
  URI_ALLOW_LIST: [],
  DISABLE_SIGNUP: false,
  EXTERNAL_EMAIL_ENABLED: true,
  EXTERNAL_PHONE_ENABLED: false,
  EXTERNAL_ANONYMOUS_USERS_ENABLED: false,
  MAILER_AUTOCONFIRM: false,
  SMS_AUTOCONFIRM: false,
  MAILER_SECURE_EMAIL_CHANGE_ENABLED: true,
  MAILER_OTP_EXP: 3600,
  MAILER_OTP_LENGTH: 6,
  SMTP_MAX_FREQUENCY: 60,
  SMS_OTP_EXP: 60,
  SMS_OTP_LENGTH: 6,
  SMS_MAX_FREQUENCY: 60,
  SMS_TEST_OTP: new Map(),
  PASSWORD_MIN_LENGTH: 6,
  PASSWORD_REQUIRED_CHARACTERS: [],
  PASSWORD_HIBP_ENABLED: false,
  SECURITY_REFRESH_TOKEN_ROTATION_ENABLED: true,
  SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: 10,
  SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: false,
  SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD: false,
  SECURITY_MANUAL_LINKING_ENABLED: false,
  SECURITY_CAPTCHA_ENABLED: false,
  SECURITY_CAPTCHA_PROVIDER: undefined,
  SECURITY_CAPTCHA_SECRET: undefined,
  SESSIONS_TIMEBOX: undefined,
  SESSIONS_INACTIVITY_TIMEOUT: undefined,
  SESSIONS_SINGLE_PER_USER: false,
  SESSIONS_ALLOW_LOW_AAL: undefined,
  MFA_TOTP_ENROLL_ENABLED: true,
  MFA_TOTP_VERIFY_ENABLED: true,
  MFA_PHONE_ENROLL_ENABLED: false,
  MFA_PHONE_VERIFY_ENABLED: false,
  MFA_MAX_ENROLLED_FACTORS: 10,
  MFA_CHALLENGE_EXPIRY_DURATION: 300,
  EXTERNAL_WEB3_SOLANA_ENABLED: false,
  EXTERNAL_WEB3_ETHEREUM_ENABLED: false,
  EXTERNAL_FLOW_STATE_EXPIRY_DURATION: 300,
  RATE_LIMIT_OTP: 30,
  RATE_LIMIT_VERIFY: 30,
  RATE_LIMIT_SSO: 30,
  RATE_LIMIT_WEB3: 30,
  RATE_LIMIT_TOKEN_REFRESH: undefined,
  RATE_LIMIT_ANONYMOUS_USERS: 30,
  RATE_LIMIT_EMAIL_SENT: 2000,
  RATE_LIMIT_SMS_SENT: 30,
}

/** Settings of the reference that have another name here. */
const otherwise: Record<string, string> = {
  SMTP_HOST: 'SMTP_URL',
  SMTP_PORT: 'SMTP_URL',
  SMTP_USER: 'SMTP_URL',
  SMTP_PASS: 'SMTP_URL',
  SMTP_ADMIN_EMAIL: 'MAIL_FROM',
  SMTP_SENDER_NAME: 'MAIL_FROM',
  RATE_LIMIT_HEADER: 'TRUST_PROXY',
}

/** Nothing is set; what is asked for is written down. */
const asked = new Set<string | symbol>()
const env: Record<string, unknown> = { ...readEnv(new Proxy({}, { get: (_nothing, name) => void asked.add(name) })) }

/** Judged by their text: the tests of the settings themselves, and of secrets, set all of them and prove no behavior. */
const tests = globSync('{app,test}/**/*.{test,e2e}.{ts,tsx}')
  .filter((file) => !/env\.test|planted-secrets|auth-settings/.test(file))
  .map((file) => readFileSync(file, 'utf8'))

describe('happy', () => {
  test.each(Object.entries(settings))('%s is a setting, and known until it is set', (name, value) => {
    expect([asked.has(name), env[name]]).toEqual([true, value])
  })

  test.each(Object.entries(otherwise))('in place of %s there is %s', (theirs, ours) => {
    expect([asked.has(theirs), asked.has(ours)]).toEqual([false, true])
  })
})

describe('error', () => {
  test.each(Object.keys(settings))('a test sets %s and checks its effect', (name) => {
    const sets = new RegExp(`\\b${name}(\\b'?\\]?( =|:| \\?\\?=))`)
    expect(tests.some((text) => sets.test(text))).toBe(true)
  })
})
