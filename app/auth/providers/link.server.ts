import { z } from 'zod'
import { audit } from '#app/auth/users/audit.server.ts'
import { voidTokens } from '#app/auth/tokens/one-time-token.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { findUserByEmail, listIdentities, lockUser, type User } from '#app/auth/users/user.server.ts'
import { setProviders } from '#app/auth/users/user-identity.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { breaks } from '#app/platform/database/database-error.ts'
import { transaction, type Trx } from '#app/platform/database/db.server.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import { exchangeForSession } from '#app/auth/sessions/code-exchange.server.ts'
import { awaitedOf } from '#app/auth/sessions/flow-secrets.server.ts'
import { isBanned } from '#app/auth/sessions/session.server.ts'
import type { SessionUser } from '#app/auth/sessions/user-factors.server.ts'
import { requireMfa } from '#app/auth/sessions/mfa.server.ts'
import type { Row } from '#db/tables.ts'
import { settleProof } from '#app/auth/users/settle-proof.server.ts'
import { addIdentity, type External } from './account.server.ts'
import { identityEmail } from '#app/auth/tokens/identity.email.tsx'

type Identity = Row<'identities'>

/** The account, and the session that requested the link. */
type Asker = { userId: string; sessionId: string | undefined }

/** Links an identity to a signed-in account. An anonymous account gets its proven address. */
export async function linkIdentity<T>(
  { userId, sessionId }: Asker,
  external: External,
  go: (trx: Trx, user: User) => Promise<T>,
): Promise<T> {
  try {
    return await transaction(async (trx) => go(trx, await link(trx, { userId, sessionId }, external)))
  } catch (error) {
    return breaks(error) ? refuse('identity_already_exists') : Promise.reject(error)
  }
}

async function link(trx: Trx, { userId, sessionId }: Asker, external: External): Promise<User> {
  const user = await lockUser(trx, userId)
  if (isBanned(user)) refuse('user_banned', { kind: 'forbidden' })
  const session = sessionId && (await trx.selectFrom('sessions').select('aal').where('id', '=', sessionId).executeTakeFirst())
  if (!session) refuse('session_not_found')
  await requireMfa(trx, { id: userId, aal: session.aal })
  const { provider, subject } = external
  const taken = await trx
    .selectFrom('identities')
    .select('id')
    .where('provider', '=', provider)
    .where('providerId', '=', subject)
    .executeTakeFirst()
  if (taken) refuse('identity_already_exists')
  return settle(trx, user.isAnonymous && !user.email, await addIdentity(trx, user, external), external)
}

const awaited = z.object({
  sessionId: z.string().optional(),
  external: z.object({
    provider: z.string(),
    needsEmail: z.boolean(),
    subject: z.string(),
    email: z.string().optional(),
    emailVerified: z.boolean(),
    data: z.record(z.string(), z.unknown()),
  }),
})

/** Exchanges a PKCE code for a session, and links the identity that was held until the verifier proved the caller. */
export async function exchangeAndLink(code: string, verifier: string, client: Client) {
  try {
    return await exchangeForSession(code, verifier, client, async (trx, flow) => {
      if (!flow.linkingUserId) return
      const { data: waiting } = awaited.safeParse(awaitedOf(flow))
      if (!waiting) return
      const { email, ...external } = waiting.external
      await link(trx, { userId: flow.linkingUserId, sessionId: waiting.sessionId }, { ...external, email })
    })
  } catch (error) {
    return breaks(error) ? refuse('identity_already_exists') : Promise.reject(error)
  }
}

/** Removes a sign-in method. Another one must remain, and the account's address may change to one that remains. */
export async function unlinkIdentity({ user: { id: userId }, session }: SessionUser, identityId: string): Promise<void> {
  await transaction(async (trx) => {
    const user = await lockUser(trx, userId)
    await requireMfa(trx, { id: userId, aal: session.aal })
    const identities = await listIdentities(trx, userId)
    if (identities.length <= 1) refuse('single_identity_not_deletable')
    const gone = identities.find(({ id }) => id === identityId) ?? refuse('identity_not_found')
    const left = identities.filter((identity) => identity !== gone)
    await trx.deleteFrom('identities').where('id', '=', gone.id).execute()
    await audit(trx, 'identity_unlinked', { actorId: userId, subjectId: userId, detail: { provider: gone.provider } })
    const addresses =
      gone.provider === 'phone' ? { phone: null, phoneConfirmedAt: null, phoneAssumed: false } : await addressesAfter(trx, user, left)
    if (addresses) await voidTokens(trx, userId)
    await trx
      .updateTable('users')
      .set({ ...addresses, updatedAt: new Date() })
      .where('id', '=', userId)
      .execute()
    await setProviders(trx, userId)
    if (user.email)
      await enqueueEmail(trx, identityEmail(user.email, { at: new Date().toISOString(), provider: gone.provider, isAdded: false }))
  })
}

/**
 * The email stays while a sign-in method has it. Otherwise a proven email replaces it, but never an unproven one:
 * its real owner could be invited or reset the password into an account that another person uses.
 */
async function addressesAfter(trx: Trx, user: User, left: Identity[]) {
  if (!user.email || left.some(({ email }) => email?.toLowerCase() === user.email?.toLowerCase())) return undefined
  // A phone number proves no email address, whatever its profile says.
  const withEmail = left.filter(({ email, provider }) => email && provider !== 'phone')
  const next = withEmail.find(isProven) ?? withEmail[0]
  const email = next?.email ?? null
  const other = email ? await findUserByEmail(trx, email) : undefined
  if (other && other.id !== user.id) refuse('email_conflict_identity_not_deletable')
  return next && isProven(next)
    ? { email, emailConfirmedAt: new Date(), emailAssumed: false }
    : { email: null, emailConfirmedAt: null, emailAssumed: false }
}

function isProven({ identityData }: Identity): boolean {
  return identityData['email_verified'] === true
}

async function settle(trx: Trx, wasAnonymous: boolean, user: User, { email, emailVerified }: External): Promise<User> {
  if (!wasAnonymous || !email || !emailVerified) return user
  if (await findUserByEmail(trx, email)) refuse('email_exists')
  const proven = await trx
    .updateTable('users')
    .set({ email, emailConfirmedAt: new Date(), emailAssumed: false })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return settleProof(trx, proven)
}
