import { newId, type Trx } from '#app/platform/database/db.server.ts'
import type { Row } from '#db/tables.ts'

type Account = Row<'ledgerEntries'>['account']

const accounts = [
  'receivable',
  'revenue',
  'prepayments',
  'tax',
  'cash',
  'fees',
  'disputed',
  'losses',
  'unallocated',
  'reminder_fees',
  'rounding',
] as const satisfies readonly Account[]

export type Booking = {
  /** The reason for the entries, such as `payment:` and its id. A cause is booked once, even if its event arrives again. */
  cause: string
  orderId: string | null
  paymentId?: string
  currency: string
  isTest: boolean
  occurredAt: Date
  /** Debits are positive. They sum to zero; the database refuses others. */
  amounts: Partial<Record<Account, number>>
}

/** Books a cause. Returns `false` if it was booked before. */
export async function book(trx: Trx, { amounts, paymentId, ...booking }: Booking): Promise<boolean> {
  const rows = accounts.flatMap((account) => {
    const amount = amounts[account] ?? 0
    return amount === 0 ? [] : { ...booking, id: newId(), paymentId: paymentId ?? null, account, amount }
  })
  if (rows.length === 0) return false
  const written = await trx
    .insertInto('ledgerEntries')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['cause', 'account', 'orderId']).doNothing())
    .returning('id')
    .execute()
  return written.length > 0
}
