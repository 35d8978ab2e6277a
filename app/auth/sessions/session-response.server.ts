import { db } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Row } from '#db/tables.ts'
import { signAccessToken } from './jwt.server.ts'
import type { AuthFactor, AuthUser, SessionAnswer } from './auth-user.ts'
import type { OpenSession } from './session.server.ts'
import { type Factor, listFactors } from './user-factors.server.ts'
import { listIdentities, type User } from '#app/auth/users/user.server.ts'

/** A session as the auth protocol returns it, with a new access token. */
export async function toSessionAnswer({ user, session, refreshToken }: OpenSession): Promise<SessionAnswer> {
  const [{ token, expiresAt }, described] = await Promise.all([signAccessToken(user, session), describeUser(user)])
  return {
    access_token: token,
    token_type: 'bearer',
    expires_in: env.JWT_EXP,
    expires_at: expiresAt,
    refresh_token: refreshToken,
    user: described,
  }
}

/** A user with their sign-in methods and second factors, as the auth protocol returns them. */
export async function describeUser(user: User): Promise<AuthUser> {
  const [identities, factors] = await Promise.all([listIdentities(db, user.id), listFactors(db, user.id)])
  return toAuthUser(user, identities, factors)
}

/** The same from loaded rows. */
export function toAuthUser(user: User, identities: Row<'identities'>[], factors: Factor[] = []): AuthUser {
  return {
    id: user.id,
    aud: env.JWT_AUD,
    role: user.tokenRole,
    email: user.email ?? '',
    phone: user.phone ?? '',
    ...present({
      email_confirmed_at: user.emailConfirmedAt,
      phone_confirmed_at: user.phoneConfirmedAt,
      confirmed_at: earlier(user.emailConfirmedAt, user.phoneConfirmedAt),
      invited_at: user.invitedAt,
      confirmation_sent_at: user.confirmationSentAt,
      recovery_sent_at: user.recoverySentAt,
      email_change_sent_at: user.emailChangeSentAt,
      phone_change_sent_at: user.phoneChangeSentAt,
      reauthentication_sent_at: user.reauthenticationSentAt,
      last_sign_in_at: user.lastSignInAt,
      banned_until: user.bannedUntil,
      deleted_at: user.deletedAt,
    }),
    ...(user.newEmail && { new_email: user.newEmail }),
    ...(user.newPhone && { new_phone: user.newPhone }),
    app_metadata: user.appMetadata,
    user_metadata: user.userMetadata,
    ...(factors.length > 0 && { factors: factors.map(toAuthFactor) }),
    identities: identities.map(toAuthIdentity),
    created_at: user.createdAt.toISOString(),
    updated_at: user.updatedAt.toISOString(),
    is_anonymous: user.isAnonymous,
  }
}

export function toAuthIdentity(identity: Row<'identities'>): AuthUser['identities'][number] {
  return {
    identity_id: identity.id,
    id: identity.providerId,
    user_id: identity.userId,
    identity_data: identity.identityData,
    provider: identity.provider,
    last_sign_in_at: identity.lastSignInAt?.toISOString() ?? null,
    created_at: identity.createdAt.toISOString(),
    updated_at: identity.updatedAt.toISOString(),
    ...(identity.email && { email: identity.email }),
  }
}

/** Leaves the secret out. */
export function toAuthFactor(factor: Factor): AuthFactor {
  return {
    id: factor.id,
    created_at: factor.createdAt.toISOString(),
    updated_at: factor.updatedAt.toISOString(),
    status: factor.status,
    ...(factor.friendlyName && { friendly_name: factor.friendlyName }),
    factor_type: factor.factorType,
    phone: factor.phone,
    last_challenged_at: factor.lastChallengedAt?.toISOString() ?? null,
  }
}

/** Leaves out times that are not set. */
function present<Key extends string>(times: Record<Key, Date | null>): { [K in Key]?: string } {
  const known: { [K in Key]?: string } = {}
  for (const key in times) {
    const time = times[key]
    if (time) known[key] = time.toISOString()
  }
  return known
}

function earlier(first: Date | null, second: Date | null): Date | null {
  if (!first || !second) return first ?? second
  return first < second ? first : second
}
