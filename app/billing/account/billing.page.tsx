import type { Handle } from '#app/access.server.ts'
import { accountHead } from '#app/account/settings/page-title.ts'
import { OwnProposalsSection } from '#app/billing/proposals/own-proposals-section.tsx'
import { SubscriptionsSection } from '#app/billing/subscriptions/subscriptions-section.tsx'
import { OrdersSection } from './orders-section.tsx'

export const handle = { access: 'workspace.enter' } satisfies Handle

export const meta = () => accountHead('Billing')

/** What the organization of a person was offered and has bought. */
export default function BillingPage() {
  return (
    <div className="grid grid-cols-1 gap-6">
      <OwnProposalsSection />
      <SubscriptionsSection />
      <OrdersSection />
    </div>
  )
}
