import { apiRequest } from '#app/platform/browser/api.ts'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { viewText } from '#app/ui/admin/view.ts'
import { Badge } from '#app/ui/badge.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { BILLING, billingData } from './desk.ts'
import { money } from './look.tsx'
import type { OrderRecord } from './order-record.ts'
import { RefundBadge, RefundButton, RefundSteps } from './refund-actions.tsx'

type Props = { order: OrderRecord; mayWrite: boolean }
type Refund = OrderRecord['refunds'][number]
type Dispute = OrderRecord['disputes'][number]

const disputeStates: Record<Dispute['state'], string> = { inquiry: 'Inquiry', open: 'Open', won: 'Won', lost: 'Lost' }

/** The refunds and disputes of an order, and what staff do about them. */
export function OrderRefunds({ order, mayWrite }: Props) {
  const { refunds, disputes } = order
  return (
    <div className="grid gap-4">
      {refunds.length + disputes.length === 0 && <p className="text-small text-muted">Nothing was refunded or disputed.</p>}
      {refunds.length + disputes.length > 0 && (
        <ul className="divide-y divide-line border-y border-line text-small">
          {refunds.map((refund) => (
            <RefundLine key={refund.id} refund={refund} order={order} mayWrite={mayWrite} />
          ))}
          {disputes.map((dispute) => (
            <DisputeLine key={dispute.id} dispute={dispute} order={order} />
          ))}
        </ul>
      )}
      {mayWrite && (
        <div className="flex flex-wrap gap-2">
          {order.refundable.map(({ paymentId, amount: most }) => {
            const { currency, reference: name, id: orderId } = order
            return <RefundButton key={paymentId} of={{ paymentId, orderId, most, currency, name }} />
          })}
        </div>
      )}
      {mayWrite && order.isTest && <TestBank order={order} />}
    </div>
  )
}

type LineProps = { name: string; more: string; state: React.ReactNode; children?: React.ReactNode }

function Line({ name, more, state, children }: LineProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-2.5">
      <span className="min-w-0 flex-1 basis-48">
        <span className="font-semibold">{name}</span> {more && <span className="text-muted wrap-anywhere">{more}</span>}
      </span>
      <span className="flex flex-wrap items-center gap-2">
        {state}
        {children}
      </span>
    </li>
  )
}

function RefundLine({ refund, order, mayWrite }: Props & { refund: Refund }) {
  const { id, amount, state, reason, failure, askedBy, mayApprove, createdAt, paymentId } = refund
  const isTransfer = order.payments.some((payment) => payment.paymentId === paymentId && payment.provider === 'transfer')
  return (
    <Line
      name={`Refund of ${money(amount, order)}`}
      more={[reason, failure, askedBy, formatDay(createdAt)].filter(Boolean).join(' · ')}
      state={<RefundBadge state={state} />}
    >
      {mayWrite && <RefundSteps refund={{ id, state, amount, mayApprove, currency: order.currency }} isTransfer={isTransfer} />}
    </Line>
  )
}

function DisputeLine({ dispute, order }: { dispute: Dispute; order: OrderRecord }) {
  const { id, amount, fee, state, reason, evidenceDueAt, createdAt } = dispute
  const due = evidenceDueAt && state !== 'won' && state !== 'lost' ? `evidence until ${formatDay(evidenceDueAt)}` : formatDay(createdAt)
  return (
    <Line
      name={`Dispute of ${money(amount, order)}`}
      more={[viewText(reason), fee > 0 && `fee ${money(fee, order)}`, due].filter(Boolean).join(' · ')}
      state={<Badge look={state === 'won' ? 'leaf' : 'alarm'}>{disputeStates[state]}</Badge>}
    >
      <a href={`${BILLING}/disputes/${id}/evidence`} download className="link">
        Evidence pack
      </a>
    </Line>
  )
}

const deeds = [
  ['inquiry', 'Ask'],
  ['open', 'Dispute'],
  ['won', 'Decide for us'],
  ['lost', 'Decide for the customer'],
] as const

/** Of the test provider: a bank acts at the press of a button. */
function TestBank({ order }: { order: OrderRecord }) {
  const [payment] = order.payments
  if (!payment || payment.provider !== 'test') return null
  const act = (url: string, body: object = {}) => ({
    send: async () => apiRequest('POST', url, body),
    done: 'The bank has acted',
    failed: 'Nothing happened',
    touches: billingData,
  })
  const failing = order.refunds.find(({ state }) => state === 'succeeded')
  return (
    <div role="group" aria-label="Test bank" className="flex flex-wrap items-center gap-2 rounded-card bg-sunken p-3">
      <span className="text-small text-muted">Test bank:</span>
      {deeds.map(([state, label]) => (
        <ActionButton
          key={state}
          size="small"
          pending="Working..."
          action={act(`${BILLING}/test-payments/${payment.paymentId}/dispute`, { state })}
        >
          {label}
        </ActionButton>
      ))}
      {failing && (
        <ActionButton size="small" pending="Working..." action={act(`${BILLING}/test-refunds/${failing.id}/fail`)}>
          Return the refund
        </ActionButton>
      )}
    </div>
  )
}
