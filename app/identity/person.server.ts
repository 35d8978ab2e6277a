import { sql } from 'kysely'
import { type Database, db, type Trx } from '#app/platform/db.server.ts'
import { env, isHosted } from '#app/platform/env.server.ts'

/** Where those with an account are, whoever keeps it. */
const table = sql.table(isHosted ? 'hosted_accounts' : 'users')

/** Lets those who do something in the name of one account take turns. Answers their address, or nothing where there is no such account. */
export async function lockPerson(trx: Trx, id: string): Promise<{ email: string | null } | undefined> {
  const { rows } = await sql<{
    email: string | null
  }>`SELECT email FROM ${table} WHERE id = ${id} AND deleted_at IS NULL FOR UPDATE`.execute(trx)
  return rows[0]
}

/** The address that someone has proved to be theirs. Where addresses are confirmed without an email, anyone could take anyone else's. */
export async function provenAddress(id: string, connection: Database | Trx = db): Promise<string | null> {
  if (!isHosted && env.MAILER_AUTOCONFIRM) return null
  const proven = isHosted
    ? sql`email_confirmed_at IS NOT NULL AND deleted_at IS NULL`
    : sql`email_confirmed_at IS NOT NULL AND NOT email_assumed AND deleted_at IS NULL`
  const { rows } = await sql<{ email: string | null }>`SELECT email FROM ${table} WHERE id = ${id} AND ${proven}`.execute(connection)
  return rows[0]?.email ?? null
}
