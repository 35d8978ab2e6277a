import type { Generated } from 'kysely'
import type { CreatedAt } from './column-kinds.ts'

/** The tables of bank statements, reminders and closed months. Amounts are in the smallest unit of their currency. */
export type TransferTables = {
  bankFiles: BankFiles
  bankLines: BankLines
  orderReminders: OrderReminders
  closedMonths: ClosedMonths
}

type BankFiles = {
  id: string
  name: string
  format: 'camt' | 'csv'
  importedBy: string | null
  createdAt: CreatedAt
}

type BankLines = {
  id: string
  fileId: string
  identity: string
  account: string
  bookedOn: string
  amount: number
  currency: string
  payer: Generated<string>
  payerAccount: Generated<string>
  purpose: Generated<string>
  bankReference: Generated<string>
  isReturn: Generated<boolean>
  instructedAmount: number | null
  instructedCurrency: string | null
  fee: Generated<number>
  state: 'open' | 'booked' | 'ignored'
  paymentId: string | null
  /** The refund that an outgoing line paid back. */
  refundId: string | null
  /** Null: it was booked by its reference and amount. */
  decidedBy: string | null
  decidedAt: Date | null
  createdAt: CreatedAt
}

type OrderReminders = {
  orderId: string
  step: number
  interest: Generated<number>
  fee: Generated<number>
  sentAt: Generated<Date>
}

type ClosedMonths = {
  /** Its first day. */
  month: string
  endsAt: Date
  closedBy: string | null
  closedAt: Generated<Date>
}
