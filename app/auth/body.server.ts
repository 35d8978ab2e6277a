import { z } from 'zod'
import { emailAddress } from '#app/identity/email-address.ts'
import { INVALID_EMAIL, refuse } from '#app/identity/refusal.ts'
import { allowedTarget } from '#app/identity/redirect-target.server.ts'
import { MOST_PROFILE_BYTES, PROFILE_TOO_LONG, profileBytes } from '#app/identity/profile.ts'
import type { StopKind } from '#app/platform/stop.ts'
import type { Visit } from '#app/platform/visit.server.ts'

const address = emailAddress(INVALID_EMAIL)

/** For clients of the protocol null, an empty text and nothing at all mean the same. */
export const text = z
  .string('Invalid input: expected a text')
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

export const redirectQuery = z.object({ redirect_to: text })

/** Where the link of a letter may lead to in the end: what the client wishes, if it is allowed. */
export function wishedTarget({ query, headers }: { query: z.infer<typeof redirectQuery>; headers: Visit['headers'] }): string | undefined {
  return allowedTarget(query.redirect_to ?? headers['redirect_to']?.toString())
}

/** The e-mail address of a request that must name exactly one address; phone numbers are not served yet. */
export function onlyEmail({ email, phone }: { email?: string | undefined; phone?: string | undefined }): string {
  if (email && phone) refuse('validation_failed', { sentence: 'Only an email address or phone number should be provided' })
  if (phone) refuse('phone_provider_disabled')
  if (!email) refuse('validation_failed', { sentence: 'An email address is required' })
  return readEmail(email)
}
