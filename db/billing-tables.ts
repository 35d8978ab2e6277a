import type { Generated } from 'kysely'
import type { ProposalContent } from '#app/billing/proposals/proposal.ts'
import type { OrderLicence, OrderLine, ProviderTax, SupplyConsent, TaxPart } from '#app/billing/orders/order.ts'
import type { Json, JsonWithDefault, CreatedAt } from './column-kinds.ts'

/** The tables of orders, payments and the ledger. Amounts are in the smallest unit of their currency. */
export type BillingTables = {
  productOffers: ProductOffers
  discountCodes: DiscountCodes
  discountUses: DiscountUses
  subscriptions: Subscriptions
  orders: Orders
  orderWithdrawals: OrderWithdrawals
  checkouts: Checkouts
  payments: Payments
  paymentAllocations: PaymentAllocations
  refunds: Refunds
  billingTasks: BillingTasks
  disputes: Disputes
  paymentEvents: PaymentEvents
  ledgerEntries: LedgerEntries
  testPaymentObjects: TestPaymentObjects
  proposals: Proposals
  proposalQuestions: ProposalQuestions
  proposalFiles: ProposalFiles
}

type LedgerAccount =
  | 'receivable'
  | 'revenue'
  | 'prepayments'
  | 'tax'
  | 'cash'
  | 'fees'
  | 'disputed'
  | 'losses'
  | 'unallocated'
  | 'reminder_fees'
  | 'rounding'

type ProviderName = 'test' | 'stripe'

type ProductOffers = {
  id: string
  productId: string
  charged: 'once' | 'month' | 'quarter' | 'year'
  currency: string
  amount: number
  includes: 'version' | 'year' | 'feed'
  nextAmount: number | null
  nextAmountFrom: Date | null
  archivedAt: Date | null
  createdAt: CreatedAt
}

type DiscountCodes = {
  id: string
  code: string
  /** Of 10,000. */
  share: number | null
  amount: number | null
  currency: string | null
  productId: string | null
  mostUses: number | null
  expiresAt: Date | null
  archivedAt: Date | null
  createdBy: string | null
  createdAt: CreatedAt
}

type DiscountUses = {
  codeId: string
  organizationId: string
  orderId: string
  createdAt: CreatedAt
}

type Subscriptions = {
  id: string
  reference: string
  organizationId: string
  userId: string | null
  productId: string
  offerId: string
  state: 'incomplete' | 'active' | 'grace' | 'ended'
  currency: string
  amount: number
  provider: ProviderName | 'transfer'
  providerId: string | null
  periodStart: Date | null
  periodEnd: Date | null
  endsAtPeriodEnd: Generated<boolean>
  graceUntil: Date | null
  endedAt: Date | null
  endReason: Generated<string>
  remindedFor: Date | null
  nextAmount: number | null
  nextAmountFrom: Date | null
  nextOfferId: string | null
  taxBy: Generated<'table' | 'provider'>
  isTest: Generated<boolean>
  version: Generated<number>
  createdAt: CreatedAt
  updatedAt: Generated<Date>
}

type Orders = {
  id: string
  reference: string
  kind: 'dataset' | 'renewal' | 'deposit' | 'final' | 'fee'
  organizationId: string
  userId: string | null
  productId: string | null
  offerId: string | null
  subscriptionId: string | null
  proposalId: string | null
  title: string
  currency: string
  lines: Json<OrderLine[]>
  taxParts: JsonWithDefault<TaxPart[]>
  net: number
  tax: number
  gross: number
  taxBy: Generated<'table' | 'provider'>
  providerTax: Json<ProviderTax | null> | null
  state: Generated<'open' | 'processing' | 'paid' | 'failed' | 'expired' | 'cancelled'>
  method: Generated<'checkout' | 'invoice'>
  discountCodeId: string | null
  purchaseOrder: Generated<string>
  includes: 'version' | 'year' | 'feed' | null
  licence: Json<OrderLicence | null> | null
  supplyConsent: Json<SupplyConsent | null> | null
  isBusiness: Generated<boolean>
  isTest: Generated<boolean>
  expiresAt: Date | null
  dueAt: Date | null
  paidAt: Date | null
  grantedAt: Date | null
  failure: Generated<string>
  remindersPaused: Generated<boolean>
  /** Cancelling it waits for a second person. */
  cancelAskedBy: string | null
  cancelReason: Generated<string>
  periodStart: Date | null
  periodEnd: Date | null
  version: Generated<number>
  createdAt: CreatedAt
  updatedAt: Generated<Date>
}

type OrderWithdrawals = {
  id: string
  orderId: string
  name: string
  email: string
  statement: string
  state: Generated<'received' | 'refunded' | 'staff' | 'cancelled'>
  reason: Generated<string>
  createdAt: CreatedAt
  updatedAt: Generated<Date>
}

type Checkouts = {
  id: string
  orderId: string
  provider: ProviderName
  providerId: string | null
  url: Generated<string>
  state: Generated<'open' | 'processing' | 'complete' | 'failed' | 'expired'>
  amount: number
  currency: string
  expiresAt: Date | null
  createdAt: CreatedAt
}

type Payments = {
  id: string
  /** Null: a transfer that no organization could be found for. */
  organizationId: string | null
  provider: ProviderName | 'transfer'
  providerId: string
  checkoutId: string | null
  amount: number
  currency: string
  fee: number | null
  enteredBy: string | null
  note: Generated<string>
  isTest: Generated<boolean>
  paidAt: Date
  createdAt: CreatedAt
}

type PaymentAllocations = {
  id: string
  paymentId: string
  orderId: string
  amount: number
  actorId: string | null
  createdAt: CreatedAt
}

type Refunds = {
  id: string
  orderId: string | null
  paymentId: string
  providerId: string | null
  amount: number
  currency: string
  reason: Generated<string>
  state: 'asked' | 'pending' | 'succeeded' | 'failed' | 'declined'
  askedBy: string | null
  approvedBy: string | null
  /** Why it failed or was declined. */
  failure: Generated<string>
  createdAt: CreatedAt
  updatedAt: Generated<Date>
}

type Disputes = {
  id: string
  orderId: string | null
  paymentId: string
  providerId: string
  amount: number
  currency: string
  fee: Generated<number>
  reason: Generated<string>
  state: 'inquiry' | 'open' | 'won' | 'lost'
  evidenceDueAt: Date | null
  createdAt: CreatedAt
  updatedAt: Generated<Date>
}

type BillingTasks = {
  id: string
  kind: 'difference' | 'refund_failed' | 'late_payment' | 'double_subscription' | 'dispute' | 'withdrawal' | 'refund_asked' | 'cancel_asked'
  about: string
  title: string
  ours: Generated<string>
  theirs: Generated<string>
  orderId: string | null
  paymentId: string | null
  subscriptionId: string | null
  isTest: Generated<boolean>
  doneAt: Date | null
  askedBy: string | null
  doneBy: string | null
  note: Generated<string>
  createdAt: CreatedAt
}

type PaymentEvents = {
  id: string
  provider: ProviderName
  eventId: string
  kind: string
  objectKind: string
  objectId: string
  body: string
  occurredAt: Date
  receivedAt: Generated<Date>
  appliedAt: Date | null
  refusal: Generated<string>
}

type LedgerEntries = {
  id: string
  orderId: string | null
  paymentId: string | null
  cause: string
  account: LedgerAccount
  amount: number
  currency: string
  isTest: Generated<boolean>
  occurredAt: Generated<Date>
  createdAt: CreatedAt
}

type TestPaymentObjects = {
  id: string
  kind: string
  body: Json<Record<string, unknown>>
  createdAt: CreatedAt
  updatedAt: Generated<Date>
}

/** Each row is one version. */
type Proposals = {
  id: string
  reference: string
  number: Generated<number>
  contactId: string | null
  organizationId: string | null
  state: Generated<'draft' | 'sent' | 'accepted' | 'declined' | 'expired' | 'withdrawn' | 'replaced'>
  content: Json<ProposalContent>
  contentHash: string | null
  sentAt: Date | null
  sentBy: string | null
  sentTo: string | null
  openedAt: Date | null
  validUntil: Date
  reminders: Generated<number>
  settledAt: Date | null
  reason: Generated<string>
  codeMac: Uint8Array | null
  codeSentTo: string | null
  codeSentAt: Date | null
  codeTries: Generated<number>
  signedDocument: string | null
  signedHash: string | null
  evidenceSealed: Uint8Array | null
  signedBy: string | null
  countersignedAt: Date | null
  countersignedBy: string | null
  countersignedName: Generated<string>
  startedAt: Date | null
  startedBy: string | null
  startReason: Generated<string>
  version: Generated<number>
  createdBy: string | null
  createdAt: CreatedAt
  updatedAt: Generated<Date>
}

type ProposalQuestions = {
  id: string
  proposalId: string
  lineId: Generated<string>
  question: string
  answer: Generated<string>
  answeredAt: Date | null
  answeredBy: string | null
  createdAt: CreatedAt
}

type ProposalFiles = {
  id: string
  proposalId: string
  kind: 'accepted' | 'countersigned'
  hash: string
  jws: string
  storedAs: string
  size: number
  createdAt: CreatedAt
}
