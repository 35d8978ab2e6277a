import { z } from 'zod'
import { emailAddress, newEmailAddress } from '#app/auth/protocol/email-address.ts'
import type { ProvenContact } from '#app/auth/users/new-user.server.ts'
import { phoneNumber } from '#app/auth/protocol/phone-number.ts'
import { INVALID_EMAIL, INVALID_PHONE, refuse } from '#app/auth/protocol/refusal.ts'
import { allowedTarget } from '#app/auth/protocol/redirect-target.server.ts'
import { MOST_PROFILE_BYTES, PROFILE_TOO_LONG, profileBytes } from '#app/auth/protocol/profile.ts'
import { env } from '#app/platform/env.server.ts'
import type { StopKind } from '#app/platform/errors/stop.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import type { FlowProof } from '#app/auth/sessions/flow-state.server.ts'

const address = emailAddress(INVALID_EMAIL)
const newAddress = newEmailAddress(INVALID_EMAIL)
const number = phoneNumber(INVALID_PHONE)

/** Clients treat null, an empty text and a missing field the same. The database stores neither NUL nor lone surrogates. */
export const textField = z
  .string('Invalid input: expected a string')
  .refine((value) => value.isWellFormed() && !value.includes('\0'), 'Text cannot contain NUL or half a character')
  .nullish()
  .transform((value) => value || undefined)

/** JSON escapes that PostgreSQL cannot store: NUL and lone surrogates. */
const UNKEEPABLE = /\\u(0000|d[89a-f]\w\w)/

/** User metadata, set by the users themselves. */
export const metadata = z
  .record(z.string(), z.unknown(), 'Invalid input: expected an object')
  .nullish()
  .transform((value) => value ?? {})
  .refine((value) => profileBytes(value) <= MOST_PROFILE_BYTES, PROFILE_TOO_LONG)
  .refine((value) => !UNKEEPABLE.test(JSON.stringify(value)), 'User metadata cannot contain NUL or half a character')

/** Normalizes an email address as it is stored. */
export function parseEmail(email: string, kind?: StopKind, rule = address): string {
  const read = rule.safeParse(email)
  if (!read.success) refuse('validation_failed', { sentence: read.error.issues[0]?.message ?? INVALID_EMAIL, ...(kind && { kind }) })
  return read.data
}

/** The same for an address that an account is to have from now on. */
export const parseNewEmail = (email: string) => parseEmail(email, undefined, newAddress)

/** Normalizes a phone number as it is stored. */
export function readPhone(phone: string): string {
  const read = number.safeParse(phone)
  if (!read.success) refuse('validation_failed', { sentence: INVALID_PHONE })
  return read.data
}

export const redirectQuery = z.object({ redirect_to: textField })

/**
 * Where an email link leads in the end: the client's `redirect_to`, else the page that asked, if allowed.
 * Our own pages are not a target: they have pages of their own for emails.
 */
export function wishedTarget({
  query,
  headers,
}: {
  query: z.infer<typeof redirectQuery>
  headers: RequestContext['headers']
}): string | undefined {
  return allowedTarget(query.redirect_to ?? headers['redirect_to']?.toString()) ?? foreignPage(headers['referer']?.toString())
}

function foreignPage(referer: string | undefined): string | undefined {
  const page = allowedTarget(referer)
  return page && new URL(page).origin !== env.SITE_URL ? page : undefined
}

/** The one address of a request: an email address or a phone number. */
export function onlyAddress({ email, phone }: { email?: string | undefined; phone?: string | undefined }): ProvenContact {
  if (email && phone) refuse('validation_failed', { sentence: 'Only an email address or phone number should be provided' })
  if (phone) return { phone: readPhone(phone) }
  if (!email) refuse('validation_failed', { sentence: 'An email address or a phone number is required' })
  return { email: parseEmail(email) }
}

/** Like `onlyAddress`, for emails alone. */
export function onlyEmail({ email }: { email?: string | undefined }): string {
  if (!email) refuse('validation_failed', { sentence: 'An email address is required' })
  return parseEmail(email)
}

export const channel = z
  .enum(['sms', 'whatsapp'], 'Invalid channel, supported values are sms and whatsapp')
  .or(z.literal(''))
  .nullish()
  .transform((value) => value || undefined)

export const proofFields = { code_challenge: textField, code_challenge_method: textField }

/** The PKCE challenge of a flow. Without one, the session comes with the response itself. */
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
  return { challenge, method } satisfies FlowProof
}

/** The captcha token of the person at the client. */
export const metaSecurity = z.object({ captcha_token: textField }).nullish()
