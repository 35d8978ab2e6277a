import { sql } from 'kysely'
import { z } from 'zod'
import { currentAccountRows, currentAccounts } from '#app/auth/users/account.server.ts'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { now, queryRows } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { addMember } from '#app/organizations/members/member.server.ts'
import {
  closeOrganization,
  findOrganization,
  findOrganizationId,
  insertOrganization,
  lockOrganization,
} from '#app/organizations/organization/organization.server.ts'
import type { Row } from '#db/tables.ts'
import { type ListedOrganization, MERGE_UNDO_DAYS, type StaffOrganization } from './staff-organization.ts'

const listedRow = {
  id: z.string(),
  reference: z.string(),
  name: z.string(),
  countryCode: z.string(),
  state: z.enum(['active', 'suspended', 'closed']),
  members: z.number(),
  lacksAdmin: z.boolean(),
  datasets: z.number(),
  createdAt: z.date(),
}

type Search = { q?: string | undefined; state?: string | undefined; cursor?: string | undefined; limit: number }

/** Companies, newest first; a search finds a part of a name, a reference, or the address of a member. */
export async function listOrganizations({
  q,
  state,
  cursor,
  limit,
}: Search): Promise<{ organizations: ListedOrganization[]; nextCursor: string | null }> {
  const pattern = q && `%${q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const found = pattern
    ? sql`(name ILIKE ${pattern} OR legal_name ILIKE ${pattern} OR reference ILIKE ${pattern} OR EXISTS (SELECT FROM organization_members AS member
        JOIN ${currentAccountRows} AS account ON account.id = member.user_id WHERE member.organization_id = organization.id AND account.email ILIKE ${pattern}))`
    : sql`true`
  const rows = await queryRows(
    db,
    listedRow,
    sql`
    SELECT id, reference, name, country_code, state, created_at,
      (SELECT count(*) FROM organization_members WHERE organization_id = organization.id)::integer AS members,
      state <> 'closed' AND NOT EXISTS (${activeAdmins}) AS lacks_admin,
      (SELECT count(*) FROM entitlements WHERE organization_id = organization.id AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > now()))::integer AS datasets
    FROM organizations AS organization
    WHERE NOT is_personal AND merged_into IS NULL AND ${state ? sql`state = ${state}` : sql`true`} AND ${found}
      AND ${cursor ? sql`id < ${readCursor(cursor)}` : sql`true`}
    ORDER BY id DESC LIMIT ${limit + 1}`,
  )
  const shown = rows.slice(0, limit)
  return {
    organizations: shown.map(({ createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() })),
    nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
  }
}

/** Admins whose account can sign in. */
const activeAdmins = sql`SELECT FROM organization_members AS member JOIN ${currentAccountRows} AS account ON account.id = member.user_id
  WHERE member.organization_id = organization.id AND member.role = 'admin' AND (account.banned_until IS NULL OR account.banned_until <= now())`

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Ids are UUIDv7, so their order is that of their creation. */
function readCursor(cursor: string): string {
  return UUID.test(cursor) ? cursor : stop('badRequest', 'There is no such page.', { code: 'bad_cursor' })
}

/** A company that has an admin again can lose them again. */
export async function forgetThoseWithAdmin(): Promise<void> {
  await sql`UPDATE organizations AS organization SET without_admin_since = NULL WHERE without_admin_since IS NOT NULL AND EXISTS (${activeAdmins})`.execute(
    db,
  )
}

/** Companies that nobody can manage, and of which staff do not know it yet. */
export async function listWithoutAdmin(): Promise<{ id: string; name: string; reference: string }[]> {
  return queryRows(
    db,
    { id: z.string(), name: z.string(), reference: z.string() },
    sql`SELECT id, name, reference FROM organizations AS organization WHERE NOT is_personal AND merged_into IS NULL AND state <> 'closed'
      AND without_admin_since IS NULL AND NOT EXISTS (${activeAdmins}) ORDER BY id LIMIT 200`,
  )
}

/** `asked` is an id or a reference of any organization, a personal one too. */
export async function findStaffOrganization(asked: string): Promise<StaffOrganization | undefined> {
  const id = await findOrganizationId(asked)
  const row = id && (await db.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst())
  const found = row ? await findOrganization({ id: row.id, role: 'admin' }) : undefined
  if (!row || !found) return undefined
  const { currency, paymentDays, invoiceLimit, vatEvidence, notes } = row
  const { role: _role, ...facts } = found
  const others = {
    sameVat: await listSameVat(row),
    merges: await listMerges(row.id),
    mergedInto: await findMergedInto(row),
    lacksAdmin: !row.isPersonal && row.state !== 'closed' && (await lacksAdmin(row.id, db)),
  }
  return { ...facts, currency, paymentDays, invoiceLimit, vatEvidence, notes, ...others }
}

async function listSameVat({ id, vatNumber }: { id: string; vatNumber: string }) {
  if (!vatNumber) return []
  return db
    .selectFrom('organizations')
    .select(['id', 'name', 'isPersonal'])
    .where('vatNumber', '=', vatNumber)
    .where('id', '!=', id)
    .where('mergedInto', 'is', null)
    .limit(10)
    .execute()
}

async function findMergedInto({ mergedInto }: Row<'organizations'>) {
  if (!mergedInto) return null
  const into = await db.selectFrom('organizations').select(['reference', 'name']).where('id', '=', mergedInto).executeTakeFirst()
  return into ?? null
}

async function listMerges(intoId: string) {
  const rows = await db
    .selectFrom('organizationMerges as merge')
    .innerJoin('organizations', 'organizations.id', 'merge.organizationId')
    .select(['merge.id', 'organizations.name', 'organizations.isPersonal', 'merge.createdAt'])
    .where('intoId', '=', intoId)
    .where('undoneAt', 'is', null)
    .where('merge.createdAt', '>', new Date(Date.now() - MERGE_UNDO_DAYS * 86_400_000))
    .orderBy('merge.createdAt', 'desc')
    .execute()
  return rows.map(({ id, name, isPersonal, createdAt }) => ({
    id,
    name: isPersonal ? 'Personal' : name,
    createdAt: createdAt.toISOString(),
  }))
}

/** A company that staff enter. It has no member yet. */
export async function addOrganization(name: string, actor: Actor): Promise<string> {
  return transaction(async (trx) => {
    const id = await insertOrganization(trx, name)
    // Staff who add a company know that it has no admin yet.
    await trx.updateTable('organizations').set({ withoutAdminSince: now }).where('id', '=', id).execute()
    await audit(trx, 'organization_founded', { ...by(actor), subjectId: id, detail: { byStaff: true } })
    return id
  })
}

/** Suspends, closes or reopens a company. */
export async function setState(id: string, state: 'active' | 'suspended' | 'closed', actor: Actor): Promise<void> {
  if (state === 'closed') return closeOrganization(id, actor)
  await transaction(async (trx) => {
    const row = await lockOrganization(trx, id)
    if (!row || row.mergedInto) stop('notFound', 'There is no such organization.')
    if (row.isPersonal) stop('conflict', 'Suspend the account of this person instead.', { code: 'personal_organization' })
    if (row.state === state) return
    await trx.updateTable('organizations').set({ state, updatedAt: now }).where('id', '=', id).execute()
    await audit(trx, state === 'suspended' ? 'organization_suspended' : 'organization_reopened', { ...by(actor), subjectId: id })
  })
}

/** Names an admin where nobody can manage a company any more. Everyone else is invited by an admin. */
export async function nameAdmin(id: string, email: string, actor: Actor): Promise<void> {
  const account = await currentAccounts().select('id').where('email', '=', email).where('emailProven', '=', true).executeTakeFirst()
  const sentence = 'No account has confirmed this email address. Invite the person instead.'
  if (!account) stop('unprocessable', sentence, { errors: { email: sentence } })
  await transaction(async (trx) => {
    const row = await lockOrganization(trx, id)
    if (!row || row.state === 'closed' || row.isPersonal) stop('notFound', 'There is no such organization.')
    if (!(await lacksAdmin(id, trx)))
      stop('conflict', 'This organization has an admin, who decides who else is one.', { code: 'has_admin' })
    await trx.deleteFrom('organizationMembers').where('organizationId', '=', id).where('userId', '=', account.id).execute()
    await addMember(trx, { organizationId: id, userId: account.id, role: 'admin' }, actor)
  })
}

async function lacksAdmin(id: string, connection: Parameters<typeof queryRows>[0]): Promise<boolean> {
  const [row] = await queryRows(
    connection,
    { lacks: z.boolean() },
    sql`SELECT NOT EXISTS (${activeAdmins}) AS lacks FROM organizations AS organization WHERE id = ${id}`,
  )
  return row?.lacks ?? false
}
