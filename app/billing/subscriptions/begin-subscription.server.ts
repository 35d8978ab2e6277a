import { providerFor } from '#app/billing/payments/providers.server.ts'
import { insert, type Trx } from '#app/platform/database/db.server.ts'
import { newReference } from '#app/platform/database/reference.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'

type Given = Pick<Row<'subscriptions'>, 'organizationId' | 'userId' | 'productId' | 'offerId' | 'currency' | 'amount'> &
  Partial<Pick<Row<'subscriptions'>, 'taxBy'>>

/**
 * Makes the subscription of an order that is about to be placed. It starts with the first payment. An organization has one for a dataset. `amount` is the
 * price of a period before tax, without a discount.
 */
export async function beginSubscription(trx: Trx, given: Given): Promise<string> {
  const running = await trx
    .selectFrom('subscriptions')
    .select('reference')
    .where('organizationId', '=', given.organizationId)
    .where('productId', '=', given.productId)
    .where('state', 'in', ['active', 'grace'])
    .executeTakeFirst()
  if (running) {
    stop('conflict', `Your organization has a subscription to this dataset already: ${running.reference}. Change it at Billing.`, {
      code: 'subscription_running',
    })
  }
  const { name: provider } = providerFor()
  const { id } = await insert(trx, 'subscriptions', {
    ...given,
    reference: await freeReference(trx),
    state: 'incomplete',
    provider,
    isTest: provider === 'test',
  })
  return id
}

async function freeReference(trx: Trx): Promise<string> {
  for (;;) {
    const reference = newReference('S')
    const taken = await trx.selectFrom('subscriptions').select('id').where('reference', '=', reference).executeTakeFirst()
    if (!taken) return reference
  }
}
