import { db, transaction, type Trx } from '#app/platform/db.server.ts'
import type { Client } from '#app/session/client.ts'
import type { Row } from '#db/tables.ts'
import type { ProjectClaims } from './project-token.server.ts'

export type HostedAccount = Row<'hostedAccounts'>
export type HostedSession = Row<'hostedSessions'>

/** An account that we know, and its session if we have seen that. `isNew`: seen for the first time just now. */
export type Seen = { account: HostedAccount; session: HostedSession | undefined; isNew?: boolean }

export type Whose = { accountId: string; sessionId: string }

export function whoseOf({ sub, session_id: sessionId }: ProjectClaims): Whose {
  return { accountId: sub, sessionId }
}

/** So often at most it is noted that someone is still there. */
const NOTED_MS = 300_000

/** Looked up for every request that a token opens, so that signing out, a ban or a new role counts at once. */
export async function findHosted({ accountId, sessionId }: Whose): Promise<Seen | undefined> {
  const [account, session] = await Promise.all([
    db.selectFrom('hostedAccounts').selectAll().where('id', '=', accountId).executeTakeFirst(),
    db.selectFrom('hostedSessions').selectAll().where('id', '=', sessionId).where('accountId', '=', accountId).executeTakeFirst(),
  ])
  return account && { account, session }
}

/** The same for a token that is valid now: whoever comes for the first time gets an account with us, and a session that we can end. */
export async function meetHosted(claims: ProjectClaims, client: Client): Promise<Seen> {
  const seen = await findHosted(whoseOf(claims))
  if (!seen?.session) return transaction((trx) => welcome(trx, claims, client))
  if (Date.now() - seen.session.lastSeenAt.getTime() > NOTED_MS) await note(seen.session, client)
  return seen
}

/** Whether this person may do anything here at all. */
export function isOut({ account, session }: Seen): boolean {
  return isShut(account) || (session !== undefined && session.endedAt !== null)
}

/** Banned, or deleted here. */
export function isShut({ bannedUntil, deletedAt }: HostedAccount): boolean {
  return deletedAt !== null || (bannedUntil !== null && bannedUntil > new Date())
}

async function welcome(trx: Trx, claims: ProjectClaims, client: Client): Promise<Seen> {
  const { sub: id, session_id: sessionId } = claims
  await trx
    .insertInto('hostedAccounts')
    .values({ id, email: claims.email || null, userMetadata: JSON.stringify(claims.user_metadata) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
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
