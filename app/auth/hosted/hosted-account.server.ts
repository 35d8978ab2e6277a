import { emitNewAccount } from '#app/auth/users/account-webhook.server.ts'
import { db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import type { Row } from '#db/tables.ts'
import { moveHostedSource } from './hosted-source.server.ts'
import { confirmsUnasked } from './project-settings.server.ts'
import type { ProjectClaims } from './project-token.server.ts'

/** The account that a token names, without the way its session began. */
type HolderClaims = Omit<ProjectClaims, 'amr' | 'app_metadata'>

export type HostedAccount = Row<'hostedAccounts'>
export type HostedSession = Row<'hostedSessions'>

/** A known account, and its session if we have seen it. `isNew`: the session is new to us. */
export type Seen = { account: HostedAccount; session: HostedSession | undefined; isNew?: boolean }

export type Whose = { accountId: string; sessionId: string }

export function whoseOf({ sub, session_id: sessionId }: HolderClaims): Whose {
  return { accountId: sub, sessionId }
}

/** The last activity is stored at most this often. */
const NOTED_MS = 300_000

/** Called for every request with a token, so that sign-outs, bans and roles take effect immediately. */
export async function findHosted({ accountId, sessionId }: Whose): Promise<Seen | undefined> {
  const [account, session] = await Promise.all([
    db.selectFrom('hostedAccounts').selectAll().where('id', '=', accountId).executeTakeFirst(),
    db.selectFrom('hostedSessions').selectAll().where('id', '=', sessionId).where('accountId', '=', accountId).executeTakeFirst(),
  ])
  return account && { account, session }
}

/** Finds or creates the account and session of a valid token, so that we can end the session. */
export async function meetHosted(claims: HolderClaims, client: Client): Promise<Seen> {
  const seen = await findHosted(whoseOf(claims))
  if (!seen?.session) {
    const emailAssumed = !seen && Boolean(claims.email) && (await confirmsUnasked()) === true
    return transaction((trx) => welcome(trx, claims, emailAssumed, client))
  }
  if (Date.now() - seen.session.lastSeenAt.getTime() > NOTED_MS) await note(seen.session, client)
  return seen
}

/** Whether the account is banned or the session ended. */
export function isOut({ account, session }: Seen): boolean {
  return isBannedAccount(account) || (session !== undefined && session.endedAt !== null)
}

/** Whether the account is banned or deleted here. */
export function isBannedAccount({ bannedUntil, deletedAt }: HostedAccount): boolean {
  return deletedAt !== null || (bannedUntil !== null && bannedUntil > new Date())
}

async function welcome(trx: Trx, claims: HolderClaims, emailAssumed: boolean, client: Client): Promise<Seen> {
  const { sub: id, session_id: sessionId } = claims
  const created = await trx
    .insertInto('hostedAccounts')
    .values({ id, email: claims.email || null, emailAssumed, userMetadata: JSON.stringify(claims.user_metadata) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(['id', 'email', 'emailConfirmedAt', 'createdAt'])
    .executeTakeFirst()
  if (created) await emitNewAccount(trx, created)
  await moveHostedSource(trx, id)
  const { numInsertedOrUpdatedRows: made } = await trx
    .insertInto('hostedSessions')
    .values({ id: sessionId, accountId: id, ...traceOf(client) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  const account = await trx.selectFrom('hostedAccounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const session = await trx
    .selectFrom('hostedSessions')
    .selectAll()
    .where('id', '=', sessionId)
    .where('accountId', '=', id)
    .executeTakeFirstOrThrow()
  return { account, session, isNew: made === 1n }
}

async function note({ id, accountId }: HostedSession, client: Client): Promise<void> {
  const lastSeenAt = new Date()
  await db
    .updateTable('hostedSessions')
    .set({ lastSeenAt, ...traceOf(client) })
    .where('id', '=', id)
    .execute()
  await db.updateTable('hostedAccounts').set({ lastSeenAt }).where('id', '=', accountId).execute()
}

function traceOf({ address, userAgent }: Client) {
  return { address, userAgent: userAgent?.slice(0, 400) ?? null }
}
