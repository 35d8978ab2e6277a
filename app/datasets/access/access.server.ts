import { accessTo, type DatasetVisitor } from '#app/datasets/catalog/access.server.ts'
import { MARKETPLACE } from '#app/datasets/catalog/addresses.ts'
import { findBuyPath } from '#app/datasets/catalog/offer.server.ts'
import type { CatalogEntry } from '#app/datasets/catalog/published-product.server.ts'
import { type ServedEntry, servedTo } from '#app/datasets/catalog/served-version.server.ts'
import { requireRight } from '#app/organizations/organization/membership.server.ts'
import type { OrganizationRight } from '#app/organizations/organization/organization.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'

export { accessTo } from '#app/datasets/catalog/access.server.ts'

type Rights = Extract<OrganizationRight, 'see' | 'take'>

/** Allows access to the data of a product, and returns it with the version that this person is served. */
export async function allowEntry(entry: CatalogEntry, person: DatasetVisitor | undefined, right: Rights = 'take'): Promise<ServedEntry> {
  await allowData(entry.product, person, right)
  return (await servedTo(entry, person)) ?? refuseUnpaid(entry.product)
}

type Product = Pick<Row<'dataProducts'>, 'id' | 'slug' | 'isFree' | 'currentVersionId'>

/**
 * Allows access to the data of a product, or throws: 401, 403, or 402 with the link to buy or request it. Readers of an organization see rows, and `take`
 * nothing along.
 */
export async function allowData(product: Product, person: DatasetVisitor | undefined, right: Rights = 'take'): Promise<void> {
  const access = await accessTo(product, person)
  if (access === 'signIn') stop('notSignedIn', 'Please sign in first.')
  if (access === 'confirm') stop('forbidden', 'Please confirm your email address first.', { code: 'email_not_confirmed' })
  if (access === 'pay') refuseUnpaid(product)
  if (person?.role === 'customer') requireRight(person.organization, right)
}

function refuseUnpaid(product: Product): never {
  const buyPath = findBuyPath(product)
  const way = buyPath ? 'Buy it at `checkoutUrl`.' : 'Send an access request, and we will email you an invoice.'
  const checkoutUrl = buyPath ?? `${MARKETPLACE}/${product.slug}#request-access`
  return stop('paymentRequired', `This dataset is paid. ${way}`, { code: 'payment_required', checkoutUrl })
}
