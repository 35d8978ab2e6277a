import { z } from 'zod'
import { metadata, parseNewEmail, textField } from '#app/auth/http/body.server.ts'
import { phoneNumber } from '#app/auth/protocol/phone-number.ts'
import { APP_METADATA_TOO_LONG, MOST_TOKEN_PROFILE_BYTES, profileBytes } from '#app/auth/protocol/profile.ts'
import { INVALID_PHONE, refuse } from '#app/auth/protocol/refusal.ts'
import { readHash } from '#app/auth/sessions/stored-hash.server.ts'
import { durationMs } from '#app/platform/env.server.ts'
import { hashPassword } from '#app/auth/sessions/hashing.server.ts'
import { checkPasswordLength, isShortForStaff } from '#app/auth/sessions/password.server.ts'

const flag = z
  .boolean('Invalid input: expected true or false')
  .nullish()
  .transform((value) => value ?? undefined)

/** An account's data as an administrator sends it. */
export const userBody = z.object({
  id: textField,
  email: textField,
  phone: textField,
  password: textField,
  password_hash: textField,
  email_confirm: flag,
  phone_confirm: flag,
  user_metadata: metadata,
  app_metadata: metadata,
  role: textField,
  ban_duration: textField,
})

export type UserBody = z.infer<typeof userBody>

const phone = phoneNumber(INVALID_PHONE)

export function readNewPhone(written: string): string {
  const read = phone.safeParse(written)
  if (!read.success) refuse('validation_failed', { sentence: INVALID_PHONE })
  return read.data
}

/** Checks that need no database. */
export function readUserBody(body: UserBody) {
  const { email, phone: written, password, password_hash: hash, role, ban_duration: ban, app_metadata: appMetadata } = body
  if (password && hash) refuse('validation_failed', { sentence: 'Only a password or a password hash should be provided' })
  if (hash && !readHash(hash)) refuse('validation_failed', { sentence: 'The password hash has an unsupported format' })
  if (role && role.length > 255) refuse('validation_failed', { sentence: 'The role is too long' })
  // App metadata holds the role, so every access token contains it.
  if (profileBytes(appMetadata) > MOST_TOKEN_PROFILE_BYTES) refuse('validation_failed', { sentence: APP_METADATA_TOO_LONG })
  return {
    email: email && parseNewEmail(email),
    phone: written && readNewPhone(written),
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

/** The end of a ban; null for none. */
function readBan(text: string): Date | null {
  if (text === 'none') return null
  const ms = durationMs(text)
  if (ms === undefined) refuse('validation_failed', { sentence: `invalid format for ban duration: ${JSON.stringify(text.slice(0, 50))}` })
  return new Date(Date.now() + ms)
}

/** The requested id of a new account. */
export function readNewId(id: string | undefined): string | undefined {
  if (id === undefined) return undefined
  const known = z.uuid().safeParse(id)
  if (!known.success || /^[0-]+$/.test(id)) refuse('validation_failed', { sentence: 'ID must be a UUID that is not nil' })
  return known.data.toLowerCase()
}

type Given = { password: string | undefined; importedHash: string | undefined }

/** Hashes an administrator's password, or passes on an imported hash. The length of an imported one is unknown until its next use. */
export async function hashGiven({ password, importedHash }: Given): Promise<{ passwordHash: string | undefined; passwordShort: boolean }> {
  if (!password) return { passwordHash: importedHash, passwordShort: false }
  checkPasswordLength(password)
  return { passwordHash: await hashPassword(password), passwordShort: isShortForStaff(password) }
}
