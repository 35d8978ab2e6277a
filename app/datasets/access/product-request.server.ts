import type { Member } from '#app/organizations/organization/membership.server.ts'
import { requireRight } from '#app/organizations/organization/membership.server.ts'
import { type Actor, audit, by, organizationDetail } from '#app/auth/users/audit.server.ts'
import { type Enquiry, toEnquiry } from '#app/leads/lead/contact.ts'
import { settleBy } from '#app/leads/lead/lead-status.server.ts'
import { receiveEnquiry } from '#app/leads/form/contact.server.ts'
import { aboutLead } from '#app/leads/lead/reply-address.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { breaks } from '#app/platform/database/database-error.ts'
import { db, insert, transaction } from '#app/platform/database/db.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import { consume, type Limit } from '#app/platform/guard/limits.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { directory } from '#app/auth/directory/directory.server.ts'
import type { Row } from '#db/tables.ts'
import { accessTo, allowData } from './access.server.ts'
import { datasetDeclinedEmail } from './dataset-access.email.tsx'
import type { ProductRequest } from './entitlement.ts'
import { accessNotice } from './grant.server.ts'

type Product = Pick<Row<'dataProducts'>, 'id' | 'slug' | 'name' | 'isFree' | 'currentVersionId'>
type Asked = { id: string; createdAt: string }

/** Each request creates a lead and two emails. */
const perPerson: Limit = { name: 'product-requests', points: 20, seconds: 24 * 3600 }
const MOST_LISTED = 500

/**
 * Requests a product for an organization: stores the request and its lead in one transaction. While a request of the organization is open, another one
 * returns it.
 */
export async function requestProduct(product: Product, person: Member, message: string, address: string): Promise<Asked> {
  const access = await accessTo(product, person)
  if (access === 'granted') stop('conflict', 'You already have access to this dataset.', { code: 'already_granted' })
  if (access !== 'pay') await allowData(product, person)
  requireRight(person.organization, 'take')
  const organizationId = person.organization.id
  const open = await findOpen(product.id, organizationId)
  if (open) return open
  await consume(perPerson, person.id)
  const enquiry = await enquiryOf(product, person, message)
  try {
    await receiveEnquiry(
      enquiry,
      { outcome: 'clean', score: 0, reasons: [] },
      { address },
      {
        request: { dataset: product.name, by: person.id },
        async insert(trx, { id: contactId }) {
          await insert(trx, 'productRequests', { productId: product.id, organizationId, userId: person.id, contactId, message })
          const detail = { product: product.slug, ...organizationDetail(person.id, organizationId) }
          await audit(trx, 'dataset_requested', { actorId: person.id, subjectId: person.id, detail })
        },
      },
    )
  } catch (error) {
    if (!breaks(error, 'product_requests_one_open')) throw error
  }
  return (await findOpen(product.id, organizationId)) ?? stop('conflict', 'Your request has just been answered.')
}

/** Open requests, oldest first; with `all`, answered ones as well, newest first. */
export async function listProductRequests({ all = false } = {}): Promise<ProductRequest[]> {
  const rows = await db
    .selectFrom('productRequests')
    .innerJoin('dataProducts', 'dataProducts.id', 'productRequests.productId')
    .innerJoin('organizations', 'organizations.id', 'productRequests.organizationId')
    .selectAll('productRequests')
    .select(['dataProducts.slug', 'dataProducts.name as product', 'organizations.name as organizationName', 'isPersonal'])
    .select((row) => row.selectFrom('accounts').select('accounts.email').whereRef('accounts.id', '=', 'productRequests.userId').as('email'))
    .$if(!all, (query) => query.where('settledAt', 'is', null))
    .orderBy('productRequests.createdAt', all ? 'desc' : 'asc')
    .limit(MOST_LISTED)
    .execute()
  return rows.map(({ organizationId, organizationName, isPersonal, ...row }) => ({
    ...row,
    ...(!isPersonal && { organization: { id: organizationId, name: organizationName, isPersonal } }),
    createdAt: row.createdAt.toISOString(),
    settledAt: row.settledAt?.toISOString() ?? null,
  }))
}

/** An open request with its user and product. */
export async function findOpenRequest(id: string): Promise<Row<'productRequests'> | undefined> {
  return db.selectFrom('productRequests').selectAll().where('id', '=', id).where('settledAt', 'is', null).executeTakeFirst()
}

/** Declines a request once and emails the reason. Returns `false` if it is not open. */
export async function declineRequest(id: string, reason: string, decliner: Actor): Promise<boolean> {
  const asked = await findOpenRequest(id)
  if (!asked) return false
  const user = await directory.findUser(asked.userId)
  return transaction(async (trx) => {
    const open = trx.updateTable('productRequests').set({ settledAt: new Date(), outcome: 'declined' })
    const settled = await open.where('id', '=', id).where('settledAt', 'is', null).returning('id').executeTakeFirst()
    if (!settled) return false
    const product = await trx
      .selectFrom('dataProducts')
      .select(['slug', 'name'])
      .where('id', '=', asked.productId)
      .executeTakeFirstOrThrow()
    if (asked.contactId && decliner.id) await settleBy(trx, asked.contactId, decliner.id)
    const detail = { product: product.slug, ...organizationDetail(asked.userId, asked.organizationId) }
    await audit(trx, 'dataset_declined', { ...by(decliner), subjectId: asked.userId, detail })
    await enqueue(trx, accessNotice('declined', [asked.userId], product, id))
    if (user?.email) await enqueueEmail(trx, aboutLead(datasetDeclinedEmail(user.email, { ...product, reason }), asked.contactId))
    return true
  })
}

async function findOpen(productId: string, organizationId: string): Promise<Asked | undefined> {
  const open = await db
    .selectFrom('productRequests')
    .select(['id', 'createdAt'])
    .where('productId', '=', productId)
    .where('organizationId', '=', organizationId)
    .where('settledAt', 'is', null)
    .executeTakeFirst()
  return open && { id: open.id, createdAt: open.createdAt.toISOString() }
}

/** The text of the lead. An account has no country. */
async function enquiryOf({ name, slug }: Product, { id, email, firstName, organization }: Member, message: string): Promise<Enquiry> {
  const known = (await directory.findUser(id))?.name ?? firstName
  return toEnquiry({
    form: 'contact',
    name: known?.slice(0, 120) ?? email,
    email,
    country: 'Not specified',
    problem: `Access to ${name}`,
    message: message || `Please give me access to ${name} (${slug}).`,
    company: organization.isPersonal ? null : organization.name,
  })
}
