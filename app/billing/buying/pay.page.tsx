import { data, href, redirect } from 'react-router'
import type { Handle } from '#app/access.server.ts'
import { startCheckoutFor } from '#app/billing/payments/checkout.server.ts'
import { refreshCheckout } from '#app/billing/payments/apply-checkout.server.ts'
import { mayPayByInvoice, payByInvoice } from '#app/billing/payments/by-invoice.server.ts'
import { receiptOf } from '#app/billing/invoices/invoice.ts'
import { listInvoices } from '#app/billing/invoices/invoice.server.ts'
import { TransferCard } from '#app/billing/transfers/transfer-details.tsx'
import { transferDetails } from '#app/billing/transfers/transfer-details.server.ts'
import { env } from '#app/platform/env.server.ts'
import { oneLine } from '#app/platform/text/clean-text.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { buyPath } from '#app/datasets/catalog/offer.ts'
import { ReceiptLinks } from '#app/datasets/pages/receipt-links.tsx'
import { viewerOf } from '#app/page-access.server.ts'
import { readForm } from '#app/platform/http/form.server.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { Button } from '#app/ui/button.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Card } from '#app/ui/card.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { Page } from '#app/ui/page.tsx'
import { Refusal } from '#app/ui/refusal.tsx'
import type { Route } from './+types/pay.page.ts'
import { CancelInvoiced } from './cancel-invoiced.tsx'
import { cancelOwnOrder, describeOrder, findOwnOrder, sentenceOf } from './order-view.server.ts'

export const handle = { access: 'workspace.enter', isDeal: true } satisfies Handle

export const headers = () => ({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })

/** A pending payment, and an invoice that is being made, are looked at again, without script too. */
export const meta = ({ loaderData }: Route.MetaArgs) => [
  ...pageMeta({ title: loaderData ? `Order ${loaderData.order.reference}` : 'Order', index: false }),
  ...(loaderData && (loaderData.order.state === 'processing' || loaderData.invoices.some(({ pdfUrl }) => pdfUrl === null))
    ? [{ httpEquiv: 'refresh', content: '5' }]
    : []),
]

export async function loader({ request, params: { reference }, context }: Route.LoaderArgs) {
  const { viewer } = viewerOf(context)
  const found = await findOwnOrder(viewer, reference)
  const { order } = found.order.state === 'paid' ? found : await refreshed(found.order, () => findOwnOrder(viewer, reference))
  const described = await describeOrder(order)
  // Back from the provider, the dataset says that it was bought.
  if (described.state === 'paid' && described.product) {
    throw redirect(`${href('/data-marketplace/:slug', { slug: described.product.slug })}?order=${described.reference}`)
  }
  return {
    order: described,
    invoices: (await listInvoices({ orderIds: [order.id] })).map(receiptOf),
    isBack: new URL(request.url).searchParams.has('back'),
    transfer: await transferDetails(order),
    mayInvoice: await mayPayByInvoice(order),
    hasProvider: env.PAYMENTS.some((name) => name !== 'transfer'),
  }
}

/** The provider may know more than its events that have arrived. Where it does not answer, what is known is shown. */
async function refreshed<Found>(order: { id: string }, find: () => Promise<Found>): Promise<Found> {
  await refreshCheckout(order.id).catch((error: unknown) => log.warn({ err: error }, 'a checkout could not be looked at'))
  return find()
}

export async function action({ request, params: { reference }, context }: Route.ActionArgs) {
  const { viewer } = viewerOf(context)
  const { order } = await findOwnOrder(viewer, reference)
  const { intent, purchaseOrder = '' } = await readForm(request)
  const actor = { id: viewer.id, address: requestContextOf(context).address }
  try {
    if (intent === 'invoice') await payByInvoice(order.id, oneLine(purchaseOrder).slice(0, 100), actor)
    else if (intent !== 'cancel') return redirect(await startCheckoutFor(order.id), 303)
    else await cancelOwnOrder(order, actor)
    return redirect(href('/pay/:reference', { reference }), 303)
  } catch (error) {
    return data({ failure: sentenceOf(error), purchaseOrder }, 409)
  }
}

const titles = {
  open: 'Pay your order',
  processing: 'Your payment is on its way',
  paid: 'Your order is paid',
  failed: 'The payment failed',
  expired: 'This order has expired',
  cancelled: 'This order is cancelled',
} as const

export default function PayPage({
  loaderData: { order, invoices, isBack, transfer, mayInvoice, hasProvider },
  actionData,
}: Route.ComponentProps) {
  const { state, reference, product, failure, isTest, dueOn } = order
  const isInvoiced = state === 'open' && dueOn !== ''
  const sentences = {
    open: isInvoiced
      ? `Your access has started. Please pay ${order.total} by ${dueOn}.`
      : [
          isBack && 'Nothing was charged yet.',
          mayInvoice ? 'Pay now, or later by invoice.' : isBack && 'You can pay now, or come back within a day.',
        ]
          .filter(Boolean)
          .join(' ') || undefined,
    processing: 'Some banks take a moment, others a few days. Access starts as soon as the payment arrives, and we email you then.',
    paid: 'Thank you.',
    failed: failure || 'Nothing was charged.',
    expired: 'Nothing was charged. You can order again.',
    cancelled: 'Nothing was charged.',
  } as const
  return (
    <Page kind="text" title={isInvoiced ? 'You pay by invoice' : titles[state]} intro={sentences[state]} eyebrow={`Order ${reference}`}>
      <div className="grid gap-6">
        {actionData && <Refusal>{actionData.failure}</Refusal>}
        {isTest && <p className="text-small text-muted">Test mode: nothing is charged.</p>}
        <OrderLines order={order} />
        <ReceiptLinks receipts={invoices} />
        {state === 'open' && transfer && <TransferCard details={transfer} />}
        {mayInvoice && <ByInvoice typed={actionData?.purchaseOrder ?? order.purchaseOrder} />}
        <div className="flex flex-wrap gap-3">
          {state === 'open' && <Pay total={order.total} mayPay={hasProvider && order.mayPay} isInvoiced={isInvoiced} />}
          {(state === 'failed' || state === 'expired' || state === 'cancelled') && product && (
            <ButtonLink to={buyPath(product.slug)}>Order again</ButtonLink>
          )}
          {product && (
            <ButtonLink look="quiet" to={href('/data-marketplace/:slug', { slug: product.slug })}>
              Back to the dataset
            </ButtonLink>
          )}
          <ButtonLink look="quiet" to={href('/account/billing')}>
            Your orders
          </ButtonLink>
        </div>
        {order.mayCancel && <Cancel />}
        {order.isCancelledByStaff && <CancelInvoiced reference={reference} />}
      </div>
    </Page>
  )
}

/** For organizations that staff allow to pay later. */
function ByInvoice({ typed }: { typed: string }) {
  return (
    <Card as="section" aria-label="Pay by invoice">
      <form method="post" className="grid gap-4">
        <h2 className="text-h3">Pay by invoice</h2>
        <p className="text-small text-muted">Your access starts now. We email you the invoice, and you pay it by bank transfer.</p>
        <Field label="Purchase order number" name="purchaseOrder" optional hint="It appears on the invoice.">
          <Input autoComplete="off" defaultValue={typed} />
        </Field>
        <Button look="quiet" name="intent" value="invoice" className="justify-self-start">
          Pay by invoice
        </Button>
      </form>
    </Card>
  )
}

type PayProps = {
  total: string
  mayPay: boolean
  /** It is paid by transfer, unless the buyer wants otherwise. */ isInvoiced: boolean
}

function Pay({ total, mayPay, isInvoiced }: PayProps) {
  return (
    mayPay && (
      <form method="post" className="contents">
        <Button look={isInvoiced ? 'quiet' : 'primary'} name="intent" value="pay">
          Pay {total} {isInvoiced && 'online'}
        </Button>
      </form>
    )
  )
}

/** It asks first, without script too. */
function Cancel() {
  return (
    <details>
      <summary className="link cursor-pointer">Cancel the order</summary>
      <form method="post" className="mt-4 grid justify-items-start gap-3">
        <p className="text-small">Nothing was charged. You can order again at any time.</p>
        <Button look="danger" name="intent" value="cancel">
          Yes, cancel the order
        </Button>
      </form>
    </details>
  )
}

function OrderLines({ order: { lines, total } }: { order: Awaited<ReturnType<typeof describeOrder>> }) {
  return (
    <Card as="dl" className="grid grid-cols-[1fr_auto] gap-y-3">
      {lines.map(({ label, detail, text }) => (
        <div key={`${label} ${detail}`} className="contents">
          <dt className="wrap-anywhere">
            {label}
            {detail && <span className="block text-small text-muted">{detail}</span>}
          </dt>
          <dd className="pl-6 text-right font-mono tabular-nums">{text}</dd>
        </div>
      ))}
      <dt className="border-t border-line pt-3 font-semibold">Total</dt>
      <dd className="border-t border-line pt-3 pl-6 text-right font-mono font-semibold tabular-nums">{total}</dd>
    </Card>
  )
}
