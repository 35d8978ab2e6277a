import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { readEnv } from './env.server.ts'

const sentenceFor = (source: Record<string, string>) => {
  try {
    readEnv(source)
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
  OWNER_EMAIL: ['owner@example.com'],
  BOOKING_URL: ['https://cal.example.com/you/30min'],
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
  URI_ALLOW_LIST: ['https://app.example', 'https://*.example.org/welcome, winnow://signed-in'],
}

test.each(Object.entries(good))('%s takes what it is for', (name, values) => {
  for (const value of values) expect([value, sentenceFor({ [name]: value })]).toEqual([value, 'accepted'])
})

const bad: Record<string, string[]> = {
  PORT: ['-1', '65536', 'http', '80.5'],
  HOST: ['two words', 'a/b'],
  SITE_URL: ['example.com', 'ftp://example.com', 'https://example.com/shop', 'https://user@example.com'],
  DATABASE_URL: ['mysql://host/winnow', 'nonsense'],
  SMTP_URL: ['https://mail.example.com', 'mail.example.com'],
  MAIL_FROM: ['nobody', 'Winnow <hello>', 'a@b.example\r\nBcc: c@d.example'],
  OWNER_EMAIL: ['owner'],
  BOOKING_URL: ['javascript:alert(1)', 'cal.example.com'],
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
  EXTERNAL_FLOW_STATE_EXPIRY_DURATION: ['299', '60s', '61m', 'soon', '5 m', '-300s'],
  URI_ALLOW_LIST: ['*', 'app.example', 'javascript://x', 'https://user@app.example', 'https://app.example,', 'https://{a,b}.example'],
}

test.each(Object.entries(bad))('%s is refused in one sentence that names it, says what it must be and gives an example', (name, values) => {
  const sentence = new RegExp(`^${name} must be [^\n]*(such as|true or false|on or off|one of)[^\n]*\\.$`)
  for (const value of values) expect(sentenceFor({ [name]: value })).toMatch(sentence)
})

describe('what no single setting can tell', () => {
  test('limits can be switched off only where nobody else can reach it', () => {
    expect(sentenceFor({ RATE_LIMITS: 'off', HOST: '0.0.0.0' })).toBe(
      'RATE_LIMITS must be on while HOST is not loopback, such as RATE_LIMITS=on.',
    )
  })

  test('a replica is a replica of something', () => {
    expect(sentenceFor({ DATABASE_REPLICA_URL: 'postgres://replica/winnow' })).toMatch(/^DATABASE_REPLICA_URL must come with DATABASE_URL/)
  })
})

test('a process with a bad setting prints that sentence alone and ends with 1', () => {
  const env = { ...process.env, PORT: 'ninety' }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['app/platform/env.server.ts'], { env, encoding: 'utf8' })
  expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: 'PORT must be a port from 0 to 65535, such as 3000.\n' })
})
