import type { Handle } from '#app/access.server.ts'
import { accountHead } from '#app/account/settings/page-title.ts'
import { OwnProposalsSection } from '#app/billing/proposals/own-proposals-section.tsx'
import { SubscriptionsSection } from '#app/billing/subscriptions/subscriptions-section.tsx'
import { OrdersSection } from './orders-section.tsx'

export const handle = { access: 'workspace.enter' } satisfies Handle

export const meta = () => accountHead('Billing')

/** The subscriptions, orders and proposals of a person’s organization. */
export default function BillingPage() {
  return (
    <div className="grid grid-cols-1 gap-6">
      <OwnProposalsSection />
      <SubscriptionsSection />
      <OrdersSection />
    </div>
  )
}
