import { sql } from 'kysely'
import { z } from 'zod'
import { queryRows } from '#app/platform/database/sql.server.ts'
import { type Database, db, type Trx } from '#app/platform/database/db.server.ts'
import { env, isHosted } from '#app/platform/env.server.ts'
import type { Role } from './role.ts'

/** The table of all accounts, own or hosted. */
const table = sql.table(isHosted ? 'hosted_accounts' : 'users')

/** Locks an account, so changes in its name run one after the other. Returns its address, or nothing without such an account. */
export async function lockPerson(trx: Trx, id: string): Promise<{ email: string | null } | undefined> {
  const rows = await queryRows(
    trx,
    { email: z.nullable(z.string()) },
    sql`SELECT email FROM ${table} WHERE id = ${id} AND deleted_at IS NULL FOR UPDATE`,
  )
  return rows[0]
}

const inRole = {
  users: sql`app_metadata->>'role'`,
  hosted_accounts: sql`role`,
}

/** The accounts that hold one of these roles, whether or not their rights are paused. */
export async function listAccountIds(roles: Role[]): Promise<string[]> {
  const held = isHosted ? inRole.hosted_accounts : inRole.users
  const rows = await queryRows(
    db,
    { id: z.string() },
    sql`SELECT id FROM ${table} WHERE ${held} = ANY (${roles}::text[]) AND deleted_at IS NULL LIMIT 1000`,
  )
  return rows.map(({ id }) => id)
}

/** The proven address of an account. With auto-confirm there is none, because anyone could name another person's address. */
export async function provenAddress(id: string, connection: Database | Trx = db): Promise<string | null> {
  if (!isHosted && env.MAILER_AUTOCONFIRM) return null
  const proven = isHosted
    ? sql`email_confirmed_at IS NOT NULL AND deleted_at IS NULL`
    : sql`email_confirmed_at IS NOT NULL AND NOT email_assumed AND deleted_at IS NULL`
  const rows = await queryRows(
    connection,
    { email: z.nullable(z.string()) },
    sql`SELECT email FROM ${table} WHERE id = ${id} AND ${proven}`,
  )
  return rows[0]?.email ?? null
}
