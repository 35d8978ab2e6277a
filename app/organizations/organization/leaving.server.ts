import { sql } from 'kysely'
import { z } from 'zod'
import { addLeavingCheck } from '#app/account/deletion/leaving-check.server.ts'
import { currentAccountRows } from '#app/auth/users/account.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { queryRows } from '#app/platform/database/sql.server.ts'

/** Of those in the way of a deletion. */
const MOST_NAMED = 3

/**
 * The companies of which a person is the only admin. Admins who are suspended or leave themselves do not count. The companies stay locked, so of two
 * admins who leave at the same moment, one stays.
 */
async function listOrphans(trx: Trx, userId: string): Promise<string[]> {
  const rows = await queryRows(
    trx,
    { name: z.string(), isOrphan: z.boolean() },
    sql`
    SELECT name, NOT EXISTS (SELECT FROM organization_members AS other JOIN ${currentAccountRows} AS account ON account.id = other.user_id
      WHERE other.organization_id = organization.id AND other.user_id <> ${userId} AND other.role = 'admin'
        AND (account.banned_until IS NULL OR account.banned_until <= now())
        AND NOT EXISTS (SELECT FROM account_deletions WHERE account_deletions.user_id = other.user_id)) AS is_orphan
    FROM organizations AS organization
    WHERE NOT is_personal AND state <> 'closed' AND id IN (
      SELECT organization_id FROM organization_members WHERE user_id = ${userId} AND role = 'admin')
    ORDER BY id FOR UPDATE OF organization`,
  )
  return rows.filter(({ isOrphan }) => isOrphan).map(({ name }) => name)
}

addLeavingCheck(async (trx, userId) => {
  const names = await listOrphans(trx, userId)
  if (names.length === 0) return undefined
  const more = names.length - MOST_NAMED
  const named = more > 1 ? [...names.slice(0, MOST_NAMED), `${more} others`] : names
  const sentence = `You are the only admin of ${new Intl.ListFormat('en').format(named)}. Make someone else an admin, or close the organization first.`
  return { code: 'last_admin', sentence, path: '/account/organization', label: 'Go to your organizations' }
})
