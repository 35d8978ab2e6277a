import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { may, type Handle } from '#app/access.server.ts'
import { AccountSection } from '#app/account/settings/account-section.tsx'
import { pageMeta } from '#app/content/page-meta.ts'
import { viewerOf } from '#app/page-access.server.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { decimalText } from '#app/platform/text/money.ts'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { RecordFacts, RecordPage } from '#app/ui/admin/record.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import { formatDay, formatMoment } from '#app/ui/moment.ts'
import { Page } from '#app/ui/page.tsx'
import type { Route } from './+types/payment.page.ts'
import { amountIn } from './amount-field.ts'
import { BILLING, billingData } from './desk.ts'
import { Customer, money, orderPath, providerLabels, TestBadge } from './look.tsx'
import { RefundBadge, RefundButton, RefundSteps } from './refund-actions.tsx'
import { allocationBody, type PaymentRecord, paymentRecord } from './payment-record.ts'

export const handle = { access: 'billing.read' } satisfies Handle

export function loader({ context }: Route.LoaderArgs) {
  return { mayWrite: may(viewerOf(context).viewer, 'billing.write') }
}

export const meta = () => pageMeta({ title: 'Payment', index: false })

/** A payment with what it paid, and what is left of it. */
export default function PaymentPage({ loaderData: { mayWrite } }: Route.ComponentProps) {
  const { id = '' } = useParams()
  const navigate = useNavigate()
  const query = useQuery(apiQuery(`${BILLING}/payments/${encodeURIComponent(id)}`, paymentRecord))
  const back = (
    <Link to="/admin/billing?tab=payments" className="hover:text-ink">
      Payments
    </Link>
  )
  return (
    <Page kind="work" eyebrow={back} title="Payment">
      <RecordPage
        query={query}
        one="payment"
        titleOf={(payment) => `${money(payment.amount, payment)} of ${payment.organization?.name ?? 'an unknown payer'}`}
        renderState={(payment) => (
          <p className="flex flex-wrap gap-2">
            {payment.left > 0 && <Badge look="grain">Credit of {money(payment.left, payment)}</Badge>}
            <TestBadge row={payment} />
          </p>
        )}
        renderActions={(payment) =>
          mayWrite &&
          payment.free > 0 && (
            <>
              <RefundButton
                of={{ paymentId: payment.id, orderId: '', most: payment.free, currency: payment.currency, name: 'the credit' }}
              />
              <UseCredit payment={payment} />
            </>
          )
        }
        close={() => void navigate('/admin/billing?tab=payments')}
      >
        {(payment) => <Parts payment={payment} mayWrite={mayWrite} />}
      </RecordPage>
    </Page>
  )
}

function Parts({ payment, mayWrite }: { payment: PaymentRecord; mayWrite: boolean }) {
  const { organization, provider, fee, note, enteredBy, paidAt, bankLine, allocations, refunds } = payment
  const facts = [
    ['Customer', organization && <Customer key="customer" organization={organization} />],
    ['Paid by', providerLabels[provider]],
    [
      'Paid',
      <time key="paid" dateTime={paidAt}>
        {formatMoment(paidAt)}
      </time>,
    ],
    ['Fee', fee !== null && money(fee, payment)],
    ['Entered by', enteredBy],
    ['Note', note],
    ['Bank', bankLine && `${formatDay(bankLine.bookedOn)}, ${money(bankLine.amount, bankLine)} of ${bankLine.payer || 'an unnamed payer'}`],
    ['Account', bankLine?.payerAccount],
    ['Purpose', bankLine?.purpose],
  ] as const
  return (
    <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
      <AccountSection id="facts" title="Facts">
        <RecordFacts facts={facts} />
      </AccountSection>
      <AccountSection id="allocations" title="Allocations">
        {allocations.length === 0 && <p className="text-small text-muted">Not allocated to an order yet.</p>}
        <ul className="divide-y divide-line text-small">
          {allocations.map(({ id, order, title, amount, by, createdAt }) => (
            <li key={id} className="flex flex-wrap items-baseline justify-between gap-3 py-2">
              <span>
                <Link to={orderPath(order)} className="link font-semibold">
                  {order}
                </Link>{' '}
                <span className="text-muted">{[title, by].filter(Boolean).join(' · ')}</span>
              </span>
              <span className="font-mono text-fine">
                {money(amount, payment)} · {formatDay(createdAt)}
              </span>
            </li>
          ))}
          {refunds.map(({ id, amount, state, reason, failure, mayApprove, createdAt }) => (
            <li key={id} className="flex flex-wrap items-baseline justify-between gap-3 py-2">
              <span className="flex flex-wrap items-center gap-2">
                Refund <RefundBadge state={state} />{' '}
                <span className="text-muted wrap-anywhere">{[reason, failure].filter(Boolean).join(' · ')}</span>
              </span>
              <span className="font-mono text-fine">
                {money(-amount, payment)} · {formatDay(createdAt)}
              </span>
              {mayWrite && (
                <RefundSteps refund={{ id, state, amount, mayApprove, currency: payment.currency }} isTransfer={provider === 'transfer'} />
              )}
            </li>
          ))}
        </ul>
      </AccountSection>
    </div>
  )
}

/** Pays an order of the customer from the credit. */
function UseCredit({ payment }: { payment: PaymentRecord }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        type="button"
        onClick={() => setOpen(true)}
        {...(payment.payable.length === 0 && { unavailable: 'This customer owes nothing in this currency.' })}
      >
        Use credit
      </Button>
      {isOpen && <UseCreditDialog payment={payment} close={() => setOpen(false)} />}
    </>
  )
}

function UseCreditDialog({ payment, close }: { payment: PaymentRecord; close: () => void }) {
  const [first] = payment.payable
  const form = useForm({
    schema: allocationBody,
    read: ({ order, amount = '' }) => ({ order, amount: amountIn(amount, payment.currency) }),
    send: async (body) => apiRequest('POST', `${BILLING}/payments/${payment.id}/allocate`, body),
    done: (_answer, { order }) => `Credit used for ${order}`,
    failed: 'Credit not used',
    touches: billingData,
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title="Use credit" submit="Use credit" pending="Saving...">
      <Field label="Order" name="order">
        <Select defaultValue={first?.reference ?? ''}>
          {payment.payable.map(({ reference, title, owed }) => (
            <option key={reference} value={reference}>
              {reference}: {title}, owes {money(owed, payment)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={`Amount in ${payment.currency}`} name="amount">
        <Input inputMode="decimal" defaultValue={decimalText(Math.min(payment.free, first?.owed ?? payment.free), payment.currency)} />
      </Field>
    </FormDialog>
  )
}
