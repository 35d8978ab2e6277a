import { z } from 'zod'
import { metadata, readEmail, text } from '#app/auth/body.server.ts'
import { phoneNumber } from '#app/auth-protocol/phone-number.ts'
import { APP_METADATA_TOO_LONG, MOST_TOKEN_PROFILE_BYTES, profileBytes } from '#app/auth-protocol/profile.ts'
import { INVALID_PHONE, refuse } from '#app/auth-protocol/refusal.ts'
import { readHash } from '#app/password/stored-hash.server.ts'
import { durationMs } from '#app/platform/env.server.ts'

const flag = z
  .boolean('Invalid input: expected true or false')
  .nullish()
  .transform((value) => value ?? undefined)

/** What an administrator says of an account. */
export const userBody = z.object({
  id: text,
  email: text,
  phone: text,
  password: text,
  password_hash: text,
  email_confirm: flag,
  phone_confirm: flag,
  user_metadata: metadata,
  app_metadata: metadata,
  role: text,
  ban_duration: text,
})

export type UserBody = z.infer<typeof userBody>

const phone = phoneNumber(INVALID_PHONE)

/** A phone number in the form in which we keep it. */
export function readPhone(written: string): string {
  const read = phone.safeParse(written)
  if (!read.success) refuse('validation_failed', { sentence: INVALID_PHONE })
  return read.data
}

/** What of it needs no look into the database. */
export function readUserBody(body: UserBody) {
  const { email, phone: written, password, password_hash: hash, role, ban_duration: ban, app_metadata: appMetadata } = body
  if (password && hash) refuse('validation_failed', { sentence: 'Only a password or a password hash should be provided' })
  if (hash && !readHash(hash)) refuse('validation_failed', { sentence: 'The password hash is of no kind that can be imported' })
  if (role && role.length > 255) refuse('validation_failed', { sentence: 'The role is too long' })
  // It holds the role, so every access token carries it.
  if (profileBytes(appMetadata) > MOST_TOKEN_PROFILE_BYTES) refuse('validation_failed', { sentence: APP_METADATA_TOO_LONG })
  return {
    email: email && readEmail(email),
    phone: written && readPhone(written),
    password,
    importedHash: hash,
    emailConfirm: body.email_confirm ?? false,
    phoneConfirm: body.phone_confirm ?? false,
    userMetadata: body.user_metadata,
    appMetadata,
    tokenRole: role,
    bannedUntil: ban === undefined ? undefined : readBan(ban),
  }
}

/** When a ban ends; null where there is none. */
function readBan(text: string): Date | null {
  if (text === 'none') return null
  const ms = durationMs(text)
  if (ms === undefined) refuse('validation_failed', { sentence: `invalid format for ban duration: ${JSON.stringify(text.slice(0, 50))}` })
  return new Date(Date.now() + ms)
}

/** The id of a new account, where the caller wants a certain one. */
export function readNewId(id: string | undefined): string | undefined {
  if (id === undefined) return undefined
  const known = z.uuid().safeParse(id)
  if (!known.success || /^[0-]+$/.test(id)) refuse('validation_failed', { sentence: 'ID must be a UUID that is not nil' })
  return known.data.toLowerCase()
}
