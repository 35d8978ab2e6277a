import { audit } from '#app/identity/audit.server.ts'
import { voidTokens } from '#app/one-time-token/one-time-token.server.ts'
import { attachIdentity, metadataOf, startOver } from '#app/confirmation/start-over.server.ts'
import { isEmailProven, isPhoneProven } from '#app/identity/proven.server.ts'
import { settleProof } from '#app/identity/settle-proof.server.ts'
import { brought } from '#app/one-time-token/brought.server.ts'
import { MOST_PROFILE_BYTES, profileBytes } from '#app/auth-protocol/profile.ts'
import { withProvider } from '#app/identity/user-identity.server.ts'
import { findUserByEmail, lockUser, type Metadata, type User } from '#app/identity/user.server.ts'
import { post } from '#app/mail/outbox.server.ts'
import { breaks } from '#app/platform/database-error.ts'
import { insert, transaction, type Trx } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { isBanned } from '#app/session/session.server.ts'
import { identityLetter } from './identity.email.tsx'
import type { Profile } from './profile.server.ts'

/** As many addresses of one person as are looked up. */
const MOST_EMAILS = 20

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
  const byOther = sameEmail ? undefined : await findByOtherEmail(trx, external)
  if (byOther) return addIdentity(trx, await lockUser(trx, byOther.id), external)
  if (!sameEmail) return env.DISABLE_SIGNUP ? 'signup_disabled' : createFrom(trx, external)
  // Whose address is not proven there may be anyone.
  if (!emailVerified) return 'provider_email_needs_verification'
  return join(trx, await lockUser(trx, sameEmail.id), external)
}

/** The one account whose proven address is another proven one of theirs. Nothing where several accounts fit, or it is banned. */
async function findByOtherEmail(trx: Trx, { otherEmails = [] }: External): Promise<User | undefined> {
  const found = await Promise.all(otherEmails.slice(0, MOST_EMAILS).map((email) => findUserByEmail(trx, email)))
  const [user, ...more] = found.filter((each) => each !== undefined)
  return user && more.length === 0 && isEmailProven(user) && !isBanned(user) ? user : undefined
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

/** The address is proven on both sides, or is now: then whoever else had got ready to use it is shut out. */
async function join(trx: Trx, user: User, external: External): Promise<Entered> {
  if (isBanned(user)) return 'user_banned'
  if (isEmailProven(user)) return addIdentity(trx, user, external)
  // The account is someone's already, by their phone. An email to the address tells whether it is the same person.
  if (isPhoneProven(user) && !user.emailAssumed) return 'provider_email_needs_verification'
  return takeOver(trx, user, external)
}

/** The other service proves the address: the account is theirs whom it names, without anything that was set up before. */
async function takeOver(trx: Trx, user: User, external: External): Promise<User> {
  const emptied = await startOver(trx, user, 'email', brought.parse({ identity: external }))
  await voidTokens(trx, user.id)
  const confirmed = await update(trx, emptied.id, { emailConfirmedAt: new Date(), emailAssumed: false, isAnonymous: false })
  await audit(trx, 'user_confirmed', { actorId: user.id, subjectId: user.id })
  return settleProof(trx, confirmed)
}

/** Adds a way to sign in to an account, which is permanent from then on, and tells its holder. */
export async function addIdentity(trx: Trx, user: User, external: External): Promise<User> {
  await attachIdentity(trx, user.id, external)
  const userMetadata = JSON.stringify(withoutClash({ ...metadataOf(external), ...user.userMetadata }, user.userMetadata))
  const appMetadata = JSON.stringify(withProvider(user.appMetadata, external.provider))
  await audit(trx, 'identity_linked', { actorId: user.id, subjectId: user.id, detail: { provider: external.provider } })
  if (user.email) await post(trx, identityLetter(user.email, { at: new Date().toISOString(), provider: external.provider, isAdded: true }))
  return update(trx, user.id, { userMetadata, appMetadata, isAnonymous: false })
}

async function createFrom(trx: Trx, external: External): Promise<Entered> {
  const { provider, email, emailVerified } = external
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
  })
  await audit(trx, 'user_signedup', { actorId: user.id, subjectId: user.id, detail: { provider } })
  // Until someone proves the address, the account holds nothing: the email that goes there brings the rest.
  if (waits) return 'provider_email_needs_verification'
  await attachIdentity(trx, user.id, external)
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
