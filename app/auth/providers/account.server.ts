import { emitNewAccount } from '#app/auth/users/account-webhook.server.ts'
import { audit } from '#app/auth/users/audit.server.ts'
import { voidTokens } from '#app/auth/tokens/one-time-token.server.ts'
import { detachAddress, isClaimed } from '#app/auth/verification/detach-address.server.ts'
import { attachIdentity, metadataOf, startOver } from '#app/auth/verification/start-over.server.ts'
import { isEmailProven, isPhoneProven } from '#app/auth/users/proven.server.ts'
import { settleProof } from '#app/auth/users/settle-proof.server.ts'
import { brought } from '#app/auth/tokens/brought.server.ts'
import { mayBeNew } from '#app/auth/protocol/email-address.ts'
import { MOST_PROFILE_BYTES, profileBytes } from '#app/auth/protocol/profile.ts'
import { withProvider } from '#app/auth/users/user-identity.server.ts'
import { findUserByEmail, lockIfThere, type Metadata, type User } from '#app/auth/users/user.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { breaks } from '#app/platform/database/database-error.ts'
import { insert, transaction, type Trx } from '#app/platform/database/db.server.ts'
import type { Source } from '#app/platform/http/source.ts'
import { env } from '#app/platform/env.server.ts'
import { isBanned } from '#app/auth/sessions/session.server.ts'
import { identityEmail } from '#app/auth/tokens/identity.email.tsx'
import type { ProviderProfile } from './profile.server.ts'

/** Most addresses of one person that are checked. */
const MOST_EMAILS = 20

/** A user's profile at another provider. `subject` is their id there, and only there. */
export type External = ProviderProfile & { provider: string; needsEmail: boolean; cameFrom?: Source | undefined }

/** The account, or why the sign-in is refused. `provider_email_needs_verification`: the user must follow an email first. */
export type Entered = User | 'user_banned' | 'signup_disabled' | 'email_missing' | 'email_refused' | 'provider_email_needs_verification'

/**
 * Finds or creates the account of a provider's user. A known identity belongs to its account; an address proven on both
 * sides links the two; any other user is new. A refusal still commits: the account may have to confirm its address.
 */
export async function enterAs<T>(external: External, go: (trx: Trx, entered: Entered) => Promise<T>): Promise<T> {
  const work = () => transaction(async (trx) => go(trx, await enter(trx, external)))
  try {
    return await work()
  } catch (error) {
    if (!breaks(error)) throw error
    // A concurrent request has just created it.
    return work()
  }
}

async function enter(trx: Trx, external: External): Promise<Entered> {
  const { provider, subject, email, emailVerified } = external
  const known = await findHolder(trx, provider, subject)
  const holder = known && (await lockIfThere(trx, known))
  // Read again: the sign-in method may have been removed before the lock.
  if (holder && (await findHolder(trx, provider, subject)) === holder.id) return welcome(trx, holder, external)
  if (!email && external.needsEmail) return 'email_missing'
  const sameEmail = email ? await findUserByEmail(trx, email) : undefined
  // An address that the provider has not proven may belong to anyone.
  if (sameEmail && !emailVerified) return 'provider_email_needs_verification'
  // Lock and read again: the address may have changed, or a ban begun.
  const held = sameEmail && (await lockIfThere(trx, sameEmail.id))
  if (held && isSame(held.email, email)) return join(trx, held, external)
  const byOther = await findByOtherEmail(trx, external)
  if (byOther) return addIdentity(trx, byOther, external)
  if (env.DISABLE_SIGNUP) return 'signup_disabled'
  return email && !mayBeNew(email) ? 'email_refused' : createFrom(trx, external)
}

async function findHolder(trx: Trx, provider: string, subject: string): Promise<string | undefined> {
  const identities = trx.selectFrom('identities').select('userId').where('provider', '=', provider).where('providerId', '=', subject)
  return (await identities.executeTakeFirst())?.userId
}

function isSame(one: string | null | undefined, other: string | undefined): boolean {
  return other !== undefined && one?.toLowerCase() === other.toLowerCase()
}

/** Finds and locks the one account that has another proven address of the user. `undefined` if several match or it is banned. */
async function findByOtherEmail(trx: Trx, { otherEmails = [] }: External): Promise<User | undefined> {
  const found = await Promise.all(otherEmails.slice(0, MOST_EMAILS).map((email) => findUserByEmail(trx, email)))
  const [user, ...more] = found.filter((each) => each !== undefined)
  const held = user && more.length === 0 ? await lockIfThere(trx, user.id) : undefined
  const fits = held && isEmailProven(held) && !isBanned(held) && otherEmails.some((email) => isSame(held.email, email))
  return fits ? held : undefined
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
  return takeOver(trx, user, external)
}

/** Links the identity to an account with the same address. An unproven account loses earlier credentials. */
async function join(trx: Trx, user: User, external: External): Promise<Entered> {
  if (isBanned(user)) return 'user_banned'
  if (isEmailProven(user)) return addIdentity(trx, user, external)
  // A proven phone already owns the account. An email to the address shows whether it is the same person.
  if (isPhoneProven(user) && !user.emailAssumed) return 'provider_email_needs_verification'
  if (!isClaimed(user, 'email')) return takeOver(trx, user, external)
  return env.DISABLE_SIGNUP ? 'signup_disabled' : takeOver(trx, await detachAddress(trx, user, 'email'), external)
}

/** The provider proves the address, so its user gets the account, without anything set up before. */
async function takeOver(trx: Trx, user: User, external: External): Promise<User> {
  const emptied = await startOver(trx, user, 'email', brought.parse({ identity: external }))
  await voidTokens(trx, user.id)
  const confirmed = await update(trx, emptied.id, { emailConfirmedAt: new Date(), emailAssumed: false, isAnonymous: false })
  await audit(trx, 'user_confirmed', { actorId: user.id, subjectId: user.id })
  return settleProof(trx, confirmed)
}

/** Adds a sign-in method, makes the account permanent, and emails its user. */
export async function addIdentity(trx: Trx, user: User, external: External): Promise<User> {
  await attachIdentity(trx, user, external)
  const userMetadata = JSON.stringify(withoutClash({ ...metadataOf(external), ...user.userMetadata }, user.userMetadata))
  const appMetadata = JSON.stringify(withProvider(user.appMetadata, external.provider))
  await audit(trx, 'identity_linked', { actorId: user.id, subjectId: user.id, detail: { provider: external.provider } })
  if (user.email)
    await enqueueEmail(trx, identityEmail(user.email, { at: new Date().toISOString(), provider: external.provider, isAdded: true }))
  return update(trx, user.id, { userMetadata, appMetadata, isAnonymous: false })
}

async function createFrom(trx: Trx, external: External): Promise<Entered> {
  const { provider, email, emailVerified, cameFrom } = external
  const isConfirmed = emailVerified || env.MAILER_AUTOCONFIRM
  const waits = Boolean(email) && !isConfirmed
  const now = new Date()
  const user = await insert(trx, 'users', {
    email: email ?? null,
    emailConfirmedAt: email && isConfirmed ? now : null,
    emailAssumed: Boolean(email) && isConfirmed && !emailVerified,
    confirmationSentAt: waits ? now : null,
    appMetadata: JSON.stringify(waits ? {} : withProvider({}, provider)),
    userMetadata: JSON.stringify(waits ? {} : metadataOf(external)),
    cameFrom: cameFrom ? JSON.stringify(cameFrom) : null,
  })
  await audit(trx, 'user_signedup', { actorId: user.id, subjectId: user.id, detail: { provider } })
  await emitNewAccount(trx, user)
  // Until the address is proven, the account holds nothing: following the email adds the rest.
  if (waits) return 'provider_email_needs_verification'
  await attachIdentity(trx, user, external)
  return settleProof(trx, user)
}

type Columns = { userMetadata?: string; appMetadata?: string; emailConfirmedAt?: Date; emailAssumed?: boolean; isAnonymous?: boolean }

function update(trx: Trx, id: string, columns: Columns): Promise<User> {
  return trx
    .updateTable('users')
    .set({ ...columns, updatedAt: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

function withoutClash(merged: Metadata, before: Metadata): Metadata {
  return profileBytes(merged) <= MOST_PROFILE_BYTES ? merged : before
}
