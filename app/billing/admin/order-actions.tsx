import { useState } from 'react'
import { apiRequest } from '#app/platform/browser/api.ts'
import { decimalText } from '#app/platform/text/money.ts'
import { ActionButton, QuestionButton } from '#app/ui/admin/action-button.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { localMoment } from '#app/ui/moment.ts'
import { BILLING, billingData } from './desk.ts'
import { amountIn } from './amount-field.ts'
import { enteredPayment } from './payment-record.ts'
import { cancelBody, type OrderRecord, orderRecord } from './order-record.ts'
import { DeclineButton } from './refund-actions.tsx'

type Props = { order: OrderRecord }

/** The actions of staff with `billing.write` for an order. */
export function OrderActions({ order }: Props) {
  const [asking, setAsking] = useState<'cancel' | 'payment'>()
  const url = `${BILLING}/orders/${order.reference}`
  const pause = (paused: boolean) => async () => apiRequest('PUT', `${url}/reminders`, { paused })
  const reminders = {
    send: pause(!order.remindersPaused),
    done: order.remindersPaused ? 'Reminders continue' : 'Reminders paused',
    undo: () => pause(order.remindersPaused),
    failed: 'Not changed',
    touches: billingData,
  }
  return (
    <>
      {order.actions.includes('reminders') && (
        <ActionButton action={reminders}>{order.remindersPaused ? 'Continue reminders' : 'Pause reminders'}</ActionButton>
      )}
      {order.actions.includes('cancel') && (
        <Button type="button" look="quiet" onClick={() => setAsking('cancel')}>
          Cancel order
        </Button>
      )}
      {order.actions.includes('pay') && (
        <Button type="button" onClick={() => setAsking('payment')}>
          Enter payment
        </Button>
      )}
      {asking === 'cancel' && <CancelDialog order={order} close={() => setAsking(undefined)} />}
      {asking === 'payment' && <PaymentDialog order={order} close={() => setAsking(undefined)} />}
    </>
  )
}

/** A cancellation that one person has asked for, and another one decides. */
export function AskedCancel({ order }: Props) {
  const { cancelAsked, actions, reference } = order
  if (!cancelAsked) return null
  const isOwn = !actions.includes('approveCancel')
  const approve = {
    send: async () => apiRequest('POST', `${BILLING}/orders/${reference}/cancel/approve`),
    done: `${reference} cancelled`,
    failed: 'Not changed',
    touches: billingData,
  }
  return (
    <div
      role="group"
      aria-label="Cancellation"
      className="grid justify-items-start gap-3 rounded-card border border-line bg-grain-wash p-4"
    >
      <p className="wrap-anywhere">
        <strong>Cancelling this order needs a second person.</strong> {cancelAsked.by ?? 'A former colleague'} asked for it:{' '}
        {cancelAsked.reason}
      </p>
      <div className="flex flex-wrap gap-2">
        {actions.includes('approveCancel') && (
          <QuestionButton
            action={approve}
            label="Approve"
            size="small"
            question={`Cancel ${reference}?`}
            confirm="Cancel the order"
            pending="Cancelling..."
          >
            <p>Its invoice gets a credit note, and its access ends. A cancelled order is never opened again.</p>
          </QuestionButton>
        )}
        {actions.includes('declineCancel') && (
          <DeclineButton
            url={`${BILLING}/orders/${reference}/cancel/decline`}
            title={`Keep ${reference}?`}
            done={isOwn ? 'Cancellation withdrawn' : 'Cancellation declined'}
            isOwn={isOwn}
          >
            The order and its invoice stay as they are.
            {!isOwn && ' The person who asked for the cancellation sees the reason.'}
          </DeclineButton>
        )}
      </div>
    </div>
  )
}

/** For cash, cheques and accounts whose statements are not imported. */
function PaymentDialog({ order, close }: Props & { close: () => void }) {
  // Sent twice, it is entered once.
  const [{ key, today }] = useState(() => ({ key: crypto.randomUUID(), today: localMoment(new Date().toISOString()).slice(0, 10) }))
  const form = useForm({
    schema: enteredPayment,
    read: ({ amount = '', paidOn, note }) => ({ key, order: order.reference, amount: amountIn(amount, order.currency), paidOn, note }),
    send: async (body) => apiRequest('POST', `${BILLING}/payments`, body),
    done: 'Payment entered',
    failed: 'Payment not entered',
    touches: billingData,
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title={`Payment of ${order.reference}`} submit="Enter payment" pending="Saving...">
      <p className="text-small text-muted">
        Payments of an imported bank statement come by themselves. More than is owed stays as a credit of the customer.
      </p>
      <Field label={`Amount in ${order.currency}`} name="amount">
        <Input inputMode="decimal" defaultValue={decimalText(order.owed, order.currency)} />
      </Field>
      <Field label="Paid on" name="paidOn">
        <Input type="date" defaultValue={today} />
      </Field>
      <Field label="Note" name="note" hint="How it was paid, such as a cheque or another account.">
        <Input autoComplete="off" />
      </Field>
    </FormDialog>
  )
}

function CancelDialog({ order, close }: Props & { close: () => void }) {
  const form = useForm({
    schema: cancelBody,
    send: async (body) => orderRecord.parse(await (await apiRequest('POST', `${BILLING}/orders/${order.reference}/cancel`, body)).json()),
    done: ({ state }) => (state === 'cancelled' ? `${order.reference} cancelled` : 'The cancellation waits for a second person'),
    failed: 'Not cancelled',
    touches: billingData,
    onDone: close,
  })
  return (
    <FormDialog
      form={form}
      onClose={close}
      title={`Cancel ${order.reference}?`}
      submit="Cancel the order"
      pending="Cancelling..."
      look="danger"
    >
      <p className="text-small text-muted">
        {order.method === 'invoice'
          ? 'Its invoice gets a credit note, its access ends, and what was paid stays as a credit of the customer. A cancelled order is never opened again. A large one waits for a second person with the right, where there is one.'
          : 'Its page of payment is closed. A cancelled order is never opened again.'}
      </p>
      <Field label="Reason" name="reason" hint="The credit note and the audit log name it.">
        <Input autoComplete="off" />
      </Field>
    </FormDialog>
  )
}
