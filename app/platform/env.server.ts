import { isIP } from 'node:net'
import { z } from 'zod'
import { currencies, isCurrency } from '#app/platform/text/written-form.ts'

/** A setting that cannot be used. Its message is the one sentence that an operator reads. */
export class SettingError extends Error {}

/** An empty variable counts as unset: the default applies. */
const optional = <T extends z.ZodType>(schema: T) => z.preprocess((value) => (value === '' ? undefined : value), schema)

const PORT = 'a port from 0 to 65535, such as 3000'
const port = optional(z.coerce.number(PORT).int(PORT).min(0, PORT).max(65_535, PORT).default(3000))

const url = (example: string, protocols: string[]) =>
  optional(
    z
      .string()
      .refine((value) => protocols.includes(parsedUrl(value)?.protocol ?? ''), `an address such as ${example}`)
      .optional(),
  )

const number = (fallback: number, least: number, most: number) => {
  const must = `a whole number from ${least} to ${most}, such as ${fallback}`
  return optional(z.coerce.number(must).int(must).min(least, must).max(most, must).default(fallback))
}

const text = optional(z.string().optional())

const shaped = (pattern: RegExp, must: string) => z.string().regex(pattern, must)
const matching = (pattern: RegExp, must: string) => optional(shaped(pattern, must).optional())

const flag = (fallback: boolean) => optional(z.stringbool('true or false').default(fallback))

const KEY = /^[\w.~+/=-]{8,4096}$/
const SECRET = 'the secret key of a project, such as sb_secret_…'
const PAYMENTS = 'one or more of test, stripe, transfer, or none, such as stripe,transfer'
const YEAR = 366 * 24 * 3600
const MASTER_KEY =
  'a secret of 32 characters or more without spaces, or a new one and the previous one, separated by a comma, such as the output of openssl rand -hex 32'
const RATE = 'a whole number from 1 to 100000, such as 150'

/** A duration in the form of Go (`90s`, `1h30m`), or a number of seconds. */
function duration(least: number, most: number) {
  const must = `a time from ${least} to ${most} seconds, such as ${least}s`
  return z
    .string(must)
    .transform((written) => (/^\d+$/.test(written) ? Number(written) : (durationMs(written) ?? Number.NaN) / 1000))
    .refine((value) => value >= least && value <= most, must)
}

const unitMs: Record<string, number> = { ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** The longest duration that clients can write: 292 years. */
const MOST_MS = 2 ** 63 / 1e6

/** Milliseconds of a duration such as `300ms`, `-1.5h` or `2h45m`; undefined when malformed. Settings and API clients share the form. */
export function durationMs(text: string): number | undefined {
  const [, sign = '', rest = ''] = /^([+-]?)(.*)$/s.exec(text) ?? []
  if (rest === '0') return 0
  if (rest.length > 100 || !/^((\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h))+$/.test(rest)) return undefined
  const parts = rest.matchAll(/(\d+\.?\d*|\.\d+)([a-zµμ]+)/g)
  const sum = [...parts].reduce((total, [, count, unit = '']) => total + Number(count) * (unitMs[unit] ?? Number.NaN), 0)
  return sum < MOST_MS ? (sign === '-' ? -sum : sum) : undefined
}

const settings = z.object({
  PORT: port,
  HOST: optional(shaped(/^[\w.:-]+$/, 'an address to listen on, such as 127.0.0.1 or 0.0.0.0').default('127.0.0.1')),
  SITE_URL: optional(z.string().refine(isOrigin, 'an origin without a path, such as https://example.com').optional()),
  DATA_DIR: optional(z.string().default('./data')),
  MASTER_KEY: optional(
    z
      .string()
      .transform((list) => list.split(',').map((key) => key.trim()))
      .refine((list) => list.length <= 2 && list.every((key) => /^\S{32,512}$/.test(key)), MASTER_KEY)
      .default([]),
  ),
  DATABASE_URL: url('postgres://user:password@host:5432/winnow', ['postgres:', 'postgresql:']),
  DATABASE_REPLICA_URL: url('postgres://user:password@replica:5432/winnow', ['postgres:', 'postgresql:']),
  SMTP_URL: url('smtps://user:password@mail.example.com:465', ['smtp:', 'smtps:']),
  MAIL_FROM: optional(
    shaped(/^[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>$|^[^<>@\s]+@[^<>@\s]+$/, 'a sender such as Winnow <hello@example.com>').optional(),
  ),
  // Replies come to it with a token after a plus sign, which leaves 21 of the 64 characters before the @.
  MAIL_REPLY_ADDRESS: matching(
    /^[\w.-]{1,21}@[\w-]+(\.[\w-]+)*$/,
    'a mailbox with at most 21 characters before the @ and without a plus sign, such as replies@example.com',
  ),
  IMAP_URL: optional(
    z
      .string()
      .refine(isMailbox, 'an address such as imaps://user:password@mail.example.com/INBOX, percent-encoded, or an imap one of this machine')
      .optional(),
  ),
  OWNER_EMAIL: optional(z.email('an e-mail address, such as owner@example.com').optional()),
  // Files in S3-compatible storage.
  S3_ENDPOINT: optional(z.string().refine(isOrigin, 'an address without a path, such as https://s3.example.com').optional()),
  S3_REGION: matching(/^[\w-]{1,64}$/, 'a region, such as eu-central-1'),
  S3_BUCKET: matching(/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/, 'a bucket, such as winnow-files'),
  S3_ACCESS_KEY_ID: matching(/^\S{1,256}$/, 'the id of a key, such as AKIAIOSFODNN7EXAMPLE'),
  S3_SECRET_ACCESS_KEY: matching(
    /^\S{8,512}$/,
    'a secret of 8 characters or more without spaces, such as the output of openssl rand -hex 20',
  ),
  BACKUP_PASSPHRASE: optional(z.string().min(16, 'at least 16 characters, such as the output of openssl rand -hex 16').optional()),
  // Backups in another service than the files.
  BACKUP_S3_ENDPOINT: optional(z.string().refine(isOrigin, 'an address without a path, such as https://s3.example.com').optional()),
  BACKUP_S3_REGION: matching(/^[\w-]{1,64}$/, 'a region, such as eu-central-1'),
  BACKUP_S3_ACCESS_KEY_ID: matching(/^\S{1,256}$/, 'the id of a key, such as AKIAIOSFODNN7EXAMPLE'),
  BACKUP_S3_SECRET_ACCESS_KEY: matching(
    /^\S{8,512}$/,
    'a secret of 8 characters or more without spaces, such as the output of openssl rand -hex 20',
  ),
  // Beside the backups, the numbers of invoices.
  BACKUP_TO: matching(/^s3:\/\/[a-z\d][a-z\d.-]{1,61}[a-z\d](\/[\w./-]*)?$/, 'a place in a bucket, such as s3://backups/winnow'),
  FILE_OFFLOAD: optional(z.enum(['x-accel', 'x-sendfile'], 'one of x-accel, x-sendfile').optional()),
  BOOKING_URL: url('https://cal.example.com/you/30min', ['https:', 'http:']),
  BOOKING_WEBHOOK_SECRET: optional(z.string().min(16, 'at least 16 characters, such as the output of openssl rand -hex 32').optional()),
  // Where customers pay; without any, paid datasets are requested.
  PAYMENTS: optional(
    z
      .string()
      .transform((list) => list.split(',').map((name) => name.trim()))
      .pipe(z.array(z.enum(['test', 'stripe', 'transfer', 'none'], PAYMENTS)).min(1, PAYMENTS))
      .optional(),
  ),
  STRIPE_SECRET_KEY: matching(/^[sr]k_(test|live)_\w{8,256}$/, 'a secret or restricted key of Stripe, such as sk_live_…'),
  STRIPE_WEBHOOK_SECRET: matching(/^whsec_[\w+/=]{8,256}$/, 'the signing secret of the webhook, such as whsec_…'),
  STRIPE_API_URL: optional(
    z.string().refine(isOrigin, 'an address without a path, such as https://api.stripe.com').default('https://api.stripe.com'),
  ),
  CURRENCY: optional(z.enum(Object.keys(currencies).filter(isCurrency), `one of ${Object.keys(currencies).join(', ')}`).default('USD')),
  SELL_TO: optional(z.enum(['business', 'all'], 'business or all').default('business')),
  TRUST_PROXY: optional(
    z
      .string()
      .transform((list) => list.split(',').map((entry) => entry.trim()))
      .refine((list) => list.every(isNetwork), 'addresses or networks of proxies, separated by commas, such as 10.0.0.1, 10.1.0.0/16')
      .default([]),
  ),
  RATE_LIMITS: optional(z.enum(['on', 'off'], 'on or off').default('on')),
  METRICS_TOKEN: optional(z.string().min(16, 'at least 16 characters, such as the output of openssl rand -hex 16').optional()),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http://127.0.0.1:4318', ['http:', 'https:']),
  OTEL_SERVICE_NAME: optional(z.string().default('winnow')),
  LOG_LEVEL: optional(
    z
      .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'one of fatal, error, warn, info, debug, trace, silent')
      .default('info'),
  ),

  // A hosted service of the same protocol instead of the built-in one.
  SUPABASE_URL: optional(
    z
      .string()
      .refine(isProject, 'the https origin of a project, such as https://abcdefgh.supabase.co')
      .transform((value) => new URL(value).origin)
      .optional(),
  ),
  SUPABASE_PUBLISHABLE_KEY: optional(
    shaped(KEY, 'the key of a project that may be public, such as sb_publishable_…')
      .refine((key) => !isSecretKey(key), 'the key of a project that may be public, such as sb_publishable_…, and never its secret one')
      .optional(),
  ),
  SUPABASE_SECRET_KEY: optional(shaped(KEY, SECRET).refine(isSecretKey, SECRET).optional()),

  // The auth service, with the names of the hosted service. Times are in seconds.
  API_EXTERNAL_URL: optional(
    z
      .string()
      .refine(isService, 'an address without query, such as https://example.com/auth/v1')
      .transform((value) => value.replace(/\/+$/, ''))
      .optional(),
  ),
  JWT_AUD: optional(z.string().regex(/^\S+$/, 'one word, such as authenticated').default('authenticated')),
  JWT_EXP: number(900, 60, 604_800),
  JWT_KEYS: text,
  JWT_SECRET: optional(z.string().min(32, 'at least 32 characters, such as the output of openssl rand -hex 32').optional()),
  // Links and codes in emails expire after this time.
  MAILER_OTP_EXP: number(3600, 60, 3600),
  MAILER_OTP_LENGTH: number(6, 6, 10),
  MAILER_AUTOCONFIRM: flag(false),
  MAILER_SECURE_EMAIL_CHANGE_ENABLED: flag(true),
  SMTP_MAX_FREQUENCY: optional(duration(0, 86_400).default(60)),
  SMS_OTP_EXP: number(60, 10, 600),
  SMS_OTP_LENGTH: number(6, 6, 10),
  SMS_MAX_FREQUENCY: optional(duration(0, 86_400).default(60)),
  SMS_AUTOCONFIRM: flag(false),
  SMS_TEST_OTP: optional(
    z
      .string()
      .regex(
        /^\+?[1-9]\d{1,14}[:=]\d{6,10}(,\+?[1-9]\d{1,14}[:=]\d{6,10})*$/,
        'phone numbers with their codes, such as 15555550100:123456,15555550101:654321',
      )
      .transform((list) => new Map(list.split(',').map((pair) => testCode(pair))))
      .default(new Map()),
  ),
  HOOK_SEND_SMS_URI: optional(
    z.string().refine(isHook, 'an https address, or an http one of this machine, such as https://sms.example.com/send').optional(),
  ),
  HOOK_SEND_SMS_SECRETS: optional(
    z
      .string()
      .regex(
        /^(v1,)?whsec_[A-Za-z\d+/]{32,}={0,2}(\|(v1,)?whsec_[A-Za-z\d+/]{32,}={0,2})*$/,
        'secrets separated by |, such as v1,whsec_ and the output of openssl rand -base64 32',
      )
      .transform((list) => list.split('|').map((secret) => secret.replace(/^(v1,)?whsec_/, '')))
      .optional(),
  ),
  SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: number(10, 0, 600),
  PASSWORD_MIN_LENGTH: number(6, 6, 72),
  PASSWORD_REQUIRED_CHARACTERS: optional(
    z
      .string()
      .refine(
        (classes) => splitClasses(classes).every(Boolean),
        'characters of which each group must occur, separated by :, such as abcdefghijklmnopqrstuvwxyz:0123456789',
      )
      .transform(splitClasses)
      .default([]),
  ),
  PASSWORD_HIBP_ENABLED: flag(false),
  SECURITY_REFRESH_TOKEN_ROTATION_ENABLED: flag(true),
  SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: flag(false),
  SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD: flag(false),
  SECURITY_CAPTCHA_ENABLED: flag(false),
  SECURITY_CAPTCHA_PROVIDER: optional(z.enum(['hcaptcha', 'turnstile'], 'one of hcaptcha, turnstile').optional()),
  SECURITY_CAPTCHA_SECRET: text,
  SESSIONS_TIMEBOX: optional(duration(60, YEAR).optional()),
  SESSIONS_INACTIVITY_TIMEOUT: optional(duration(60, YEAR).optional()),
  SESSIONS_SINGLE_PER_USER: flag(false),
  SESSIONS_ALLOW_LOW_AAL: optional(duration(60, YEAR).optional()),
  EXTERNAL_EMAIL_ENABLED: flag(true),
  EXTERNAL_PHONE_ENABLED: flag(false),
  EXTERNAL_ANONYMOUS_USERS_ENABLED: flag(false),
  DISABLE_SIGNUP: flag(false),
  // Per visitor in 5 minutes. The limits of emails, of messages and of a visitor's anonymous accounts are per hour.
  RATE_LIMIT_EMAIL_SENT: number(2000, 1, 1_000_000),
  RATE_LIMIT_SMS_SENT: number(30, 1, 1_000_000),
  RATE_LIMIT_OTP: number(30, 1, 100_000),
  RATE_LIMIT_VERIFY: number(30, 1, 100_000),
  RATE_LIMIT_TOKEN_REFRESH: optional(z.coerce.number(RATE).int(RATE).min(1, RATE).max(100_000, RATE).optional()),
  RATE_LIMIT_SSO: number(30, 1, 100_000),
  RATE_LIMIT_WEB3: number(30, 1, 100_000),
  RATE_LIMIT_PASSKEY: number(30, 1, 100_000),
  RATE_LIMIT_ANONYMOUS_USERS: number(30, 1, 100_000),
  HSTS_INCLUDE_SUBDOMAINS: flag(false),
  MFA_REQUIRED_FOR_STAFF: flag(true),
  MFA_TOTP_ENROLL_ENABLED: flag(true),
  MFA_TOTP_VERIFY_ENABLED: flag(true),
  MFA_PHONE_ENROLL_ENABLED: flag(false),
  MFA_PHONE_VERIFY_ENABLED: flag(false),
  MFA_WEB_AUTHN_ENROLL_ENABLED: flag(true),
  MFA_WEB_AUTHN_VERIFY_ENABLED: flag(true),
  PASSKEY_ENABLED: flag(true),
  MFA_MAX_ENROLLED_FACTORS: number(10, 1, 100),
  MFA_CHALLENGE_EXPIRY_DURATION: optional(duration(300, 600).default(300)),
  EXTERNAL_WEB3_ETHEREUM_ENABLED: flag(false),
  EXTERNAL_WEB3_SOLANA_ENABLED: flag(false),
  SECURITY_MANUAL_LINKING_ENABLED: flag(false),
  EXTERNAL_FLOW_STATE_EXPIRY_DURATION: optional(duration(300, 3600).default(300)),
  URI_ALLOW_LIST: optional(
    z
      .string()
      .transform(splitTargets)
      .refine(
        (list) => list.every(isTarget),
        'origins or patterns, separated by commas, such as https://app.example.com,https://*.example.org/welcome',
      )
      .default([]),
  ),
})

export type Env = Readonly<
  Omit<z.infer<typeof settings>, 'SITE_URL' | 'API_EXTERNAL_URL' | 'PAYMENTS'> & {
    SITE_URL: string
    /** Empty: nothing is sold online. */
    PAYMENTS: readonly ('test' | 'stripe' | 'transfer')[]
    /** The public address of the auth service: the issuer of its tokens, and the base of links in emails of other programs. */
    API_EXTERNAL_URL: string
    /** The raw settings of external sign-in providers; the code of each provider reads its own. */
    external: Readonly<Record<string, string | undefined>>
  }
>

/** Reads every setting, or says in one sentence which is wrong, what it must be, and an example. */
export function readEnv(source: Record<string, string | undefined>): Env {
  // It is read once: compiling it takes longer.
  const read = settings.safeParse(source, { jitless: true })
  if (!read.success) {
    const [issue] = read.error.issues
    throw new SettingError(`${issue?.path.join('.')} must be ${issue?.message}.`)
  }
  const SITE_URL = new URL(read.data.SITE_URL ?? `http://localhost:${read.data.PORT}`).origin
  const external = Object.fromEntries(Object.entries(source).filter(isExternal))
  const isOwnMachine = isLoopback(new URL(SITE_URL).hostname)
  const PAYMENTS = (read.data.PAYMENTS ?? (isOwnMachine ? ['test' as const] : [])).filter((name) => name !== 'none')
  const env = { ...read.data, PAYMENTS, SITE_URL, API_EXTERNAL_URL: read.data.API_EXTERNAL_URL ?? `${SITE_URL}/auth/v1`, external }
  for (const refuse of refusals) {
    const sentence = refuse(env)
    if (sentence) throw new SettingError(sentence)
  }
  return env
}

/** A setting of an external sign-in provider. Their names are not known here. */
function isExternal([name, value]: [string, string | undefined]): boolean {
  return name.startsWith('EXTERNAL_') && !(name in settings.shape) && Boolean(value)
}

/** Anyone can claim an address without proof, the owner's included. */
export const AUTO_CONFIRM_IN_PUBLIC =
  'MAILER_AUTOCONFIRM must be false while HOST or SITE_URL is reachable by others and the owner is still to sign up or is named by OWNER_EMAIL, such as MAILER_AUTOCONFIRM=false.'

/** Unsafe combinations of settings. */
const refusals: ((env: Env) => string | undefined)[] = [
  ({ PAYMENTS, SITE_URL }) => {
    if (!PAYMENTS.includes('test') || isLoopback(new URL(SITE_URL).hostname)) return undefined
    return 'PAYMENTS must not be test while SITE_URL is reachable by others, such as PAYMENTS=stripe: nothing would be paid.'
  },
  ({ PAYMENTS, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET }) => {
    if (!PAYMENTS.includes('stripe')) return undefined
    if (PAYMENTS.includes('test')) return 'PAYMENTS must be test or stripe, not both, such as PAYMENTS=stripe.'
    const missing = STRIPE_SECRET_KEY ? (STRIPE_WEBHOOK_SECRET ? undefined : 'STRIPE_WEBHOOK_SECRET') : 'STRIPE_SECRET_KEY'
    return missing && `${missing} must come with PAYMENTS=stripe, such as ${missing === 'STRIPE_SECRET_KEY' ? 'sk_live_…' : 'whsec_…'}.`
  },
  ({ SELL_TO, PAYMENTS }) => {
    if (SELL_TO !== 'all' || PAYMENTS.includes('test') || PAYMENTS.includes('stripe')) return undefined
    return 'SELL_TO must not be all without a payment provider that computes the tax, such as PAYMENTS=stripe with SELL_TO=all.'
  },
  (env) => {
    if (env.RATE_LIMITS === 'on' || isLoopback(env.HOST)) return undefined
    return 'RATE_LIMITS must be on while HOST is not loopback, such as RATE_LIMITS=on.'
  },
  (env) => {
    if (!env.DATABASE_REPLICA_URL || env.DATABASE_URL) return undefined
    return 'DATABASE_REPLICA_URL must come with DATABASE_URL, such as DATABASE_URL=postgres://user:password@host:5432/winnow.'
  },
  (env) => {
    const bucket = ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
    const [set, missing] = [bucket.find((name) => env[name]), bucket.find((name) => !env[name])]
    return set && missing && `${missing} must come with ${set} and what else belongs to a bucket, such as ${bucket.join(', ')}.`
  },
  (env) => {
    const names = ['BACKUP_S3_ENDPOINT', 'BACKUP_S3_REGION', 'BACKUP_S3_ACCESS_KEY_ID', 'BACKUP_S3_SECRET_ACCESS_KEY'] as const
    const [set, missing] = [names.find((name) => env[name]), names.find((name) => !env[name])]
    return set && missing && `${missing} must come with ${set} and the others of them, such as ${names.join(', ')}.`
  },
  (env) => {
    if (Boolean(env.SUPABASE_URL) === Boolean(env.SUPABASE_PUBLISHABLE_KEY)) return undefined
    return 'SUPABASE_URL must come with SUPABASE_PUBLISHABLE_KEY, such as SUPABASE_URL=https://abcdefgh.supabase.co and SUPABASE_PUBLISHABLE_KEY=sb_publishable_….'
  },
  (env) => {
    if (!env.SUPABASE_SECRET_KEY || env.SUPABASE_URL) return undefined
    return 'SUPABASE_SECRET_KEY must come with SUPABASE_URL and SUPABASE_PUBLISHABLE_KEY, such as SUPABASE_URL=https://abcdefgh.supabase.co.'
  },
  (env) => {
    if (Boolean(env.HOOK_SEND_SMS_URI) === Boolean(env.HOOK_SEND_SMS_SECRETS)) return undefined
    return 'HOOK_SEND_SMS_URI must come with HOOK_SEND_SMS_SECRETS, such as HOOK_SEND_SMS_URI=https://sms.example.com/send and a secret that only it knows.'
  },
  (env) => {
    if (!env.EXTERNAL_PHONE_ENABLED || env.HOOK_SEND_SMS_URI || isInboxOpenFor(env)) return undefined
    return 'EXTERNAL_PHONE_ENABLED must come with HOOK_SEND_SMS_URI, such as HOOK_SEND_SMS_URI=https://sms.example.com/send: nothing else could send the messages.'
  },
  (env) => {
    if (!env.MAILER_AUTOCONFIRM || !env.OWNER_EMAIL || env.SUPABASE_URL || isLocal(env)) return undefined
    return AUTO_CONFIRM_IN_PUBLIC
  },
  (env) => {
    if (!env.SECURITY_CAPTCHA_ENABLED || (env.SECURITY_CAPTCHA_PROVIDER && env.SECURITY_CAPTCHA_SECRET)) return undefined
    return 'SECURITY_CAPTCHA_ENABLED must come with SECURITY_CAPTCHA_PROVIDER and SECURITY_CAPTCHA_SECRET, such as SECURITY_CAPTCHA_PROVIDER=turnstile.'
  },
]

/** Whether a host name or address means only this machine. */
export function isLoopback(host: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host)
}

/** An IP address, optionally with a prefix length. */
function isNetwork(entry: string): boolean {
  const [address = '', length = '0', ...rest] = entry.split('/')
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return rest.length === 0 && /^\d{1,3}$/.test(length) && Number(length) <= bits
}

/** A redirect target, with wildcards and alternatives in host and path; neither reaches into the other. */
function isTarget(entry: string): boolean {
  const [, host = '', rest = ''] =
    /^(?!javascript:|data:|vbscript:|blob:|file:)[a-z][a-z\d+.-]*:\/\/([^\s\\@#/]+)(\/[^\s\\@#]*)?$/i.exec(entry) ?? []
  return host !== '' && isBalanced(host) && isBalanced(rest)
}

/** Splits at commas, except inside braces. */
function splitTargets(list: string): string[] {
  const entries = ['']
  let depth = 0
  for (const character of list) {
    depth += Number(character === '{') - Number(character === '}')
    if (character === ',' && depth <= 0) entries.push('')
    else entries.push((entries.pop() ?? '') + character)
  }
  return entries.map((entry) => entry.trim())
}

function isBalanced(pattern: string): boolean {
  let depth = 0
  for (const character of pattern) {
    depth += Number(character === '{') - Number(character === '}')
    if (depth < 0) return false
  }
  return depth === 0
}

/** A stored number, without plus, and the code that is always right for it. */
function testCode(pair: string): [phone: string, code: string] {
  const [phone = '', code = ''] = pair.replace(/^\+/, '').split(/[:=]/)
  return [phone, code]
}

/** A literal colon has a backslash before it. */
function splitClasses(classes: string): string[] {
  return classes.split(/(?<!\\):/).map((group) => group.replaceAll('\\:', ':'))
}

function isHook(value: string): boolean {
  const url = parsedUrl(value)
  return url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)))
}

/** A mailbox with user and password, which never cross a network unencrypted. */
function isMailbox(value: string): boolean {
  const url = parsedUrl(value)
  if (!url || url.search || url.hash || !/^imaps?:$/.test(url.protocol) || !url.hostname) return false
  const parts = [url.username, url.password, url.pathname.slice(1)].map(decoded)
  // A line break would end a command to the server.
  if (!parts[0] || !parts[1] || parts.some((part) => part === undefined || /\p{Cc}/u.test(part))) return false
  return url.protocol === 'imaps:' || isLoopback(url.hostname)
}

/** Undefined for what is not percent-encoded text. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

/** Passwords and tokens travel to this address. */
function isProject(value: string): boolean {
  return isHook(value) && isOrigin(value)
}

/** A key with full access: newer ones show it in their name, older ones in their claims. */
function isSecretKey(key: string): boolean {
  if (key.startsWith('sb_')) return key.startsWith('sb_secret_')
  return /"role"\s*:\s*"(service_role|supabase_admin)"/.test(Buffer.from(key.split('.')[1] ?? '', 'base64url').toString())
}

function isService(value: string): boolean {
  const url = parsedUrl(value)
  return url !== null && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username
}

function isOrigin(value: string): boolean {
  const url = parsedUrl(value)
  return url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username
}

function parsedUrl(value: string): URL | null {
  return URL.parse(value)
}

export const env: Env = orExit(() => readEnv(process.env))

/** The result of `read`. For an invalid setting, the process ends with its sentence. */
export function orExit<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
    process.stderr.write(`${error.message}\n`)
    return process.exit(1)
  }
}

/** Whether this machine alone can reach the installation, by HOST and by SITE_URL. */
export const isLocalInstallation = isLocal(env)

/** Whether a hosted service stores the accounts. */
export const isHosted = env.SUPABASE_URL !== undefined

/** Whether emails are shown in an inbox on this machine, because there is no mail server. */
export const isInboxOpen = isInboxOpenFor(env)

function isLocal({ HOST, SITE_URL }: Env): boolean {
  return isLoopback(HOST) && isLoopback(new URL(SITE_URL).hostname)
}

function isInboxOpenFor(settled: Env): boolean {
  return isLocal(settled) && !settled.SMTP_URL
}
