import { findOwed } from '#app/billing/payments/settlement.server.ts'
import { billing } from '#app/content/billing.server.ts'
import { transaction } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { moneyText } from '#app/platform/text/money.ts'
import type { Row } from '#db/tables.ts'
import { codePath, epcCode } from '#app/billing/invoices/epc-code.ts'

/** The account that transfers go to, as people read it; undefined where there is none. */
export function bankAccount(): { name: string; iban: string; bic: string } | undefined {
  const { iban, bic = '', name } = billing
  return iban ? { name, iban: iban.replaceAll(/(.{4})(?=.)/g, '$1 '), bic } : undefined
}

/** How an unpaid order is paid from a bank; undefined where it is not. */
export async function transferDetails(order: Row<'orders'>) {
  const { id, reference, currency, method, state, taxBy } = order
  if (taxBy === 'provider') return undefined
  const account = bankAccount()
  if (!account || state !== 'open' || (method !== 'invoice' && !env.PAYMENTS.includes('transfer'))) return undefined
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
  const code = epcCode({ ...account, amount: owed, currency, reference: text })
  return {
    ...account,
    amount: moneyText(owed, currency),
    reference: text,
    code: code ? { size: code.length, path: codePath(code) } : undefined,
  }
}

export type TransferDetails = NonNullable<Awaited<ReturnType<typeof transferDetails>>>
