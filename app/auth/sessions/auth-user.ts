import { z } from 'zod/mini'

const time = z.string()
const record = z.record(z.string(), z.unknown())

export const authIdentity = z.object({
  identity_id: z.string(),
  id: z.string(),
  user_id: z.string(),
  identity_data: record,
  provider: z.string(),
  last_sign_in_at: z.nullable(time),
  created_at: time,
  updated_at: time,
  email: z.optional(z.string()),
})

export const authFactor = z.object({
  id: z.string(),
  created_at: time,
  updated_at: time,
  status: z.enum(['unverified', 'verified']),
  friendly_name: z.optional(z.string()),
  factor_type: z.enum(['totp', 'phone', 'webauthn']),
  phone: z.nullable(z.string()),
  last_challenged_at: z.nullable(time),
})

/** A user as the auth protocol shows them. Times that are not set are left out. */
export const authUser = z.object({
  id: z.string(),
  aud: z.string(),
  role: z.string(),
  email: z.string(),
  email_confirmed_at: z.optional(time),
  invited_at: z.optional(time),
  phone: z.string(),
  phone_confirmed_at: z.optional(time),
  confirmation_sent_at: z.optional(time),
  confirmed_at: z.optional(time),
  recovery_sent_at: z.optional(time),
  new_email: z.optional(z.string()),
  email_change_sent_at: z.optional(time),
  new_phone: z.optional(z.string()),
  phone_change_sent_at: z.optional(time),
  reauthentication_sent_at: z.optional(time),
  last_sign_in_at: z.optional(time),
  app_metadata: record,
  user_metadata: record,
  factors: z.optional(z.array(authFactor)),
  identities: z.array(authIdentity),
  created_at: time,
  updated_at: time,
  banned_until: z.optional(time),
  deleted_at: z.optional(time),
  is_anonymous: z.boolean(),
})

/** The response to a sign-in. */
export const sessionAnswer = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.int(),
  expires_at: z.int(),
  refresh_token: z.string(),
  user: authUser,
  /** Tokens for the API of the provider that the user signed in with. */
  provider_token: z.optional(z.string()),
  provider_refresh_token: z.optional(z.string()),
  weak_password: z.optional(z.object({ message: z.string(), reasons: z.array(z.string()) })),
})

export type AuthFactor = z.infer<typeof authFactor>
export type AuthUser = z.infer<typeof authUser>
export type SessionAnswer = z.infer<typeof sessionAnswer>
