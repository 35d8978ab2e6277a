import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from 'react-router'
import { may, type Handle } from '#app/access.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { viewerOf } from '#app/page-access.server.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { RecordPage } from '#app/ui/admin/record.tsx'
import { Page } from '#app/ui/page.tsx'
import type { Route } from './+types/order.page.ts'
import { BILLING } from './desk.ts'
import { OrderState, TestBadge } from './look.tsx'
import { AskedCancel, OrderActions } from './order-actions.tsx'
import { OrderParts } from './order-parts.tsx'
import { orderRecord } from './order-record.ts'

const AGAIN_MS = 5000

export const handle = { access: 'billing.read' } satisfies Handle

export function loader({ context }: Route.LoaderArgs) {
  return { mayWrite: may(viewerOf(context).viewer, 'billing.write') }
}

export const meta = ({ params }: Route.MetaArgs) => pageMeta({ title: `Order ${params.reference}`, index: false })

/** An order with everything of it: lines, payments, documents, ledger, events. */
export default function OrderPage({ loaderData: { mayWrite } }: Route.ComponentProps) {
  const { reference = '' } = useParams()
  const navigate = useNavigate()
  const query = useQuery({
    ...apiQuery(`${BILLING}/orders/${encodeURIComponent(reference)}`, orderRecord),
    // A refund that was just sent ends within seconds at most providers.
    refetchInterval: ({ state: { data } }) => data?.refunds.some(({ state }) => state === 'pending') === true && AGAIN_MS,
  })
  const back = (
    <Link to="/admin/billing" className="hover:text-ink">
      Billing
    </Link>
  )
  return (
    <Page kind="work" eyebrow={back} title={`Order ${reference.toUpperCase()}`}>
      <RecordPage
        query={query}
        one="order"
        titleOf={({ title }) => title}
        renderState={(order) => (
          <p className="flex flex-wrap gap-2">
            <OrderState order={order} />
            <TestBadge row={order} />
          </p>
        )}
        renderActions={(order) => mayWrite && <OrderActions order={order} />}
        close={() => void navigate('/admin/billing')}
      >
        {(order) => (
          <>
            {mayWrite && <AskedCancel order={order} />}
            <OrderParts order={order} mayWrite={mayWrite} />
          </>
        )}
      </RecordPage>
    </Page>
  )
}
