import { useState } from 'react'
import { declineBody, STAFF_BILLING, refundBody, refundReceipt, type RefundState } from '#app/billing/refunds/refund.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { decimalText } from '#app/platform/text/money.ts'
import { QuestionButton } from '#app/ui/admin/action-button.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Badge, type BadgeLook } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { amountIn } from './amount-field.ts'
import { billingData } from './desk.ts'
import { money } from './look.tsx'

type Refundable = { paymentId: string; orderId: string; most: number; currency: string; name: string }

/** Refunds a payment of an order, or what no order has of it. Large amounts wait for a second person. */
export function RefundButton({ of }: { of: Refundable }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button type="button" look="quiet" size="small" onClick={() => setOpen(true)}>
        Refund {money(of.most, of)}…
      </Button>
      {isOpen && <RefundDialog of={of} close={() => setOpen(false)} />}
    </>
  )
}

function RefundDialog({ of: { paymentId, orderId, most, currency, name }, close }: { of: Refundable; close: () => void }) {
  const form = useForm({
    schema: refundBody,
    read: ({ amount = '', reason }) => ({ orderId, amount: amountIn(amount, currency), reason }),
    send: async (body) =>
      refundReceipt.parse(await (await apiRequest('POST', `${STAFF_BILLING}/payments/${paymentId}/refunds`, body)).json()),
    done: ({ state }) => (state === 'asked' ? 'The refund waits for a second person' : 'Refund started'),
    failed: 'Not refunded',
    touches: billingData,
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title={`Refund ${name}`} submit="Refund" pending="Refunding..." look="danger">
      <p className="text-small text-muted">
        The customer gets the money back and a credit note. A full refund ends the access that was bought. A large refund waits for a second
        person with the right, where there is one.
      </p>
      <Field label={`Amount in ${currency}`} name="amount" hint={`At most ${money(most, { currency })}.`}>
        <Input inputMode="decimal" defaultValue={decimalText(most, currency)} />
      </Field>
      <Field label="Reason" name="reason" hint="The credit note names it.">
        <Input autoComplete="off" />
      </Field>
    </FormDialog>
  )
}

const stateLooks: Record<RefundState, { label: string; look: BadgeLook }> = {
  asked: { label: 'Needs a second person', look: 'grain' },
  pending: { label: 'Pending', look: 'grain' },
  succeeded: { label: 'Refunded', look: 'leaf' },
  failed: { label: 'Failed', look: 'alarm' },
  declined: { label: 'Declined', look: 'grain' },
}

export function RefundBadge({ state }: { state: RefundState }) {
  const { label, look } = stateLooks[state]
  return <Badge look={look}>{label}</Badge>
}

type DeclineProps = {
  url: string
  title: string
  done: string
  /** Whether the reader made the request, and withdraws it. */
  isOwn: boolean
  /** The consequences. */
  children: React.ReactNode
}

/** Declines another person’s request, or withdraws the reader’s own, with a reason that stays on the order. */
export function DeclineButton({ url, title, done, isOwn, children }: DeclineProps) {
  const [isOpen, setOpen] = useState(false)
  const form = useForm({
    schema: declineBody,
    send: async (body) => apiRequest('POST', url, body),
    done,
    failed: isOwn ? 'Not withdrawn' : 'Not declined',
    touches: billingData,
    onDone: () => setOpen(false),
  })
  return (
    <>
      <Button type="button" look="quiet" size="small" onClick={() => setOpen(true)}>
        {isOwn ? 'Withdraw' : 'Decline'}
      </Button>
      {isOpen && (
        <FormDialog
          form={form}
          onClose={() => setOpen(false)}
          title={title}
          submit={isOwn ? 'Withdraw' : 'Decline'}
          pending={isOwn ? 'Withdrawing...' : 'Declining...'}
          look="danger"
        >
          <p className="text-small text-muted">{children}</p>
          <Field label="Reason" name="reason" hint="Shown on the order and in the audit log. The customer does not see it.">
            <Input autoComplete="off" />
          </Field>
        </FormDialog>
      )}
    </>
  )
}

type RefundStepsProps = {
  refund: { id: string; state: string; amount: number; mayApprove: boolean; currency: string }
  isTransfer: boolean
}

/** The actions of a second person, and of the person who sends the bank transfer, for a refund. */
export function RefundSteps({ refund, isTransfer }: RefundStepsProps) {
  const { id, state, amount } = refund
  const step = (path: string, done: string) => ({
    send: async () => apiRequest('POST', `${STAFF_BILLING}/refunds/${id}/${path}`),
    done,
    failed: 'Not changed',
    touches: billingData,
  })
  if (state === 'asked') {
    return (
      <span className="flex flex-wrap gap-2">
        {refund.mayApprove && (
          <QuestionButton
            action={step('approve', 'Refund approved')}
            label="Approve"
            size="small"
            question="Approve this refund?"
            confirm="Approve refund"
            confirmLook="primary"
            pending="Approving..."
          >
            <p>{money(amount, refund)} go back to the customer. Another person has asked for it.</p>
          </QuestionButton>
        )}
        <DeclineButton
          url={`${STAFF_BILLING}/refunds/${id}/decline`}
          title={refund.mayApprove ? 'Decline this refund?' : 'Withdraw this refund?'}
          done={refund.mayApprove ? 'Refund declined' : 'Refund withdrawn'}
          isOwn={!refund.mayApprove}
        >
          {money(amount, refund)} stay with you, and nothing is sent to the customer.
          {refund.mayApprove && ' The person who asked for it sees the reason.'}
        </DeclineButton>
      </span>
    )
  }
  if (state !== 'pending' || !isTransfer) return null
  return (
    <QuestionButton
      action={step('sent', 'Refund booked')}
      size="small"
      label="Money sent"
      question="Have you sent the money?"
      confirm="Book the refund"
      confirmLook="primary"
      pending="Booking..."
    >
      <p>The refund of {money(amount, refund)} is booked, and the customer gets a credit note.</p>
    </QuestionButton>
  )
}
