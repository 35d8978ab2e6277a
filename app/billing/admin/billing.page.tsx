import { useSearchParams } from 'react-router'
import type { Handle } from '#app/access.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { onNewPath } from '#app/platform/browser/revalidate.ts'
import { Page } from '#app/ui/page.tsx'
import { Tabs } from '#app/ui/tabs.tsx'
import { InvoiceList } from './invoice-list.tsx'
import { OrderList } from './order-list.tsx'
import { PaymentList } from './payment-list.tsx'
import { SubscriptionList } from './subscription-list.tsx'

export const handle = { access: 'billing.read' } satisfies Handle

/** Another tab or search does not change the signed-in person. */
export const shouldRevalidate = onNewPath

export const meta = () => pageMeta({ title: 'Billing', index: false })

export default function BillingPage() {
  const [params, setParams] = useSearchParams()
  const tabs = [
    { value: 'orders', label: 'Orders', content: <OrderList /> },
    { value: 'invoices', label: 'Invoices', content: <InvoiceList /> },
    { value: 'payments', label: 'Payments', content: <PaymentList /> },
    { value: 'subscriptions', label: 'Subscriptions', content: <SubscriptionList /> },
  ]
  const tab = tabs.find(({ value }) => value === params.get('tab'))?.value ?? 'orders'
  return (
    <Page kind="work" title="Billing" intro="Orders, invoices, payments and subscriptions of your customers.">
      <Tabs
        label="Billing"
        tabs={tabs}
        value={tab}
        onValueChange={(value) => setParams(value === 'orders' ? {} : { tab: value }, { replace: true, preventScrollReset: true })}
      />
    </Page>
  )
}
