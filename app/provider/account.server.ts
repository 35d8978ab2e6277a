import { audit } from '#app/identity/audit.server.ts'
import { voidTokens } from '#app/one-time-token/one-time-token.server.ts'
import { claimOwnership } from '#app/identity/owner.server.ts'
import { MOST_PROFILE_BYTES, profileBytes } from '#app/auth-protocol/profile.ts'
import { withProvider } from '#app/identity/user-identity.server.ts'
import { findUserByEmail, lockUser, type Metadata, type User } from '#app/identity/user.server.ts'
import { post } from '#app/mail/outbox.server.ts'
import { breaks } from '#app/platform/database-error.ts'
import { insert, transaction, type Trx } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { endOtherSessions, isBanned } from '#app/session/session.server.ts'
import { identityLetter } from './identity.email.tsx'
import type { Profile } from './profile.server.ts'

/** Someone as another service knows them: `subject` is their name there, and only there. */
export type External = Profile & { provider: string; needsEmail: boolean }

/** Whose account it is, or why nobody is let in. `provider_email_needs_verification`: a letter to the address has to be followed first. */
export type Entered = User | 'user_banned' | 'signup_disabled' | 'email_missing' | 'provider_email_needs_verification'

/**
 * Finds or makes the account of someone whom another service knows. A known identity is its user; an address that is proven there and here
 * joins the two; anyone else is new. What the answer refuses is kept all the same: it can be an account whose address has to be confirmed.
 */
export async function enterAs<T>(external: External, go: (trx: Trx, entered: Entered) => Promise<T>): Promise<T> {
  const work = () => transaction(async (trx) => go(trx, await enter(trx, external)))
  try {
    return await work()
  } catch (error) {
    if (!breaks(error)) throw error
    // Someone has just made the same one: now it is known.
    return work()
  }
}

async function enter(trx: Trx, external: External): Promise<Entered> {
  const { provider, subject, email, emailVerified } = external
  const known = await trx
    .selectFrom('identities')
    .selectAll()
    .where('provider', '=', provider)
    .where('providerId', '=', subject)
    .executeTakeFirst()
  if (known) return welcome(trx, await lockUser(trx, known.userId), external)
  if (!email && external.needsEmail) return 'email_missing'
  const sameEmail = email ? await findUserByEmail(trx, email) : undefined
  if (!sameEmail) return env.DISABLE_SIGNUP ? 'signup_disabled' : createFrom(trx, external)
  // Whose address is not proven there may be anyone.
  if (!emailVerified) return 'provider_email_needs_verification'
  return join(trx, await lockUser(trx, sameEmail.id), external)
}

async function welcome(trx: Trx, user: User, external: External): Promise<Entered> {
  if (isBanned(user)) return 'user_banned'
  await trx
    .updateTable('identities')
    .set({ identityData: JSON.stringify(external.data), email: external.email ?? null, updatedAt: new Date() })
    .where('provider', '=', external.provider)
    .where('providerId', '=', external.subject)
    .execute()
  if (!user.email || user.emailConfirmedAt) return user
  if (!external.emailVerified || external.email !== user.email.toLowerCase()) return 'provider_email_needs_verification'
  return confirm(trx, user)
}

/** The address is proven on both sides, or is now: then whoever else had got ready to use it is shut out. */
async function join(trx: Trx, user: User, external: External): Promise<Entered> {
  if (isBanned(user)) return 'user_banned'
  if (user.emailConfirmedAt) return addIdentity(trx, user, external)
  await trx.deleteFrom('identities').where('userId', '=', user.id).execute()
  await trx.deleteFrom('mfaFactors').where('userId', '=', user.id).execute()
  await endOtherSessions(trx, user.id, undefined)
  await attach(trx, user.id, external)
  const { provider: _provider, providers: _providers, ...kept } = user.appMetadata
  const columns = { passwordHash: null, passwordShort: false, userMetadata: JSON.stringify(metadataOf(external)) }
  const cleared = await update(trx, user.id, { ...columns, appMetadata: JSON.stringify(withProvider(kept, external.provider)) })
  return confirm(trx, cleared)
}

/** Adds a way to sign in to an account, and tells its holder. */
export async function addIdentity(trx: Trx, user: User, external: External): Promise<User> {
  await attach(trx, user.id, external)
  const userMetadata = JSON.stringify(withoutClash({ ...metadataOf(external), ...user.userMetadata }, user.userMetadata))
  const appMetadata = JSON.stringify(withProvider(user.appMetadata, external.provider))
  await audit(trx, 'identity_linked', { actorId: user.id, subjectId: user.id, detail: { provider: external.provider } })
  if (user.email) await post(trx, identityLetter(user.email, { at: new Date().toISOString(), provider: external.provider, isAdded: true }))
  return update(trx, user.id, { userMetadata, appMetadata })
}

async function createFrom(trx: Trx, external: External): Promise<Entered> {
  const { provider, email, emailVerified } = external
  const isConfirmed = emailVerified || env.MAILER_AUTOCONFIRM
  const now = new Date()
  const user = await insert(trx, 'users', {
    email: email ?? null,
    emailConfirmedAt: email && isConfirmed ? now : null,
    confirmationSentAt: email && !isConfirmed ? now : null,
    appMetadata: JSON.stringify(withProvider({}, provider)),
    userMetadata: JSON.stringify(metadataOf(external)),
  })
  await attach(trx, user.id, external)
  await audit(trx, 'user_signedup', { actorId: user.id, subjectId: user.id, detail: { provider } })
  if (email && !isConfirmed) return 'provider_email_needs_verification'
  return email && (await claimOwnership(trx, user)) ? lockUser(trx, user.id) : user
}

async function confirm(trx: Trx, user: User): Promise<User> {
  await voidTokens(trx, user.id)
  const confirmed = await update(trx, user.id, { emailConfirmedAt: new Date() })
  await audit(trx, 'user_confirmed', { actorId: user.id, subjectId: user.id })
  return (await claimOwnership(trx, confirmed)) ? lockUser(trx, user.id) : confirmed
}

async function attach(trx: Trx, userId: string, { provider, subject, email, data }: External): Promise<void> {
  const identityData = JSON.stringify(data)
  await insert(trx, 'identities', { userId, provider, providerId: subject, email: email ?? null, identityData, lastSignInAt: new Date() })
}

type Columns = { passwordHash?: null; passwordShort?: boolean; userMetadata?: string; appMetadata?: string; emailConfirmedAt?: Date }

function update(trx: Trx, id: string, columns: Columns): Promise<User> {
  return trx
    .updateTable('users')
    .set({ ...columns, updatedAt: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** What another service says about someone travels in each access token: when it is too much, the needful remains. */
function metadataOf({ data }: External): Metadata {
  if (profileBytes(data) <= MOST_PROFILE_BYTES) return data
  const { sub, email, email_verified, phone_verified } = data
  return { sub, email, email_verified, phone_verified }
}

function withoutClash(merged: Metadata, before: Metadata): Metadata {
  return profileBytes(merged) <= MOST_PROFILE_BYTES ? merged : before
}
