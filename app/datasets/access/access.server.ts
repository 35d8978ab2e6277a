import { accessTo, type DatasetVisitor } from '#app/datasets/catalog/access.server.ts'
import { MARKETPLACE } from '#app/datasets/catalog/addresses.ts'
import { requireRight } from '#app/organizations/organization/membership.server.ts'
import type { OrganizationRight } from '#app/organizations/organization/organization.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'

export { accessTo } from '#app/datasets/catalog/access.server.ts'

type Product = Pick<Row<'dataProducts'>, 'id' | 'slug' | 'isFree'>

/**
 * Allows access to the data of a product, or throws: 401, 403, or 402 with the link to request it. Readers of an organization see rows, and `take`
 * nothing along.
 */
export async function allowData(
  product: Product,
  person: DatasetVisitor | undefined,
  right: Extract<OrganizationRight, 'see' | 'take'> = 'take',
): Promise<void> {
  const access = await accessTo(product, person)
  if (access === 'signIn') stop('notSignedIn', 'Please sign in first.')
  if (access === 'confirm') stop('forbidden', 'Please confirm your email address first.', { code: 'email_not_confirmed' })
  if (access === 'pay') {
    const checkoutUrl = `${MARKETPLACE}/${product.slug}#request-access`
    stop('paymentRequired', 'This dataset is paid. Send an access request, and we will email you an invoice.', {
      code: 'payment_required',
      checkoutUrl,
    })
  }
  if (person?.role === 'customer') requireRight(person.organization, right)
}
