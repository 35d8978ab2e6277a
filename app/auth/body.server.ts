import { z } from 'zod'
import { emailAddress } from '#app/auth-protocol/email-address.ts'
import type { Address } from '#app/identity/new-user.server.ts'
import { phoneNumber } from '#app/auth-protocol/phone-number.ts'
import { INVALID_EMAIL, INVALID_PHONE, refuse } from '#app/auth-protocol/refusal.ts'
import { allowedTarget } from '#app/auth-protocol/redirect-target.server.ts'
import { MOST_PROFILE_BYTES, PROFILE_TOO_LONG, profileBytes } from '#app/auth-protocol/profile.ts'
import { env } from '#app/platform/env.server.ts'
import type { StopKind } from '#app/platform/stop.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import type { Proof } from '#app/session/flow-state.server.ts'

const address = emailAddress(INVALID_EMAIL)
const number = phoneNumber(INVALID_PHONE)

/** For clients of the protocol null, an empty text and nothing at all mean the same. The database keeps neither NUL nor half a character. */
export const text = z
  .string('Invalid input: expected a text')
  .refine((value) => value.isWellFormed() && !value.includes('\0'), 'A text cannot hold NUL or half a character')
  .nullish()
  .transform((value) => value || undefined)

/** What PostgreSQL cannot keep in JSON, as JSON writes it. */
const UNKEEPABLE = /\\u(0000|d[89a-f]\w\w)/

/** What users say about themselves. */
export const metadata = z
  .record(z.string(), z.unknown(), 'Invalid input: expected an object')
  .nullish()
  .transform((value) => value ?? {})
  .refine((value) => profileBytes(value) <= MOST_PROFILE_BYTES, PROFILE_TOO_LONG)
  .refine((value) => !UNKEEPABLE.test(JSON.stringify(value)), 'User metadata cannot hold NUL or half a character')

/** An e-mail address in the form in which we keep it. */
export function readEmail(email: string, kind?: StopKind): string {
  const read = address.safeParse(email)
  if (!read.success) refuse('validation_failed', { sentence: INVALID_EMAIL, ...(kind && { kind }) })
  return read.data
}

/** A number of a phone in the form in which we keep it. */
export function readPhone(phone: string): string {
  const read = number.safeParse(phone)
  if (!read.success) refuse('validation_failed', { sentence: INVALID_PHONE })
  return read.data
}

export const redirectQuery = z.object({ redirect_to: text })

/**
 * Where the link of a letter may lead to in the end: what the client wishes, else the page that it asked from, if they are allowed. Our own
 * pages are no wish: they have pages of their own for letters.
 */
export function wishedTarget({ query, headers }: { query: z.infer<typeof redirectQuery>; headers: Visit['headers'] }): string | undefined {
  return allowedTarget(query.redirect_to ?? headers['redirect_to']?.toString()) ?? foreignPage(headers['referer']?.toString())
}

function foreignPage(referer: string | undefined): string | undefined {
  const page = allowedTarget(referer)
  return page && new URL(page).origin !== env.SITE_URL ? page : undefined
}

/** The address of a request that must name exactly one: an e-mail address or the number of a phone. */
export function onlyAddress({ email, phone }: { email?: string | undefined; phone?: string | undefined }): Address {
  if (email && phone) refuse('validation_failed', { sentence: 'Only an email address or phone number should be provided' })
  if (phone) return { phone: readPhone(phone) }
  if (!email) refuse('validation_failed', { sentence: 'An email address or a phone number is required' })
  return { email: readEmail(email) }
}

/** The same where only an e-mail address will do. */
export function onlyEmail({ email }: { email?: string | undefined }): string {
  if (!email) refuse('validation_failed', { sentence: 'An email address is required' })
  return readEmail(email)
}

/** How a message reaches a phone. */
export const channel = z
  .enum(['sms', 'whatsapp'], 'Invalid channel, supported values are sms and whatsapp')
  .or(z.literal(''))
  .nullish()
  .transform((value) => value || undefined)

export const proofFields = { code_challenge: text, code_challenge_method: text }

/** The key of a flow, both parts or neither: without one the session comes with the answer itself. */
export function readProof({
  code_challenge: challenge,
  code_challenge_method: named,
}: { [Key in keyof typeof proofFields]?: string | undefined }) {
  const method = named?.toLowerCase()
  if (!challenge && !method) return undefined
  if (!challenge || !method) refuse('validation_failed', { sentence: 'PKCE flow requires code_challenge_method and code_challenge' })
  if (method !== 's256' && method !== 'plain') refuse('validation_failed', { sentence: 'code challenge method is not supported' })
  if (!/^[\w.~-]{43,128}$/.test(challenge)) {
    refuse('validation_failed', { sentence: 'code challenge has to be between 43 and 128 characters of letters, digits, . _ ~ and -' })
  }
  return { challenge, method } satisfies Proof
}

/** What a client says about whoever sits before it. */
export const metaSecurity = z.object({ captcha_token: text }).nullish()
