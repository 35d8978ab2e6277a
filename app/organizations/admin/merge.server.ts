import { z } from 'zod'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { moveBack, moveBelongings, moveBooks } from '#app/organizations/organization/belongings.server.ts'
import { lockOrganization, refuseUnsettled } from '#app/organizations/organization/organization.server.ts'
import { type MemberRole, memberRoles } from '#app/organizations/organization/organization.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { insert, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import type { Row } from '#db/tables.ts'
import { MERGE_UNDO_DAYS } from './staff-organization.ts'

const ids = z.array(z.string())

/** The changes of a merge, as they are stored for the undo. */
const merged = z.object({
  entitlements: ids,
  ended: ids,
  productRequests: ids,
  settled: ids,
  downloads: ids,
  apiKeys: ids,
  /** Missing in merges of a person, whose books stay. */
  orders: ids.optional(),
  subscriptions: ids.optional(),
  proposals: ids.optional(),
  payments: ids.optional(),
  people: ids,
  /** Members who were not in the one that stays. */
  joined: ids,
  /** Members of both whose role rose, with their role before. The role that they got is missing in older merges. */
  raised: z.array(z.object({ userId: z.string(), role: z.enum(memberRoles), to: z.enum(memberRoles).optional() })),
  quota: z.number(),
  state: z.enum(['active', 'suspended', 'closed']),
})

type Merge = { id: string; intoId: string; addsQuota: boolean }

/**
 * Merges an organization into another one: grants join, and of two for one dataset the later end counts; requests, downloads, keys, leads and members
 * move. So do its orders, subscriptions and proposals, whose issued invoices keep the name that they have. A person who is in both keeps the higher
 * role. The merged one is closed; that of a person alone stays for them, with their orders.
 */
export async function mergeOrganizations({ id, intoId, addsQuota }: Merge, actor: Actor): Promise<void> {
  if (id === intoId) stop('unprocessable', 'Choose another organization.', { errors: { into: 'Choose another organization' } })
  await transaction(async (trx) => {
    const [from, into] = await lockBoth(trx, id, intoId)
    if (into.isPersonal)
      stop('conflict', 'A company cannot be merged into the organization of one person.', { code: 'personal_organization' })
    if (from.isPersonal) await refuseUnsettled(trx, id)
    else await refuseDouble(trx, id, intoId)
    const books = from.isPersonal ? {} : await moveBooks(trx, id, intoId)
    const belongings = await moveBelongings(trx, id, intoId)
    const members = await joinMembers(trx, from, intoId)
    const people = await trx
      .updateTable('people')
      .set({ organizationId: intoId })
      .where('organizationId', '=', id)
      .returning('id')
      .execute()
    const quota = addsQuota ? from.monthlyQuota : 0
    await trx
      .updateTable('organizations')
      .set((of) => ({ monthlyQuota: of('monthlyQuota', '+', quota), updatedAt: now }))
      .where('id', '=', intoId)
      .execute()
    if (!from.isPersonal) {
      await trx.updateTable('organizations').set({ state: 'closed', mergedInto: intoId, updatedAt: now }).where('id', '=', id).execute()
    }
    const changed = { ...belongings, ...books, ...members, people: people.map((person) => person.id), quota, state: from.state }
    await insert(trx, 'organizationMerges', { organizationId: id, intoId, moved: JSON.stringify(changed), actorId: actor.id ?? null })
    await audit(trx, 'organizations_merged', { ...by(actor), subjectId: intoId, detail: { merged: id } })
  })
}

/** Undoes a merge within 30 days. Later grants, requests, keys and role changes stay as they are. */
export async function undoMerge(mergeId: string, actor: Actor): Promise<void> {
  await transaction(async (trx) => {
    const merge = await trx.selectFrom('organizationMerges').selectAll().where('id', '=', mergeId).forUpdate().executeTakeFirst()
    if (!merge || merge.undoneAt) stop('notFound', 'There is no such merge.')
    if (merge.createdAt.getTime() < Date.now() - MERGE_UNDO_DAYS * 86_400_000)
      stop('conflict', `A merge can be undone for ${MERGE_UNDO_DAYS} days.`, { code: 'too_late' })
    const { organizationId: id, intoId } = merge
    const { people, joined, raised, quota, state, ...belongings } = merged.parse(merge.moved)
    await lockBoth(trx, id, intoId)
    await moveBack(trx, belongings, id, intoId)
    if (people.length > 0) {
      await trx.updateTable('people').set({ organizationId: id }).where('id', 'in', people).where('organizationId', '=', intoId).execute()
    }
    if (joined.length > 0) {
      await trx.deleteFrom('organizationMembers').where('organizationId', '=', intoId).where('userId', 'in', joined).execute()
    }
    for (const { userId, role, to } of raised) {
      const member = trx.updateTable('organizationMembers').set({ role }).where('organizationId', '=', intoId).where('userId', '=', userId)
      await (to ? member.where('role', '=', to) : member).execute()
    }
    await trx
      .updateTable('organizations')
      .set((of) => ({ monthlyQuota: of.fn<number>('greatest', [of.lit(0), of('monthlyQuota', '-', quota)]), updatedAt: now }))
      .where('id', '=', intoId)
      .execute()
    await trx.updateTable('organizations').set({ state, mergedInto: null, updatedAt: now }).where('id', '=', id).execute()
    await trx.updateTable('organizationMerges').set({ undoneAt: now }).where('id', '=', mergeId).execute()
    await audit(trx, 'organizations_merge_undone', { ...by(actor), subjectId: intoId, detail: { merged: id } })
  })
}

/** An organization has one subscription to a dataset, and nobody but its customer cancels one. */
async function refuseDouble(trx: Trx, id: string, intoId: string): Promise<void> {
  const running = ['active', 'grace'] as const
  const double = await trx
    .selectFrom('subscriptions as own')
    .innerJoin('subscriptions as other', 'other.productId', 'own.productId')
    .innerJoin('dataProducts as product', 'product.id', 'own.productId')
    .innerJoin('organizations as merged', 'merged.id', 'own.organizationId')
    .innerJoin('organizations as staying', 'staying.id', 'other.organizationId')
    .select([
      'product.name as dataset',
      'own.reference',
      'other.reference as also',
      'merged.name as mergedName',
      'staying.name as stayingName',
    ])
    .where('own.organizationId', '=', id)
    .where('other.organizationId', '=', intoId)
    .where('own.state', 'in', running)
    .where('other.state', 'in', running)
    .executeTakeFirst()
  if (!double) return
  const { dataset, reference, also, mergedName, stayingName } = double
  const both = `${mergedName} (${reference}) and ${stayingName} (${also})`
  const sentence = `Both subscribe to ${dataset}: ${both}. First a buyer or admin of one of them cancels its subscription now, on their page “Billing”.`
  stop('conflict', sentence, { code: 'double_subscription' })
}

/** In the order of their ids, so that two merges of the same two cannot wait for each other. */
async function lockBoth(trx: Trx, id: string, intoId: string): Promise<[Row<'organizations'>, Row<'organizations'>]> {
  const locked = new Map<string, Row<'organizations'>>()
  for (const each of [id, intoId].toSorted()) {
    const row = (await lockOrganization(trx, each)) ?? stop('notFound', 'There is no such organization.')
    locked.set(each, row)
  }
  const [from, into] = [locked.get(id), locked.get(intoId)]
  if (!from || !into || into.state === 'closed') return stop('notFound', 'There is no such organization, or it was closed.')
  return [from, into]
}

/** A person alone is the admin of their own organization, which gives them no right to manage a company. */
async function joinMembers(trx: Trx, { id, isPersonal }: Row<'organizations'>, intoId: string) {
  const rows = await trx.selectFrom('organizationMembers').selectAll().where('organizationId', 'in', [id, intoId]).execute()
  const known = new Map(rows.filter(({ organizationId }) => organizationId === intoId).map((row) => [row.userId, row.role]))
  const joined: string[] = []
  const raised: { userId: string; role: MemberRole; to: MemberRole }[] = []
  for (const { userId, ...row } of rows.filter(({ organizationId }) => organizationId === id)) {
    const role = isPersonal ? 'member' : row.role
    const before = known.get(userId)
    if (!before) {
      joined.push(userId)
      await trx.insertInto('organizationMembers').values({ organizationId: intoId, userId, role }).execute()
    } else if (memberRoles.indexOf(role) > memberRoles.indexOf(before)) {
      raised.push({ userId, role: before, to: role })
      await trx.updateTable('organizationMembers').set({ role }).where('organizationId', '=', intoId).where('userId', '=', userId).execute()
    }
  }
  return { joined, raised }
}
