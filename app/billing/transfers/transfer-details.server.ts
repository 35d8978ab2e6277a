import { findOwed } from '#app/billing/payments/settlement.server.ts'
import { billing } from '#app/content/billing.server.ts'
import { transaction } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { moneyText } from '#app/platform/text/money.ts'
import type { Row } from '#db/tables.ts'
import { codePath, epcCode } from './epc-code.ts'

/** How an unpaid order is paid from a bank; undefined where it is not. */
export async function transferDetails(order: Row<'orders'>) {
  const { id, reference, currency, method, state } = order
  const { iban, bic = '', name } = billing
  if (!iban || state !== 'open' || (method !== 'invoice' && !env.PAYMENTS.includes('transfer'))) return undefined
  const { owed, invoice } = await transaction(async (trx) => ({
    owed: await findOwed(trx, order),
    invoice: await trx
      .selectFrom('invoices')
      .select('number')
      .where('orderId', '=', id)
      .where('kind', '!=', 'credit_note')
      .orderBy('createdAt', 'desc')
      .executeTakeFirst(),
  }))
  if (owed <= 0) return undefined
  const text = invoice?.number ?? reference
  const code = epcCode({ iban, bic, name, amount: owed, currency, reference: text })
  return {
    name,
    iban: iban.replaceAll(/(.{4})(?=.)/g, '$1 '),
    bic,
    amount: moneyText(owed, currency),
    reference: text,
    code: code ? { size: code.length, path: codePath(code) } : undefined,
  }
}

export type TransferDetails = NonNullable<Awaited<ReturnType<typeof transferDetails>>>
