import { useInfiniteQuery } from '@tanstack/react-query'
import { href, Link } from 'react-router'
import { AccountSection } from '#app/account/settings/account-section.tsx'
import { WITHDRAWAL, WITHDRAWAL_LINK } from '#app/content/withdrawal.ts'
import { CancelInvoiced } from '#app/billing/buying/cancel-invoiced.tsx'
import { buyPath } from '#app/datasets/catalog/offer.ts'
import { againAfter, OWN_ORDERS } from '#app/datasets/catalog/receipt.ts'
import { ReceiptLinks } from '#app/datasets/pages/receipt-links.tsx'
import { apiRequest } from '#app/platform/browser/api.ts'
import { mediumDay } from '#app/platform/time/english-date.ts'
import { QuestionButton } from '#app/ui/admin/action-button.tsx'
import { Badge, type BadgeLook } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { formatSpan } from '#app/ui/moment.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { type OwnOrder, ownOrderPage } from './own-order.ts'

const looks: Record<OwnOrder['state'], { label: string; look: BadgeLook }> = {
  open: { label: 'To pay', look: 'grain' },
  processing: { label: 'Payment on its way', look: 'grain' },
  paid: { label: 'Paid', look: 'leaf' },
  failed: { label: 'Failed', look: 'alarm' },
  expired: { label: 'Expired', look: 'plain' },
  cancelled: { label: 'Cancelled', look: 'plain' },
}

const refundLooks = { part: { label: 'Partly refunded', look: 'plain' }, whole: { label: 'Refunded', look: 'plain' } } as const

/** Everything that the organization has ordered. */
export function OrdersSection() {
  const orders = useInfiniteQuery({
    queryKey: [OWN_ORDERS],
    queryFn: async ({ pageParam, signal }) => {
      const url = pageParam ? `${OWN_ORDERS}?cursor=${pageParam}` : OWN_ORDERS
      return ownOrderPage.parse(await (await apiRequest('GET', url, undefined, { signal })).json())
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state }) => againAfter(state.data?.pages.flatMap(({ items }) => items)),
  })
  const rows = orders.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <AccountSection
      id="orders"
      title="Orders"
      intro={
        <>
          Amounts are visible to buyers and admins only. Invoices are addressed to{' '}
          <Link to={`${href('/account/organization')}#facts`} className="link">
            your details
          </Link>
          .
        </>
      }
    >
      {orders.isPending && (
        <div>
          <Loading>Loading your orders...</Loading>
          <Skeleton lines={4} />
        </div>
      )}
      {orders.isError && <Failed error={orders.error} retry={orders.refetch} />}
      {orders.data && rows.length === 0 && (
        <Empty title="No orders yet" action={<ButtonLink to={href('/data-marketplace')}>Browse the datasets</ButtonLink>}>
          A dataset that you buy appears here with its receipt.
        </Empty>
      )}
      {rows.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {rows.map((order) => (
            <Order key={order.id} order={order} />
          ))}
        </ul>
      )}
      {orders.hasNextPage && (
        <Button
          type="button"
          look="quiet"
          className="justify-self-start"
          busy={orders.isFetchingNextPage}
          onClick={() => void orders.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </AccountSection>
  )
}

function Order({ order }: { order: OwnOrder }) {
  const { reference, title, state, total, createdAt, paidAt, dueOn, failure, purchaseOrder, period, isTest, invoices } = order
  const ordered = mediumDay(new Date(createdAt))
  const paid = paidAt && state === 'paid' ? mediumDay(new Date(paidAt)) : ''
  const { label, look } = state === 'paid' && order.refunded !== 'none' ? refundLooks[order.refunded] : looks[state]
  return (
    <li className="grid gap-x-6 gap-y-2 py-4 sm:grid-cols-[1fr_auto]">
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
          <span className="wrap-anywhere">{title}</span>
          <Badge look={look}>{label}</Badge>
          {isTest && <Badge>Test</Badge>}
        </p>
        <p className="text-small text-muted">
          <span className="font-mono text-fine">{reference}</span> · <time dateTime={createdAt}>{ordered}</time>
          {period && ` · for ${formatSpan(period)}`}
          {paid !== '' && paid !== ordered && ` · paid ${paid}`}
          {state === 'open' && dueOn && ` · payable until ${mediumDay(new Date(dueOn))}`}
          {purchaseOrder && ` · purchase order ${purchaseOrder}`}
          {order.isWithdrawn && ' · withdrawal received'}
        </p>
        <ReceiptLinks receipts={invoices} />
        {order.isConsumer && !order.isWithdrawn && (state === 'paid' || state === 'processing') && (
          <Link to={`${WITHDRAWAL}?order=${reference}`} className="link justify-self-start text-small" reloadDocument>
            {WITHDRAWAL_LINK}
          </Link>
        )}
        {order.isCancelledByStaff && total !== null && <CancelInvoiced reference={reference} />}
        {state === 'failed' && failure && <p className="text-small text-alarm">{failure}</p>}
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 sm:justify-end">
        {total !== null && <span className="font-mono tabular-nums">{total}</span>}
        <Deeds order={order} />
      </div>
    </li>
  )
}

function Deeds({ order: { reference, title, state, slug, total, mayPay, mayCancel } }: { order: OwnOrder }) {
  if (total === null) return null
  if (state === 'paid') {
    return slug ? (
      <ButtonLink to={href('/data-marketplace/:slug', { slug })} look="quiet" size="small" aria-label={`Open ${title}`}>
        Open
      </ButtonLink>
    ) : null
  }
  if (state === 'processing') return null
  if (state !== 'open') {
    return slug ? (
      <ButtonLink to={buyPath(slug)} look="quiet" size="small" reloadDocument>
        Order again
      </ButtonLink>
    ) : null
  }
  return (
    <>
      {mayPay && (
        <ButtonLink to={href('/pay/:reference', { reference })} size="small" reloadDocument>
          Pay
        </ButtonLink>
      )}
      {mayCancel && (
        <QuestionButton
          size="small"
          label="Cancel"
          aria-label={`Cancel the order ${reference}`}
          question={`Cancel the order ${reference}?`}
          confirm="Cancel the order"
          action={{
            send: async () => apiRequest('POST', `${OWN_ORDERS}/${reference}/cancel`),
            done: 'Order cancelled',
            failed: 'Not cancelled',
            touches: [OWN_ORDERS],
          }}
        >
          Nothing was charged. You can order again at any time.
        </QuestionButton>
      )}
    </>
  )
}
