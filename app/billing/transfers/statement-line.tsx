import { useState } from 'react'
import { Link } from 'react-router'
import { BILLING, billingData } from '#app/billing/admin/desk.ts'
import { money, paymentPath } from '#app/billing/admin/look.tsx'
import { apiRequest } from '#app/platform/browser/api.ts'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { RecordFacts, RecordSection } from '#app/ui/admin/record.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { payBody, type Transfer, TRANSFERS } from './transfer.ts'

/** A line of a statement, and what staff can decide about it. */
export function StatementLine({ transfer, mayWrite }: { transfer: Transfer; mayWrite: boolean }) {
  const { bookedOn, payer, payerAccount, purpose, instructed, fee, file, paymentId, reason, state } = transfer
  const facts = [
    ['Booked', formatDay(bookedOn)],
    ['From', payer],
    ['Account', payerAccount],
    ['Purpose', purpose],
    ['Ordered', instructed && money(instructed.amount, instructed)],
    ['Charges', fee > 0 && money(fee, transfer)],
    ['File', file],
    [
      'Payment',
      paymentId && (
        <Link key="payment" to={paymentPath(paymentId)} className="link">
          Open the payment
        </Link>
      ),
    ],
  ] as const
  return (
    <>
      {reason && <p className="rounded-control border border-line bg-grain-wash px-4 py-3 text-small">{reason}</p>}
      <RecordFacts facts={facts} />
      {mayWrite && state !== 'booked' && <Decide transfer={transfer} />}
    </>
  )
}

function Decide({ transfer: { id, state, proposals, amount } }: { transfer: Transfer }) {
  const [isNaming, setNaming] = useState(false)
  const url = `${TRANSFERS}/${id}`
  const post = (path: string, body?: object) => async () => apiRequest('POST', `${url}/${path}`, body)
  const failed = 'Not changed'
  if (state === 'ignored') {
    const reopen = { send: post('reopen'), done: 'To decide again', failed, touches: billingData }
    return <ActionButton action={reopen}>Decide it after all</ActionButton>
  }
  const ignore = { send: post('ignore'), undo: () => post('reopen'), done: 'Ignored', failed, touches: billingData }
  return (
    <RecordSection title="Assign this line">
      {proposals.map(({ key, text }) => (
        <ActionButton
          key={key}
          action={{ send: post('decide', { key, text }), done: 'Booked', failed: 'Not booked', touches: billingData }}
          pending="Booking..."
          className="max-w-full text-left whitespace-normal"
        >
          {text}
        </ActionButton>
      ))}
      <div className="flex flex-wrap gap-2">
        {amount > 0 && (
          <Button type="button" look="quiet" onClick={() => setNaming(true)}>
            Another order...
          </Button>
        )}
        <ActionButton action={ignore}>Not a payment of a customer</ActionButton>
      </div>
      {isNaming && <NameDialog url={url} close={() => setNaming(false)} />}
    </RecordSection>
  )
}

function NameDialog({ url, close }: { url: string; close: () => void }) {
  const form = useForm({
    schema: payBody,
    send: async (body) => apiRequest('POST', `${url}/pay`, body),
    done: (_answer, { order }) => `Booked for ${order}`,
    failed: 'Not booked',
    touches: [BILLING],
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title="Book for another order" submit="Book" pending="Booking...">
      <Field label="Order or invoice" name="order" hint="Its reference or number. What it does not need stays as a credit of the customer.">
        <Input autoComplete="off" />
      </Field>
    </FormDialog>
  )
}
