import { MOST_PROFILE_BYTES, profileBytes } from '#app/auth-protocol/profile.ts'
import { profileOf } from '#app/identity/new-user.server.ts'
import { keepIdentity, type OwnProvider, withProvider } from '#app/identity/user-identity.server.ts'
import type { Metadata, User } from '#app/identity/user.server.ts'
import type { Brought, BroughtIdentity } from '#app/one-time-token/brought.server.ts'
import { insert, type Trx } from '#app/platform/db.server.ts'
import { endOtherSessions } from '#app/session/session.server.ts'

/** What only whoever used the account before its address was proven can have left there. */
const LEFT_BEHIND = [
  'mfaFactors',
  'webauthnCredentials',
  'recoveryCodes',
  'apiKeys',
  'avatars',
  'accountDeletions',
  'productRequests',
  'entitlements',
] as const

/**
 * Empties an account whose address is about to be proven for the first time, and installs what the proof itself has brought: nothing that somebody else
 * had set up stays. What an administrator said of the account does. The user's row has to be locked.
 */
export async function startOver(trx: Trx, user: User, own: OwnProvider, parcel: Brought | undefined): Promise<User> {
  await endOtherSessions(trx, user.id, undefined)
  for (const table of LEFT_BEHIND) await trx.deleteFrom(table).where('userId', '=', user.id).execute()
  // A code that a provider's flow has left is a session that only waits to be fetched.
  await trx.deleteFrom('flowStates').where('userId', '=', user.id).where('codeIssuedAt', 'is not', null).execute()
  await dropIdentities(trx, user, parcel?.identity)
  const userMetadata = profileAfter(user, own, parcel)
  const changed = await trx
    .updateTable('users')
    .set({
      ...passwordOf(parcel),
      ...(isAssumed(user) && otherAddressGone(own)),
      newEmail: null,
      newPhone: null,
      userMetadata: JSON.stringify(userMetadata),
      updatedAt: new Date(),
    })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (parcel?.identity) await attachIdentity(trx, user.id, parcel.identity)
  else await keepIdentity(trx, user.id, own, identityAfter(user, own, parcel))
  return nameProviders(trx, changed)
}

/** Adds an account at another service to the ways to sign in. */
export async function attachIdentity(trx: Trx, userId: string, { provider, subject, email, data }: BroughtIdentity): Promise<void> {
  const identityData = JSON.stringify(data)
  await insert(trx, 'identities', { userId, provider, providerId: subject, email: email ?? null, identityData, lastSignInAt: new Date() })
}

/** What another service says about someone travels in each access token: when it is too much, the needful remains. */
export function metadataOf({ data }: { data: Metadata }): Metadata {
  if (profileBytes(data) <= MOST_PROFILE_BYTES) return data
  const { sub, email, email_verified, phone_verified } = data
  return { sub, email, email_verified, phone_verified }
}

/** An account that was confirmed by a setting could be used, and changed, by whoever made it. */
function isAssumed({ emailAssumed, phoneAssumed }: User): boolean {
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

/** With another service as the only way in, nothing else stays. An address that an administrator gave does, unless the account was in use. */
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

/** The words of a sign-up cannot claim an address of the other kind: it would count as one of the account's own. */
function identityAfter({ id, email, phone }: User, own: OwnProvider, parcel: Brought | undefined): Metadata {
  const { email: _email, phone: _phone, ...data } = parcel?.data ?? {}
  return profileOf(id, own === 'email' ? { email: email ?? '' } : { phone: phone ?? '' }, data, false)
}

async function nameProviders(trx: Trx, user: User): Promise<User> {
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
