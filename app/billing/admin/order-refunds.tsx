import { useState } from 'react'
import { refundBody } from '#app/billing/refunds/refund.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { decimalText } from '#app/platform/text/money.ts'
import { ActionButton, QuestionButton } from '#app/ui/admin/action-button.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { amountIn } from './amount-field.ts'
import { BILLING, billingData } from './desk.ts'
import { money } from './look.tsx'
import type { OrderRecord } from './order-record.ts'

type Props = { order: OrderRecord; mayWrite: boolean }
type Refund = OrderRecord['refunds'][number]
type Dispute = OrderRecord['disputes'][number]
type Payment = OrderRecord['payments'][number]

const refundStates: Record<Refund['state'], string> = {
  asked: 'Needs a second person',
  pending: 'Pending',
  succeeded: 'Refunded',
  failed: 'Failed',
  declined: 'Declined',
}
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
          {order.payments.map((payment) => (
            <RefundButton key={payment.id} payment={payment} order={order} />
          ))}
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
      <span className="min-w-0">
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
  const { id, amount, state, reason, failure, askedBy, createdAt, paymentId } = refund
  const decide = (step: 'approve' | 'decline' | 'sent', done: string) => ({
    send: async () => apiRequest('POST', `${BILLING}/refunds/${id}/${step}`),
    done,
    failed: 'Not changed',
    touches: billingData,
  })
  const isTransfer = order.payments.some((payment) => payment.paymentId === paymentId && payment.provider === 'transfer')
  const look = state === 'failed' ? 'alarm' : state === 'succeeded' ? 'leaf' : 'grain'
  return (
    <Line
      name={`Refund of ${money(amount, order)}`}
      more={[failure || reason, askedBy, formatDay(createdAt)].filter(Boolean).join(' · ')}
      state={<Badge look={look}>{refundStates[state]}</Badge>}
    >
      {mayWrite && state === 'asked' && (
        <>
          <ActionButton action={decide('approve', 'Refund approved')} size="small" look="primary">
            Approve
          </ActionButton>
          <ActionButton action={decide('decline', 'Refund declined')} size="small">
            Decline
          </ActionButton>
        </>
      )}
      {mayWrite && state === 'pending' && isTransfer && (
        <QuestionButton
          action={decide('sent', 'Refund booked')}
          size="small"
          label="Money sent"
          question="Have you sent the money?"
          confirm="Book the refund"
          confirmLook="primary"
          pending="Booking..."
        >
          <p>The refund of {money(amount, order)} is booked, and the customer gets a credit note.</p>
        </QuestionButton>
      )}
    </Line>
  )
}

function DisputeLine({ dispute, order }: { dispute: Dispute; order: OrderRecord }) {
  const { id, amount, fee, state, reason, evidenceDueAt, createdAt } = dispute
  const due = evidenceDueAt && state !== 'won' && state !== 'lost' ? `evidence until ${formatDay(evidenceDueAt)}` : formatDay(createdAt)
  return (
    <Line
      name={`Dispute of ${money(amount, order)}`}
      more={[reason, fee > 0 && `fee ${money(fee, order)}`, due].filter(Boolean).join(' · ')}
      state={<Badge look={state === 'won' ? 'leaf' : 'alarm'}>{disputeStates[state]}</Badge>}
    >
      <a href={`${BILLING}/disputes/${id}/evidence`} download className="link">
        Evidence pack
      </a>
    </Line>
  )
}

/** The refundable rest of a payment for this order, as known to this page. The server decides. */
function leftOf({ paymentId, amount }: Payment, { refunds, disputes }: OrderRecord): number {
  const taken = refunds.filter((refund) => refund.paymentId === paymentId && refund.state !== 'failed' && refund.state !== 'declined')
  const isDisputed = disputes.some(({ state }) => state === 'open' || state === 'lost')
  return isDisputed ? 0 : amount - taken.reduce((sum, refund) => sum + refund.amount, 0)
}

function RefundButton({ payment, order }: { payment: Payment; order: OrderRecord }) {
  const [isOpen, setOpen] = useState(false)
  const left = leftOf(payment, order)
  if (left <= 0) return null
  return (
    <>
      <Button type="button" look="quiet" size="small" onClick={() => setOpen(true)}>
        Refund {money(left, order)}…
      </Button>
      {isOpen && <RefundDialog payment={payment} order={order} left={left} close={() => setOpen(false)} />}
    </>
  )
}

type DialogProps = { payment: Payment; order: OrderRecord; left: number; close: () => void }

function RefundDialog({ payment, order, left, close }: DialogProps) {
  const form = useForm({
    schema: refundBody,
    read: ({ amount = '', reason }) => ({ orderId: order.id, amount: amountIn(amount, order.currency), reason }),
    send: async (body) => apiRequest('POST', `${BILLING}/payments/${payment.paymentId}/refunds`, body),
    done: 'Refund started',
    failed: 'Not refunded',
    touches: billingData,
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title={`Refund ${order.reference}`} submit="Refund" pending="Refunding..." look="danger">
      <p className="text-small text-muted">
        The customer gets the money back and a credit note. A full refund ends the access that this order gave. Large refunds need a second
        person.
      </p>
      <Field label={`Amount in ${order.currency}`} name="amount" hint={`At most ${money(left, order)}.`}>
        <Input inputMode="decimal" defaultValue={decimalText(left, order.currency)} />
      </Field>
      <Field label="Reason" name="reason" hint="The credit note names it.">
        <Input autoComplete="off" />
      </Field>
    </FormDialog>
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
