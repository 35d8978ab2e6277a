import { MOST_PROFILE_BYTES, profileBytes } from '#app/auth/protocol/profile.ts'
import { profileOf } from '#app/auth/users/new-user.server.ts'
import { isProven } from '#app/auth/users/proven.server.ts'
import { keepIdentity, type OwnProvider, withProvider } from '#app/auth/users/user-identity.server.ts'
import type { Metadata, User } from '#app/auth/users/user.server.ts'
import type { Brought, BroughtIdentity } from '#app/auth/tokens/brought.server.ts'
import { insert, type Trx } from '#app/platform/database/db.server.ts'
import { endOtherSessions } from '#app/auth/sessions/session.server.ts'

/** Tables with data that only a user from before the first proof can have created. */
const LEFT_BEHIND = [
  'mfaFactors',
  'webauthnCredentials',
  'recoveryCodes',
  'apiKeys',
  'avatars',
  'accountDeletions',
  'productRequests',
  'entitlements',
  'savedQueries',
  'pastQueries',
] as const

/**
 * Resets an account before the first proof of its address, and sets the data of the sign-up that is proven. Settings of a possible stranger
 * are removed; those of an administrator stay. `keepsOther`: an assumed address of the other kind stays too. The caller has to lock the
 * user's row.
 */
export async function startOver(
  trx: Trx,
  user: User,
  own: OwnProvider,
  parcel: Brought | undefined,
  { keepsOther = false } = {},
): Promise<User> {
  await endOtherSessions(trx, user.id, undefined)
  for (const table of LEFT_BEHIND) await trx.deleteFrom(table).where('userId', '=', user.id).execute()
  await dropIdentities(trx, user, parcel?.identity)
  const userMetadata = profileAfter(user, own, parcel)
  const changed = await trx
    .updateTable('users')
    .set({
      ...passwordOf(parcel),
      ...(isAssumed(user) && !keepsOther && otherAddressGone(own)),
      newEmail: null,
      newPhone: null,
      userMetadata: JSON.stringify(userMetadata),
      updatedAt: new Date(),
    })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (parcel?.identity) await attachIdentity(trx, user, parcel.identity)
  else await keepIdentity(trx, user.id, own, identityAfter(user, own, parcel))
  const other = own === 'email' ? 'phone' : 'email'
  if (keepsOther && user[other]) await keepIdentity(trx, user.id, other, { [other]: user[other], [`${other}_verified`]: false })
  return nameProviders(trx, changed)
}

/** Adds an account at another service as a sign-in method. `user` is the account before this change. */
export async function attachIdentity(trx: Trx, user: User, { provider, subject, email, data }: BroughtIdentity): Promise<void> {
  await insert(trx, 'identities', {
    userId: user.id,
    provider,
    providerId: subject,
    email: email ?? null,
    identityData: JSON.stringify(data),
    lastSignInAt: new Date(),
    joinedUnproven: !isProven(user) && !vouchesFor(user, email, data),
  })
}

/** Whether the other service has verified this same address. */
function vouchesFor(user: User, email: string | undefined, data: Metadata): boolean {
  return data['email_verified'] === true && email !== undefined && email.toLowerCase() === user.email?.toLowerCase()
}

/** Every access token carries this data, so data that is too large is reduced to the required fields. */
export function metadataOf({ data }: { data: Metadata }): Metadata {
  if (profileBytes(data) <= MOST_PROFILE_BYTES) return data
  const { sub, email, email_verified, phone_verified } = data
  return { sub, email, email_verified, phone_verified }
}

/** An auto-confirmed account could be used and changed by anyone who created it. */
export function isAssumed({ emailAssumed, phoneAssumed }: User): boolean {
  return emailAssumed || phoneAssumed
}

function passwordOf(parcel: Brought | undefined): Pick<User, 'passwordHash' | 'passwordShort'> {
  return { passwordHash: parcel?.passwordHash ?? null, passwordShort: parcel?.passwordShort ?? false }
}

function otherAddressGone(own: OwnProvider) {
  return own === 'email'
    ? { phone: null, phoneConfirmedAt: null, phoneAssumed: false }
    : { email: null, emailConfirmedAt: null, emailAssumed: false }
}

/** A sign-up by another service removes all identities. Otherwise an address from an administrator stays, unless it was auto-confirmed. */
async function dropIdentities(trx: Trx, user: User, identity: BroughtIdentity | undefined): Promise<void> {
  const all = trx.deleteFrom('identities').where('userId', '=', user.id)
  await (identity || isAssumed(user) ? all : all.where('provider', 'not in', ['email', 'phone'])).execute()
}

function profileAfter(user: User, own: OwnProvider, parcel: Brought | undefined): Metadata {
  const { id, email, phone } = user
  if (parcel?.identity) return metadataOf(parcel.identity)
  const address = own === 'email' ? { email: email ?? '' } : { phone: phone ?? '' }
  if (isAssumed(user)) return profileOf(id, address, parcel?.data ?? {}, false)
  if (!parcel) return user.userMetadata
  const merged = profileOf(id, address, { ...user.userMetadata, ...parcel.data }, false)
  return profileBytes(merged) <= MOST_PROFILE_BYTES ? merged : profileOf(id, address, parcel.data, false)
}

/** The profile of a sign-up must not contain an address of the other kind: it would count as the account's own. */
function identityAfter({ id, email, phone }: User, own: OwnProvider, parcel: Brought | undefined): Metadata {
  const { email: _email, phone: _phone, ...data } = parcel?.data ?? {}
  return profileOf(id, own === 'email' ? { email: email ?? '' } : { phone: phone ?? '' }, data, false)
}

/** Lists the sign-in methods in `app_metadata`. */
export async function nameProviders(trx: Trx, user: User): Promise<User> {
  const rows = await trx
    .selectFrom('identities')
    .select('provider')
    .where('userId', '=', user.id)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  const { provider: _first, providers: _all, ...kept } = user.appMetadata
  const named = rows.reduce<Metadata>((before, { provider }) => withProvider(before, provider), kept)
  return trx
    .updateTable('users')
    .set({ appMetadata: JSON.stringify(named) })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
