import { expressionBuilder, sql } from 'kysely'
import { type Database, db, type Trx } from '#app/platform/database/db.server.ts'
import { condition, now } from '#app/platform/database/sql.server.ts'
import { env, isHosted } from '#app/platform/env.server.ts'
import { senderAddress } from '#app/mail/outbox.server.ts'
import type { Tables } from '#db/tables.ts'
import { type AccountRight, type Role, roleOf } from './role.ts'
import { effectiveRole } from './staff-factor.server.ts'

/** Whether addresses are confirmed without an email. A hosted service has settings of its own. */
export const confirmsWithoutProof = env.MAILER_AUTOCONFIRM && !isHosted

/** The accounts that can sign in here, own or hosted, without deleted ones. */
export function currentAccounts(connection: Database | Trx = db) {
  return connection.selectFrom('accounts').where('isHosted', '=', isHosted).where('deletedAt', 'is', null)
}

/** The same as a table of a query that is written as SQL. */
export const currentAccountRows = sql`(SELECT * FROM accounts WHERE is_hosted = ${isHosted} AND deleted_at IS NULL)`

/** Locks an account, so changes in its name run one after the other. Returns its address, or nothing without such an account. */
export async function lockAccount(trx: Trx, id: string): Promise<{ email: string | null } | undefined> {
  const table = trx.selectFrom(isHosted ? 'hostedAccounts' : 'users').select('email')
  return table.where('id', '=', id).where('deletedAt', 'is', null).forUpdate().executeTakeFirst()
}

type Holders = {
  /** Of staff, only those to whom the owner gave it. */
  right?: AccountRight | undefined
  /** Only those whose role is not paused. */
  isEffective?: boolean
  connection?: Database | Trx
}

/** The accounts that hold one of these roles and are not suspended. */
export async function listAccountIds(roles: Role[], { right, isEffective = false, connection = db }: Holders = {}): Promise<string[]> {
  const rows = await currentAccounts(connection)
    .select(['id', 'role', 'staffSince', 'hasFactor'])
    .where('role', 'in', roles)
    .where((account) => account.or([account('bannedUntil', 'is', null), account('bannedUntil', '<=', now)]))
    .$if(right !== undefined, (query) => query.where(condition`role <> 'staff' OR rights @> ${JSON.stringify([right])}::jsonb`))
    .limit(1000)
    .execute()
  const holds = ({ role, staffSince, hasFactor }: (typeof rows)[number]) =>
    roles.includes(effectiveRole({ role: roleOf({ role }), staffSince, hasFactor }))
  return rows.filter((account) => !isEffective || holds(account)).map(({ id }) => id)
}

/** The proven address of an account. With auto-confirm there is none, because anyone could name another person's address. */
export async function provenAddress(id: string, connection: Database | Trx = db): Promise<string | null> {
  if (confirmsWithoutProof) return null
  const account = await currentAccounts(connection).select('email').where('id', '=', id).where('emailProven', '=', true).executeTakeFirst()
  return account?.email ?? null
}

/** The owner's address as a subquery, because a separate query costs a round trip. It is not cached: the owner may change at any time. */
export function ownerEmail() {
  const accounts = expressionBuilder<Tables>().selectFrom('accounts').select('accounts.email').where('isHosted', '=', isHosted)
  return accounts.where('ownsInstallation', '=', true).where('accounts.deletedAt', 'is', null).orderBy('accounts.createdAt').limit(1)
}

export async function hasOwner(connection: Database | Trx = db): Promise<boolean> {
  return (await currentAccounts(connection).select('id').where('ownsInstallation', '=', true).limit(1).executeTakeFirst()) !== undefined
}

/** The owner's address, or the business's mailbox while the installation has no owner. */
export function businessAddress(owner: string | null): string {
  return env.OWNER_EMAIL ?? owner ?? senderAddress()
}
