import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrationNames, runMigrations } from '#app/platform/database/migrate.server.ts'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { newId, transaction, type Trx } from '#app/platform/database/db.server.ts'

beforeAll(openDatabase)
afterAll(closeDatabase)

class Done extends Error {}

/** The tables of the previous version, beside the current ones, until the test ends. */
async function inOldVersion(work: (trx: Trx) => Promise<void>): Promise<void> {
  const ended = transaction(async (trx) => {
    await sql`CREATE SCHEMA old`.execute(trx)
    await sql`SET LOCAL search_path = old, public`.execute(trx)
    await sql`CREATE TABLE kysely_migration (name text PRIMARY KEY, timestamp text)`.execute(trx)
    await runMigrations(trx, migrationNames.slice(0, migrationNames.indexOf('0010-proven-addresses')))
    await work(trx)
    throw new Done()
  })
  await ended.catch((error: unknown) => {
    if (!(error instanceof Done)) throw error
  })
}

test(
  'an upgrade clears what a stranger may have set in unproven accounts, and leaves proven accounts unchanged',
  { timeout: 60_000 },
  async () => {
    await inOldVersion(async (trx) => {
      const [unproven, invited, proven, anonymous, lasting] = [newId(), newId(), newId(), newId(), newId()]
      const profile = JSON.stringify({ first_name: 'Mallory', email: 'a@b.example', email_verified: false })
      const staff = JSON.stringify({ role: 'staff', provider: 'email' })
      await sql`INSERT INTO users (id, email, password_hash, app_metadata, user_metadata, invited_at, email_confirmed_at, new_email) VALUES
      (${unproven}, 'unproven@b.example', 'hash', ${staff}, ${profile}, NULL, NULL, 'mallory@b.example'),
      (${invited}, 'invited@b.example', 'hash', ${staff}, ${profile}, now(), NULL, NULL),
      (${proven}, 'proven@b.example', 'hash', ${staff}, ${profile}, NULL, now(), NULL)`.execute(trx)
      await sql`INSERT INTO users (id, email, is_anonymous, email_confirmed_at) VALUES (${lasting}, 'lasting@b.example', true, now())`.execute(
        trx,
      )
      await sql`INSERT INTO users (id, is_anonymous) VALUES (${anonymous}, true)`.execute(trx)
      for (const id of [unproven, proven]) {
        await sql`INSERT INTO sessions (id, user_id) VALUES (${newId()}, ${id})`.execute(trx)
        await sql`INSERT INTO identities (id, user_id, provider, provider_id, identity_data) VALUES (${newId()}, ${id}, 'github', ${id}, '{}')`.execute(
          trx,
        )
      }
      await sql`INSERT INTO hosted_accounts (id, email, role) VALUES (${newId()}, 'hosted@b.example', 'staff')`.execute(trx)
      await runMigrations(trx, ['0010-proven-addresses'])
      const { rows } = await sql<{ id: string }>`
      SELECT id, password_hash, app_metadata->>'role' AS role, invited_role, user_metadata->>'first_name' AS name, new_email, is_anonymous,
        (SELECT count(*)::int FROM sessions WHERE user_id = users.id) AS sessions,
        (SELECT count(*)::int FROM identities WHERE user_id = users.id) AS identities
      FROM users`.execute(trx)
      const empty = {
        passwordHash: null,
        role: null,
        invitedRole: null,
        name: null,
        newEmail: null,
        isAnonymous: false,
        sessions: 0,
        identities: 0,
      }
      expect(Object.fromEntries(rows.map(({ id, ...row }) => [id, row]))).toEqual({
        [unproven]: empty,
        [invited]: { ...empty, invitedRole: 'staff' },
        [proven]: { ...empty, passwordHash: 'hash', role: 'staff', name: 'Mallory', sessions: 1, identities: 1 },
        [lasting]: empty,
        [anonymous]: { ...empty, isAnonymous: true },
      })
      const hosted = await sql`SELECT role, invited_role FROM hosted_accounts`.execute(trx)
      expect(hosted.rows).toEqual([{ role: 'customer', invitedRole: 'staff' }])
    })
  },
)
