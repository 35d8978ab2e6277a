import { randomBytes } from 'node:crypto'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { identity } from '#app/content/identity.ts'
import { db, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { breaks } from '#app/platform/database/database-error.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { lockOrganization } from '#app/organizations/organization/organization.server.ts'
import { type OrganizationDomain, RESTORE_MINUTES } from './domain.ts'
import { isPublicMail } from './public-mail.server.ts'
import { hasText } from './txt-record.server.ts'

const MOST_DOMAINS = 50

const domainColumns = ['id', 'domain', 'challenge', 'provenAt', 'provenBy'] as const

export async function listDomains(organizationId: string): Promise<OrganizationDomain[]> {
  const rows = await db
    .selectFrom('organizationDomains')
    .select(domainColumns)
    .where('organizationId', '=', organizationId)
    .where('removedAt', 'is', null)
    .orderBy('domain')
    .execute()
  return rows.map(({ provenAt, ...row }) => ({ ...row, provenAt: provenAt?.toISOString() ?? null }))
}

/** Adds a domain that is still to be proven. One that was removed before keeps its record. */
export async function addDomain(organizationId: string, domain: string, actor: Actor): Promise<void> {
  if (isPublicMail(domain)) {
    const sentence = `Anyone can have an address at ${domain}, so it cannot belong to one organization`
    stop('unprocessable', `${sentence}.`, { errors: { domain: sentence } })
  }
  await transaction(async (trx) => {
    await lockCompany(trx, organizationId)
    const kept = await trx
      .selectFrom('organizationDomains')
      .select(['id', 'domain', 'removedAt'])
      .where('organizationId', '=', organizationId)
      .execute()
    const known = kept.find((each) => each.domain === domain)
    if (known && !known.removedAt) {
      const sentence = 'This domain is already in the list'
      stop('unprocessable', `${sentence}.`, { errors: { domain: sentence } })
    }
    if (kept.filter(({ removedAt }) => !removedAt).length >= MOST_DOMAINS)
      stop('conflict', `An organization has at most ${MOST_DOMAINS} domains.`, { code: 'too_many_domains' })
    const again = { removedAt: null, provenAt: null, provenBy: null }
    await (known
      ? trx.updateTable('organizationDomains').set(again).where('id', '=', known.id).execute()
      : trx.insertInto('organizationDomains').values({ id: newId(), organizationId, domain, challenge: newChallenge() }).execute())
    await audit(trx, 'organization_domain_added', { ...by(actor), subjectId: organizationId, detail: { domain } })
  })
}

/** Looks for the record in the DNS. Nothing is locked while the name servers are asked. */
export async function checkDomain(organizationId: string, id: string, actor: Actor): Promise<void> {
  const { domain, challenge, provenAt } = await findDomain(organizationId, id)
  if (provenAt) return
  const found = await hasText(domain, challenge)
  if (found === 'away')
    stop('unavailable', `The name servers of ${domain} did not answer. Please try again in a few minutes.`, { code: 'dns_away' })
  if (found === 'missing') {
    const sentence = `${domain} has no such TXT record yet. A new record can take an hour to be seen everywhere.`
    stop('conflict', sentence, { code: 'record_missing' })
  }
  await proveDomain(organizationId, id, 'dns', actor)
}

/** Of two organizations that prove one domain, the second is refused. Only who holds the domain, or staff, get that far and learn of the first. */
export async function proveDomain(organizationId: string, id: string, provenBy: 'dns' | 'staff', actor: Actor): Promise<void> {
  const { domain, provenAt } = await findDomain(organizationId, id)
  if (provenAt) return
  await refusingDouble(domain, (trx) => settleProof(trx, { organizationId, id, provenBy }, actor))
}

type Proof = { organizationId: string; id: string; provenBy: 'dns' | 'staff' }

async function settleProof(trx: Trx, { organizationId, id, provenBy }: Proof, actor: Actor): Promise<void> {
  await lockCompany(trx, organizationId)
  const proven = await trx
    .updateTable('organizationDomains')
    .set({ provenAt: now, provenBy })
    .where('id', '=', id)
    .where('provenAt', 'is', null)
    .where('removedAt', 'is', null)
    .returning('domain')
    .executeTakeFirst()
  if (!proven) return
  const detail = { domain: proven.domain, how: provenBy }
  await audit(trx, 'organization_domain_proven', { ...by(actor), subjectId: organizationId, detail })
}

/** From now on its people are offered nothing. Those who have joined stay. */
export async function removeDomain(organizationId: string, id: string, actor: Actor): Promise<void> {
  await transaction(async (trx) => {
    await lockCompany(trx, organizationId)
    const removed = await trx
      .updateTable('organizationDomains')
      .set({ removedAt: now })
      .where('id', '=', id)
      .where('organizationId', '=', organizationId)
      .where('removedAt', 'is', null)
      .returning('domain')
      .executeTakeFirst()
    if (!removed) stop('notFound', 'There is no such domain.')
    await audit(trx, 'organization_domain_removed', { ...by(actor), subjectId: organizationId, detail: { domain: removed.domain } })
  })
}

/** Undoes a removal: a proven domain is proven again, unless another organization has proven it since. */
export async function restoreDomain(organizationId: string, id: string, actor: Actor): Promise<void> {
  await refusingDouble('This domain', async (trx) => {
    await lockCompany(trx, organizationId)
    const restored = await trx
      .updateTable('organizationDomains')
      .set({ removedAt: null })
      .where('id', '=', id)
      .where('organizationId', '=', organizationId)
      .where('removedAt', '>', new Date(Date.now() - RESTORE_MINUTES * 60_000))
      .returning('domain')
      .executeTakeFirst()
    if (!restored) stop('notFound', 'This domain can no longer be restored. Please add it again.')
    await audit(trx, 'organization_domain_restored', { ...by(actor), subjectId: organizationId, detail: { domain: restored.domain } })
  })
}

async function refusingDouble(domain: string, change: (trx: Trx) => Promise<void>): Promise<void> {
  try {
    await transaction(change)
  } catch (error) {
    if (!breaks(error, 'organization_domains_one_proven')) throw error
    stop('conflict', `${domain} was proven by another organization. If it is yours, please contact us.`, { code: 'domain_taken' })
  }
}

async function findDomain(organizationId: string, id: string): Promise<{ domain: string; challenge: string; provenAt: Date | null }> {
  const found = await db
    .selectFrom('organizationDomains')
    .select(['domain', 'challenge', 'provenAt'])
    .where('id', '=', id)
    .where('organizationId', '=', organizationId)
    .where('removedAt', 'is', null)
    .executeTakeFirst()
  return found ?? stop('notFound', 'There is no such domain.')
}

async function lockCompany(trx: Trx, id: string): Promise<void> {
  const organization = await lockOrganization(trx, id)
  if (!organization || organization.state === 'closed') stop('notFound', 'There is no such organization.')
  if (organization.isPersonal) stop('conflict', 'A personal organization has no domains.', { code: 'personal_organization' })
}

/** Its name says who asked for the record, for whoever tidies up the DNS years later. */
function newChallenge(): string {
  const name = identity.name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return `${name || 'site'}-verification=${randomBytes(18).toString('base64url')}`
}
