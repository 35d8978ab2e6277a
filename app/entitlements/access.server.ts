import { accessTo, type Person } from '#app/datasets/access.server.ts'
import { MARKETPLACE } from '#app/datasets/addresses.ts'
import { stop } from '#app/platform/stop.ts'
import type { Row } from '#db/tables.ts'

export { accessTo } from '#app/datasets/access.server.ts'

type Product = Pick<Row<'dataProducts'>, 'id' | 'slug' | 'isFree'>

/** Lets someone have the data of a product, or stops: 401, 403, or 402 with the place where it can be asked for. */
export async function allowData(product: Product, person: Person | undefined): Promise<void> {
  const access = await accessTo(product, person)
  if (access === 'signIn') stop('notSignedIn', 'Please sign in first.')
  if (access === 'confirm') stop('forbidden', 'Please confirm your email address first.', { code: 'email_not_confirmed' })
  if (access === 'pay') {
    const checkoutUrl = `${MARKETPLACE}/${product.slug}#request-access`
    stop('paymentRequired', 'This dataset has to be paid for. Ask for access, and we will get in touch.', {
      code: 'payment_required',
      checkoutUrl,
    })
  }
}
