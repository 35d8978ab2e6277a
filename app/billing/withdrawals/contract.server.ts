import { currentAccounts } from '#app/auth/users/account.server.ts'
import { onPaid } from '#app/billing/orders/fulfilment.server.ts'
import { billing } from '#app/content/billing.server.ts'
import { identity } from '#app/content/identity.ts'
import { legalMarkdown } from '#app/content/legal-text.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { moneyText } from '#app/platform/text/money.ts'
import { inUtc } from '#app/auth/tokens/email-time.ts'
import { contractEmail } from './withdrawal.email.tsx'

/** A private person gets the whole contract by email, with its terms and their consent, when access begins. */
onPaid('dataset', async (trx, order) => {
  if (!order.supplyConsent || !order.userId) return
  const account = await currentAccounts(trx).select('accounts.email').where('accounts.id', '=', order.userId).executeTakeFirst()
  if (!account?.email) return
  const { legalName, address } = await trx
    .selectFrom('organizations')
    .select(['legalName', 'address'])
    .where('id', '=', order.organizationId)
    .executeTakeFirstOrThrow()
  const text = (amount: number) => moneyText(amount, order.currency)
  const { name, street, postcode, city, country } = billing
  await enqueueEmail(
    trx,
    contractEmail(account.email, {
      reference: order.reference,
      title: order.title,
      detail: order.lines.map(({ detail }) => detail).join(', '),
      amounts: [
        ['Price', text(order.net)],
        ['Tax', text(order.tax)],
        ['Total', text(order.gross)],
      ],
      at: inUtc(order.createdAt.toISOString()),
      seller: `${name}, ${street}, ${postcode} ${city}, ${country}, ${billing.email ?? identity.email}`,
      buyer: `${legalName}, ${address.replaceAll('\n', ', ')}`,
      licence: order.licence?.text ?? '',
      consent: { text: order.supplyConsent.text, at: inUtc(order.supplyConsent.acceptedAt) },
      terms: legalMarkdown('terms-of-service')
        .replaceAll(/\*\*|^## /gm, '')
        .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1'),
    }),
  )
})
