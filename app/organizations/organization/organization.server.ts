import { sql } from 'kysely'
import type { CurrentUser } from '#app/account/session/current-user.ts'
import { directory } from '#app/auth/directory/directory.server.ts'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { identity } from '#app/content/identity.ts'
import { type Database, db, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { newReference } from '#app/platform/database/reference.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { isHosted } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import type { Row } from '#db/tables.ts'
import { moveBelongings } from './belongings.server.ts'
import { type MemberRole, type Organization, type OrganizationChange, type OwnOrganization, PERSONAL } from './organization.ts'

/** Requests to the Data API a month by all keys of an organization: as many as a person alone can reach with 20 keys of 10,000. */
const MONTHLY_QUOTA = 200_000

/** The job that asks the register of the EU about a new VAT number. Billing defines it. */
export const VAT_CHECK = 'organizations.check-vat'

/** The most open organizations that one person can be in when they create another. */
const MOST_ORGANIZATIONS = 30

const thisMonth = sql<string>`date_trunc('month', now() AT TIME ZONE 'UTC')::date`

/** The organizations of a person, the personal one first. `session`: whether it opens each of them is told. */
export async function listOwnOrganizations(
  userId: string,
  currentId: string,
  session?: Pick<CurrentUser, 'signInProvider'>,
): Promise<OwnOrganization[]> {
  const rows = await db
    .selectFrom('organizationMembers as member')
    .innerJoin('organizations', 'organizations.id', 'member.organizationId')
    .select(['organizations.id', 'reference', 'name', 'isPersonal', 'state', 'signInProvider', 'member.role'])
    .where('member.userId', '=', userId)
    .where('state', '!=', 'closed')
    .orderBy('isPersonal', 'desc')
    .orderBy('name')
    .orderBy('organizations.id')
    .execute()
  return rows.map(({ signInProvider, ...row }) => ({
    ...row,
    name: row.isPersonal ? PERSONAL : row.name,
    isCurrent: row.id === currentId,
    ...(session && signInProvider && signInProvider !== session.signInProvider && { signInWith: signInProvider }),
  }))
}

/** Founds an organization with this person as its admin. With `moveOwn`, what the person alone has goes with them. */
export async function foundOrganization(
  { name, moveOwn }: { name: string; moveOwn: boolean },
  founder: Actor & { id: string },
): Promise<string> {
  await refuseUnproven(founder.id)
  return transaction(async (trx) => {
    // One after the other, so that the limit holds for requests at the same time too.
    await lockOrganization(trx, founder.id)
    await refuseTooMany(trx, founder.id)
    const id = await insertOrganization(trx, name)
    await trx.insertInto('organizationMembers').values({ organizationId: id, userId: founder.id, role: 'admin' }).execute()
    if (moveOwn) await moveBelongings(trx, founder.id, id)
    await audit(trx, 'organization_founded', { ...by(founder), subjectId: id, detail: { moveOwn } })
    return id
  })
}

/** Staff grant nothing to an account whose address is only assumed. A company must not be the way around that. */
async function refuseUnproven(userId: string): Promise<void> {
  const account = await directory.findUser(userId)
  if (account?.isProven) return
  const wayOut = isHosted
    ? `Write to ${identity.email} from it, and we help.`
    : 'Sign out, choose “Forgot password?” at the sign-in, and follow the email.'
  const sentence = `Your email address is not confirmed yet. ${wayOut}`
  stop('forbidden', sentence, { code: 'address_not_proven', errors: { name: sentence } })
}

/** An organization without members yet. */
export async function insertOrganization(trx: Trx, name: string): Promise<string> {
  for (;;) {
    const added = await trx
      .insertInto('organizations')
      .values({ id: newId(), reference: newReference('O'), name, monthlyQuota: MONTHLY_QUOTA })
      .onConflict((conflict) => conflict.column('reference').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (added) return added.id
  }
}

async function refuseTooMany(trx: Trx, userId: string): Promise<void> {
  const { count } = await trx
    .selectFrom('organizationMembers')
    .innerJoin('organizations', 'organizations.id', 'organizationMembers.organizationId')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .where('state', '<>', 'closed')
    .executeTakeFirstOrThrow()
  if (count > MOST_ORGANIZATIONS)
    stop('conflict', `You are in ${MOST_ORGANIZATIONS} organizations. Leave one first.`, { code: 'too_many_organizations' })
}

/** Locks an organization until the transaction ends: changes of its members run one after the other. */
export async function lockOrganization(trx: Trx, id: string): Promise<Row<'organizations'> | undefined> {
  return trx.selectFrom('organizations').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Finds an organization by its id or its reference. */
export async function findOrganizationId(asked: string): Promise<string | undefined> {
  const [column, value] = UUID.test(asked) ? (['id', asked] as const) : (['reference', asked.toUpperCase()] as const)
  return (await db.selectFrom('organizations').select('id').where(column, '=', value).executeTakeFirst())?.id
}

/** Undefined if there is none, or the person is not a member. */
export async function findOrganization({ id, role }: { id: string; role: MemberRole }): Promise<Organization | undefined> {
  const row = await withUsage(db).where('organizations.id', '=', id).executeTakeFirst()
  return row && toOrganization(row, role)
}

function withUsage(connection: Database | Trx) {
  return connection
    .selectFrom('organizations')
    .leftJoin('organizationQuotas as quota', (on) =>
      on.onRef('quota.organizationId', '=', 'organizations.id').on('quota.month', '=', thisMonth),
    )
    .selectAll('organizations')
    .select('quota.used')
}

function toOrganization(
  { createdAt, used, isPersonal, name, vatCheckedAt, ...row }: Row<'organizations'> & { used: number | null },
  role: MemberRole,
): Organization {
  return {
    ...row,
    isPersonal,
    name: isPersonal ? PERSONAL : name,
    used: used ?? 0,
    vatCheckedAt: vatCheckedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    role,
  }
}

/** Saves facts of an organization. Stops with a conflict when someone else has saved in between. */
export async function changeOrganization(id: string, { version, ...facts }: OrganizationChange, actor: Actor): Promise<void> {
  await transaction(async (trx) => {
    const before = (await lockOrganization(trx, id)) ?? stop('notFound', 'There is no such organization.')
    if (before.isPersonal && facts.name !== undefined)
      stop('conflict', 'A personal organization has no name. Create an organization for your company.', { code: 'personal_organization' })
    if (before.version !== version) {
      stop('conflict', 'Someone else has saved this organization in the meantime.', { code: 'version_conflict', current: before })
    }
    const recheck = facts.vatNumber !== undefined && facts.vatNumber !== before.vatNumber
    await trx
      .updateTable('organizations')
      .set({
        ...facts,
        ...(recheck && { vatState: 'not_checked' as const, vatCheckedAt: null, vatConsultation: null, vatEvidence: '' }),
        version: version + 1,
        updatedAt: now,
      })
      .where('id', '=', id)
      .execute()
    if (recheck && facts.vatNumber) await enqueue(trx, { kind: VAT_CHECK, payload: { organizationId: id } })
    await audit(trx, 'organization_changed', { ...by(actor), subjectId: id, detail: { facts: Object.keys(facts) } })
  })
}

type OnClosing = (trx: Trx, id: string, actor: Actor) => Promise<void>

const closing: OnClosing[] = []

/** Registers what ends with an organization, in the transaction that closes it. Each area adds its own. */
export function onClosing(run: OnClosing): void {
  closing.push(run)
}

/**
 * Closes an organization: its members, invitations, keys, grants and subscriptions end. Their past actions stay under their names. Its data is not deleted, so staff can
 * name a new admin.
 */
export async function closeOrganization(id: string, actor: Actor): Promise<void> {
  await transaction(async (trx) => {
    const row = await lockOrganization(trx, id)
    if (!row || row.state === 'closed') stop('notFound', 'There is no such organization.')
    if (row.isPersonal) stop('conflict', 'A personal organization ends with its account.', { code: 'personal_organization' })
    await refuseProcessing(trx, id)
    for (const run of closing) await run(trx, id, actor)
    await trx.updateTable('organizations').set({ state: 'closed', updatedAt: now }).where('id', '=', id).execute()
    await trx
      .updateTable('apiKeys')
      .set({ revokedAt: now, revokedBy: actor.id ?? null })
      .where('organizationId', '=', id)
      .where('revokedAt', 'is', null)
      .execute()
    await trx
      .updateTable('organizationInvitations')
      .set({ settledAt: now, outcome: 'revoked' })
      .where('organizationId', '=', id)
      .where('settledAt', 'is', null)
      .execute()
    await trx
      .updateTable('organizationJoinRequests')
      .set({ settledAt: now, outcome: 'declined' })
      .where('organizationId', '=', id)
      .where('settledAt', 'is', null)
      .execute()
    await audit(trx, 'organization_closed', { ...by(actor), subjectId: id })
  })
}

/** Stops for an organization that is being charged: its subscriptions and payments on their way end first. */
export async function refuseUnsettled(trx: Trx, id: string): Promise<void> {
  const subscription = await trx
    .selectFrom('subscriptions')
    .select('reference')
    .where('organizationId', '=', id)
    .where('state', 'in', ['active', 'grace'])
    .executeTakeFirst()
  if (subscription)
    stop('conflict', `The subscription ${subscription.reference} still runs. Cancel it first.`, { code: 'subscription_running' })
  await refuseProcessing(trx, id)
}

async function refuseProcessing(trx: Trx, id: string): Promise<void> {
  const order = await trx
    .selectFrom('orders')
    .select('reference')
    .where('organizationId', '=', id)
    .where('state', '=', 'processing')
    .executeTakeFirst()
  if (order)
    stop('conflict', `A payment of the order ${order.reference} is on its way. Wait until it has arrived.`, { code: 'order_processing' })
}
