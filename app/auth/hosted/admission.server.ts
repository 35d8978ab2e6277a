import { z } from 'zod'
import { showNewName } from '#app/auth/users/author-pages.server.ts'
import { audit } from '#app/auth/users/audit.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { transaction, type Trx } from '#app/platform/database/db.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import type { SessionTokens } from '#app/platform/http/session-cookie.server.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import { isBannedAccount, meetHosted, type HostedAccount } from './hosted-account.server.ts'
import { confirmsUnasked } from './project-settings.server.ts'
import { settle } from './hosted-response.server.ts'
import { type ProjectResponse, callProject } from './project.server.ts'
import { checkProjectToken, isSharedSecret } from './project-token.server.ts'
import { greetFirstOwner } from '#app/auth/users/first-owner.server.ts'
import { mayClaim, ownerRule, type OwnerRule } from '#app/auth/users/owner.server.ts'

const person = z.object({
  id: z.guid(),
  email: z.string().nullish(),
  email_confirmed_at: z.string().nullish(),
  user_metadata: z.record(z.string(), z.unknown()).catch({}),
  factors: z.array(z.object({ status: z.string() })).catch([]),
})

const SHARED_SECRET =
  'The sign-in service signs with a shared secret (HS256), which cannot be verified here. Its operator must add an asymmetric signing key (ES256).'

/** The part of a response that opens a session. */
const opened = z.object({ access_token: z.string().min(1), refresh_token: z.string().min(1), user: person.optional() })

type OpenedSession = z.infer<typeof opened>

export function readOpened(answer: unknown): OpenedSession | undefined {
  return opened.safeParse(answer).data
}

/** The tokens of an opened session; `undefined` if the response has none. */
export async function tokensOf(answer: ProjectResponse, client: Client): Promise<SessionTokens | undefined> {
  settle(answer)
  const opened = readOpened(answer.body)
  if (!opened) return undefined
  await admit(opened, client)
  return { access: opened.access_token, refresh: opened.refresh_token }
}

/**
 * Checks a session that the hosted service opened or renewed, before the client gets it. A banned account or an ended
 * session is refused, and the session is ended at the service too.
 */
export async function admit({ access_token: token, user }: OpenedSession, client: Client): Promise<void> {
  const checked = await checkProjectToken(token)
  if (checked.state !== 'valid') {
    if (isSharedSecret(token)) {
      log.error(
        'the hosted auth service signs its tokens with a shared secret (HS256): add an asymmetric signing key to the project, and rotate to it',
      )
      refuse('unexpected_failure', { sentence: SHARED_SECRET, retryAfter: 300 })
    }
    log.warn('a token of the hosted auth service could not be checked with the keys that it publishes')
    refuse('unexpected_failure', { sentence: 'The sign-in service sent a token that cannot be verified', retryAfter: 30 })
  }
  const { account, session, isNew } = await meetHosted(checked.claims, client)
  if (isBannedAccount(account) || session?.endedAt) {
    await callProject({ method: 'POST', path: '/logout?scope=local', token }, client).catch(() => undefined)
    if (isBannedAccount(account)) refuse('user_banned')
    refuse('session_not_found', { kind: 'badRequest' })
  }
  if (user?.id === account.id) await learn(user)
  if (isNew) await noteLogin(account.id, client)
}

/**
 * Stores the service's data about a user. Only the service's current settings tell whether it verifies addresses,
 * so an address that it first confirmed without a proof stays assumed, even if the settings change later.
 */
export async function learn(answer: unknown): Promise<void> {
  const read = person.safeParse(answer)
  if (!read.success) return
  const { id, email, email_confirmed_at: confirmedAt, user_metadata: userMetadata, factors } = read.data
  const isConfirmed = Boolean(email && confirmedAt)
  const isUnasked = await confirmsUnasked()
  await transaction(async (trx) => {
    const account = await trx.selectFrom('hostedAccounts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (!account) return
    const before = account.email === email ? account : undefined
    const isKnown = before !== undefined && (before.emailAssumed || before.emailConfirmedAt !== null)
    const isAssumed = isKnown ? before.emailAssumed : isConfirmed && isUnasked === true
    const isProven = isConfirmed && !isAssumed && (isKnown || isUnasked === false)
    const known = await trx
      .updateTable('hostedAccounts')
      .set({
        email: email || null,
        emailConfirmedAt: isProven ? (before?.emailConfirmedAt ?? new Date()) : null,
        emailAssumed: isAssumed,
        userMetadata: JSON.stringify(userMetadata),
        hasFactor: factors.some(({ status }) => status === 'verified'),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await showNewName(trx, id, account.userMetadata, known.userMetadata)
    await settleHosted(trx, known)
  })
}

/** Audits the sign-in. Only the hosted service knows the method. */
async function noteLogin(accountId: string, { address }: Client): Promise<void> {
  await transaction((trx) => audit(trx, 'login', { actorId: accountId, subjectId: accountId, address, detail: { method: 'hosted' } }))
}

/** Applies a proven address: gives the invited role and claims the ownership. */
async function settleHosted(trx: Trx, account: HostedAccount): Promise<void> {
  const { id, role, emailConfirmedAt, invitedRole } = account
  if (!emailConfirmedAt) return
  if (invitedRole) {
    await trx.updateTable('hostedAccounts').set({ role: invitedRole, invitedRole: null }).where('id', '=', id).execute()
    await audit(trx, 'role_changed', { actorId: id, subjectId: id, detail: { from: role, to: invitedRole } })
  }
  await claimHosted(trx, account)
}

/**
 * The first confirmed account owns the installation; with OWNER_EMAIL, only that one. Locking the installation's row
 * makes sure that only one of two concurrent claims wins.
 */
export async function claimHosted(trx: Trx, account: HostedAccount, rule: OwnerRule = ownerRule): Promise<void> {
  const { id, emailConfirmedAt } = account
  if (!emailConfirmedAt) return
  if (!mayClaim(account, rule)) return
  await trx.selectFrom('installation').select('singleton').forUpdate().execute()
  if (await hasOwner(trx)) return
  await trx.updateTable('hostedAccounts').set({ role: 'owner' }).where('id', '=', id).execute()
  await audit(trx, 'owner_claimed', { actorId: id, subjectId: id })
  await greetFirstOwner(trx, id)
}

async function hasOwner(trx: Trx): Promise<boolean> {
  const owner = trx.selectFrom('hostedAccounts').select('id').where('role', '=', 'owner').where('deletedAt', 'is', null).limit(1)
  return (await owner.executeTakeFirst()) !== undefined
}
