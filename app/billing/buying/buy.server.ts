import { createHash } from 'node:crypto'
import { dataLicence } from '#app/content/data-licence.ts'
import { beginSubscription } from '#app/billing/subscriptions/begin-subscription.server.ts'
import { refreshVatNumber } from '#app/billing/tax/vat-number.server.ts'
import { sellsToConsumers } from '#app/billing/tax/tax.server.ts'
import { immediateSupply } from '#app/content/withdrawal.ts'
import { useDiscount } from '#app/billing/orders/discount.server.ts'
import type { OrderLicence, SupplyConsent } from '#app/billing/orders/order.ts'
import { placeOrder } from '#app/billing/orders/place-order.server.ts'
import { cancelOrder } from '#app/billing/payments/checkout.server.ts'
import { fulfilOrder } from '#app/billing/orders/fulfilment.server.ts'
import { provenAddress } from '#app/auth/users/account.server.ts'
import type { CatalogEntry } from '#app/datasets/catalog/published-product.server.ts'
import { listOffers } from '#app/datasets/catalog/offer.server.ts'
import { joinPerson } from '#app/organizations/members/member.server.ts'
import { changeOrganization, lockOrganization } from '#app/organizations/organization/organization.server.ts'
import type { Member } from '#app/organizations/organization/membership.server.ts'
import { db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { Stop, stop } from '#app/platform/errors/stop.ts'
import { moneyText } from '#app/platform/text/money.ts'
import type { Row } from '#db/tables.ts'
import type { BuyBody } from './buy-body.ts'
import { type Quote, quoteOf } from './quote.server.ts'

/** An order that nobody pays ends after a day. */
const ORDER_MS = 24 * 3_600_000

/** The facts that an invoice needs. */
export function lackingFacts({ legalName, countryCode, address }: Row<'organizations'>): ('legalName' | 'address' | 'countryCode')[] {
  const lacking = { legalName: legalName === '', address: address === '', countryCode: countryCode === '' }
  return (['legalName', 'address', 'countryCode'] as const).filter((name) => lacking[name])
}

export async function findBuyer(id: string): Promise<Row<'organizations'>> {
  const row = await db.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? stop('notFound', 'There is no such organization.')
}

/**
 * Orders a dataset for the organization of a member. While the same order is open, a second click or another tab gets that one. One whose price or
 * choice differs takes the place of the earlier one.
 */
export async function buyDataset({ product }: CatalogEntry, buyer: Member, body: BuyBody, address: string): Promise<Row<'orders'>> {
  const actor = { id: buyer.id, address }
  refuseIncomplete(await findBuyer(buyer.organization.id), body)
  await keepFacts(buyer.organization.id, body, actor)
  await refreshVatNumber(buyer.organization.id)
  const organization = await findBuyer(buyer.organization.id)
  const offers = await listOffers(product)
  const offer = offers.find(({ id }) => (id ?? '') === body.offer)
  if (!offer) return stop('conflict', 'This offer has ended. Please choose another one.', { errors: { offer: 'Choose an offer' } })
  const quote = await quoteOf({ product, organization, offer, code: body.code })
  refuseOtherPrice(quote, body.expected)
  const licence = acceptedLicence(product, buyer.id)
  for (;;) {
    const outcome = await transaction((trx) => place(trx, { product, buyer, organization, quote, licence, body }, actor))
    if ('order' in outcome) return outcome.order
    await cancelOrder(outcome.earlier, actor)
  }
}

type Placing = {
  product: Row<'dataProducts'>
  buyer: Member
  organization: Row<'organizations'>
  quote: Quote
  licence: OrderLicence
  body: BuyBody
}

async function place(
  trx: Trx,
  { product, buyer, organization, quote, licence, body }: Placing,
  actor: { id: string; address: string },
): Promise<{ order: Row<'orders'> } | { earlier: string }> {
  // Two orders of an organization are placed one after the other.
  const locked = await lockOrganization(trx, organization.id)
  if (locked?.state !== 'active') stop('conflict', 'This organization cannot order now.', { code: 'organization_suspended' })
  await refuseChanged(trx, product)
  const { offer, totals, discount, taxBy } = quote
  const known = await trx
    .selectFrom('orders')
    .selectAll()
    .where('organizationId', '=', organization.id)
    .where('productId', '=', product.id)
    .where('kind', '=', 'dataset')
    // One by invoice is owed and has its access, so no later order takes its place.
    .where('method', '=', 'checkout')
    .where('state', 'in', ['open', 'processing'])
    .executeTakeFirst()
  if (known?.state === 'processing') stop('conflict', 'A payment for this dataset is on its way.', { code: 'order_processing' })
  const isSame =
    known?.offerId === offer.id &&
    known.gross === totals.gross &&
    known.taxBy === taxBy &&
    known.isBusiness === body.isBusiness &&
    known.currency === offer.currency &&
    known.purchaseOrder === body.purchaseOrder &&
    known.discountCodeId === (discount?.id ?? null) &&
    (known.expiresAt === null || known.expiresAt > new Date())
  if (known && isSame) return { order: known }
  if (known) return { earlier: known.id }
  const { id: offerId, charged, currency, amount } = offer
  const subscribed = { organizationId: organization.id, userId: buyer.id, productId: product.id, currency, amount, taxBy }
  const subscriptionId = offerId && charged !== 'once' ? await beginSubscription(trx, { ...subscribed, offerId }) : null
  const order = await placeOrder(
    trx,
    {
      kind: 'dataset',
      organizationId: organization.id,
      userId: buyer.id,
      productId: product.id,
      offerId,
      subscriptionId,
      title: product.name,
      currency: offer.currency,
      includes: offer.includes,
      totals,
      taxBy,
      licence,
      supplyConsent: body.isConsumer ? acceptedSupply(buyer.id) : undefined,
      discountCodeId: discount?.id ?? null,
      purchaseOrder: body.purchaseOrder,
      isBusiness: body.isBusiness,
      expiresAt: new Date(Date.now() + ORDER_MS),
    },
    actor,
  )
  if (discount) await useDiscount(trx, discount, order)
  await joinBuyer(trx, buyer)
  // A discount of the whole price leaves nothing to pay.
  if (order.gross > 0) return { order }
  await fulfilOrder(trx, order.id)
  return { order: { ...order, state: 'paid' } }
}

/** The leads of a person who orders for a company belong to it. */
async function joinBuyer(trx: Trx, { id, organization }: Member): Promise<void> {
  const email = organization.isPersonal ? null : await provenAddress(id, trx)
  if (email) await joinPerson(trx, email, organization.id)
}

/** The price can change, and the dataset can be withdrawn, between the page and the click. */
async function refuseChanged(trx: Trx, { id, version }: Row<'dataProducts'>): Promise<void> {
  const now = await trx
    .selectFrom('dataProducts')
    .select('version')
    .where('id', '=', id)
    .where('removedAt', 'is', null)
    .where('hidden', '=', false)
    .executeTakeFirst()
  if (!now) stop('conflict', 'This dataset has just been withdrawn.', { code: 'withdrawn' })
  if (now.version !== version) stop('conflict', 'This dataset has just been changed. Please look at it again.', { code: 'changed' })
}

function refuseOtherPrice({ totals: { gross }, offer: { currency } }: Quote, expected: number | undefined): void {
  if (expected === undefined || expected === gross) return
  stop('conflict', `The total is now ${moneyText(gross, currency)}. Please check it and order again.`, { code: 'price_changed' })
}

function refuseIncomplete(organization: Row<'organizations'>, body: BuyBody): void {
  const ofKind = kindErrors(organization, body)
  // In the order of the form, which begins with this choice.
  const errors: Record<string, string> = 'buysAs' in ofKind ? { ...ofKind } : {}
  const missing = body.isConsumer
    ? { legalName: 'Enter your name', address: 'Enter your address', countryCode: 'Choose your country' }
    : {
        legalName: offersChoice(organization) ? 'Enter your company, or your name' : 'Enter the name of your company',
        address: 'Enter your address',
        countryCode: 'Choose your country',
      }
  for (const name of lackingFacts(organization)) if (!body[name]) errors[name] = missing[name]
  if (organization.needsPurchaseOrder && !body.purchaseOrder) errors['purchaseOrder'] = 'Your organization asks for a purchase order number'
  if (!body.acceptsLicence) errors['acceptsLicence'] = 'Accept the license'
  Object.assign(errors, ofKind)
  if (Object.keys(errors).length > 0) stop('unprocessable', 'Please correct the form.', { code: 'validation_failed', errors })
}

/** Private persons buy for themselves alone, never in the name of a company. */
export function offersChoice({ isPersonal }: Pick<Row<'organizations'>, 'isPersonal'>): boolean {
  return isPersonal && sellsToConsumers()
}

function kindErrors(organization: Row<'organizations'>, { isBusiness, isConsumer, acceptsSupply }: BuyBody): Record<string, string> {
  const mayChoose = offersChoice(organization)
  if (mayChoose && isBusiness === isConsumer) return { buysAs: 'Choose whether you buy for your business or for yourself' }
  if (!mayChoose && !isBusiness) return { isBusiness: 'Confirm that you buy for your business: we sell to businesses only' }
  return isConsumer && !acceptsSupply ? { acceptsSupply: 'Agree that the supply begins at once: access starts with the payment' } : {}
}

/** The first order saves missing facts of the organization. Facts that an admin has entered are not overwritten. */
async function keepFacts(id: string, body: BuyBody, actor: { id: string; address: string }): Promise<void> {
  const row = await findBuyer(id)
  const lacking = lackingFacts(row)
  const facts = {
    ...Object.fromEntries(lacking.map((name) => [name, body[name] ?? ''])),
    ...(row.vatNumber === '' && body.vatNumber && !body.isConsumer && { vatNumber: body.vatNumber }),
    ...(row.kind !== kindOf(body) && { kind: kindOf(body) }),
  }
  if (Object.keys(facts).length === 0) return
  try {
    await changeOrganization(id, { ...facts, version: row.version }, actor)
  } catch (error) {
    if (!(error instanceof Stop) || error.extra.code !== 'version_conflict') throw error
    // A second click or another tab has saved them first.
    await keepFacts(id, body, actor)
  }
}

function kindOf({ isConsumer }: BuyBody): 'business' | 'consumer' {
  return isConsumer ? 'consumer' : 'business'
}

function acceptedSupply(acceptedBy: string): SupplyConsent {
  return { ...immediateSupply, acceptedAt: new Date().toISOString(), acceptedBy }
}

function acceptedLicence(product: Row<'dataProducts'>, acceptedBy: string): OrderLicence {
  const { version, paragraphs } = dataLicence(product)
  const text = paragraphs.join('\n\n')
  const hash = createHash('sha256').update(text).digest('hex')
  return { version, hash, text, acceptedAt: new Date().toISOString(), acceptedBy }
}
