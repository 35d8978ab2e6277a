import { Link } from 'react-router'
import type { orderKinds, orderStates } from '#app/billing/orders/order.ts'
import { moneyText } from '#app/platform/text/money.ts'
import type { TableColumn } from '#app/ui/admin/use-table.ts'
import { Badge, type BadgeLook } from '#app/ui/badge.tsx'
import { formatDay } from '#app/ui/moment.ts'
import type { ListedInvoice, ListedOrder, ListedPayment, ListedSubscription } from './desk.ts'

type State = (typeof orderStates)[number]

export const stateLabels: Record<State, string> = {
  open: 'Open',
  processing: 'Processing',
  paid: 'Paid',
  failed: 'Failed',
  expired: 'Expired',
  cancelled: 'Cancelled',
}

const stateLooks: Record<State, BadgeLook> = {
  open: 'grain',
  processing: 'grain',
  paid: 'leaf',
  failed: 'alarm',
  expired: 'plain',
  cancelled: 'plain',
}

export const kindLabels: Record<(typeof orderKinds)[number], string> = {
  dataset: 'Dataset',
  renewal: 'Renewal',
  deposit: 'Deposit',
  final: 'Final payment',
  fee: 'Fee',
}

export const providerLabels: Record<ListedPayment['provider'], string> = {
  test: 'Test',
  stripe: 'Card (Stripe)',
  transfer: 'Bank transfer',
}

export function TestBadge({ row }: { row: { isTest: boolean } }) {
  return row.isTest && <Badge className="ml-2">Test</Badge>
}

/** A dispute and a refund say more than that it was paid. */
export function OrderState({ order }: { order: ListedOrder }) {
  if (order.dispute) return <Badge look="alarm">{order.dispute === 'open' ? 'Disputed' : 'Dispute lost'}</Badge>
  if (order.isOverdue) return <Badge look="alarm">Overdue</Badge>
  if (order.state === 'open' && order.owed < order.gross) return <Badge look="grain">Partly paid</Badge>
  if (order.state === 'paid' && order.refunded > 0) return <Badge>{order.refunded < order.gross ? 'Partly refunded' : 'Refunded'}</Badge>
  return <Badge look={stateLooks[order.state]}>{stateLabels[order.state]}</Badge>
}

export function InvoiceState({ invoice: { kind, owed, isOverdue, isReplaced } }: { invoice: ListedInvoice }) {
  if (kind === 'credit_note') return <Badge>Credit note</Badge>
  if (isReplaced) return <Badge>Replaced</Badge>
  if (isOverdue) return <Badge look="alarm">Overdue</Badge>
  return owed > 0 ? <Badge look="grain">Unpaid</Badge> : <Badge look="leaf">Settled</Badge>
}

const subscriptionLabels: Record<ListedSubscription['state'], string> = {
  incomplete: 'Not paid yet',
  active: 'Active',
  grace: 'Payment failed',
  ended: 'Ended',
}

const subscriptionLooks: Record<ListedSubscription['state'], BadgeLook> = {
  incomplete: 'grain',
  active: 'leaf',
  grace: 'alarm',
  ended: 'plain',
}

export function SubscriptionState({ subscription: { state, endsAtPeriodEnd } }: { subscription: ListedSubscription }) {
  if (state === 'active' && endsAtPeriodEnd) return <Badge look="grain">Ends with the period</Badge>
  return <Badge look={subscriptionLooks[state]}>{subscriptionLabels[state]}</Badge>
}

/** The name of an organization, which leads to its page. A personal organization has no reference. */
export function Customer({ organization: { id, reference, name } }: { organization: ListedOrder['organization'] }) {
  return (
    <Link to={`/admin/organizations/${reference ?? id}`} className="link" title={name}>
      {name}
    </Link>
  )
}

type Placed<Row> = Pick<TableColumn<Row>, 'key' | 'head'> & Partial<TableColumn<Row>>

/** A column of amounts in the currency of their row. */
export const moneyColumn = <Row extends { currency: string }>(of: (row: Row) => number, column: Placed<Row>): TableColumn<Row> => ({
  width: '8rem',
  kind: 'number',
  view: (row) => money(of(row), row),
  ...column,
})

/** A column of days, in the order of which the server lists. */
export const dayColumn = <Row,>(of: (row: Row) => string | null, column: Placed<Row>): TableColumn<Row> => ({
  width: '7.5rem',
  kind: 'data',
  sort: column.key,
  ...column,
  view(row) {
    const day = of(row)
    return day === null ? '-' : <time dateTime={day}>{formatDay(day)}</time>
  },
})

/** Below the first cell of a narrow row: lines of its own, then the state beside its amount. */
export function NarrowRow({ lines, children }: { lines: readonly string[]; children: React.ReactNode }) {
  return (
    <>
      {lines.map((line) => (
        <span key={line} className="w-full truncate">
          {line}
        </span>
      ))}
      {children}
    </>
  )
}

export const money = (amount: number, { currency }: { currency: string }) => moneyText(amount, currency)

export const orderPath = (reference: string) => `/admin/billing/orders/${reference}`
export const paymentPath = (id: string) => `/admin/billing/payments/${id}`
