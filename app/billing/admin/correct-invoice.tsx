import { useState } from 'react'
import { correctableOf, correctBody, INVOICES } from '#app/billing/invoices/invoice.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { billingData } from './desk.ts'
import { Customer } from './look.tsx'
import type { OrderRecord } from './order-record.ts'

type Props = { order: OrderRecord }
type Invoice = OrderRecord['invoices'][number]

/** Issues the newest invoice of an order again, with what its customer is called now. One with a credit note stays as it is. */
export function CorrectInvoice({ order }: Props) {
  const [isAsking, setAsking] = useState(false)
  const newest = correctableOf(order.invoices)
  if (!newest) return null
  return (
    <>
      <Button type="button" look="quiet" size="small" className="justify-self-start" onClick={() => setAsking(true)}>
        Correct {newest.number}
      </Button>
      {isAsking && <CorrectDialog order={order} invoice={newest} close={() => setAsking(false)} />}
    </>
  )
}

function CorrectDialog({ order, invoice: { id, number }, close }: Props & { invoice: Invoice; close: () => void }) {
  const form = useForm({
    schema: correctBody,
    send: async (body) => apiRequest('POST', `${INVOICES}/${id}/correct`, body),
    done: `${number} corrected`,
    failed: 'Not corrected',
    touches: billingData,
    onDone: close,
  })
  return (
    <FormDialog
      form={form}
      onClose={close}
      title={`Correct ${number}?`}
      submit="Issue corrected invoice"
      pending="Issuing..."
      look="danger"
    >
      <p className="text-small text-muted">
        A corrected invoice with a number of its own takes its place: the same lines and amounts, and the name, address and VAT number that{' '}
        <Customer organization={order.organization} /> has now. The customer gets it by email. {number} stays in the books. This cannot be
        undone.
      </p>
      <Field label="Reason" name="reason" hint="The corrected invoice names it, such as a wrong address.">
        <Input autoComplete="off" />
      </Field>
    </FormDialog>
  )
}
