import { useSearchParams } from 'react-router'
import { useQuery } from '@tanstack/react-query'
import { may, type Handle } from '#app/access.server.ts'
import { MonthList } from '#app/billing/month-end/month-list.tsx'
import { pageMeta } from '#app/content/page-meta.ts'
import { onNewPath } from '#app/platform/browser/revalidate.ts'
import { Page } from '#app/ui/page.tsx'
import { Tabs } from '#app/ui/tabs.tsx'
import { ImportButton, TransferList } from '#app/billing/transfers/transfer-list.tsx'
import { transferPage, TRANSFERS } from '#app/billing/transfers/transfer.ts'
import { viewerOf } from '#app/page-access.server.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import type { Route } from './+types/billing.page.ts'
import { DiscountList, NewDiscountButton } from '#app/billing/admin/discount-list.tsx'
import { InvoiceList } from '#app/billing/admin/invoice-list.tsx'
import { OrderList } from '#app/billing/admin/order-list.tsx'
import { PaymentList } from '#app/billing/admin/payment-list.tsx'
import { SubscriptionList } from '#app/billing/admin/subscription-list.tsx'
import { countTestData } from '#app/billing/admin/test-data.server.ts'
import { RemoveTestData, useTestData } from '#app/billing/admin/test-data.tsx'
import { TaskList, useTaskCount } from '#app/billing/admin/task-list.tsx'

export const handle = { access: 'billing.read' } satisfies Handle

export async function loader({ context }: Route.LoaderArgs) {
  const { viewer } = viewerOf(context)
  const testData = may(viewer, 'settings.write') ? await countTestData() : undefined
  return { mayWrite: may(viewer, 'billing.write'), testData }
}

/** Another tab or search does not change the signed-in person. */
export const shouldRevalidate = onNewPath

export const meta = () => pageMeta({ title: 'Billing', index: false })

/** The action of a tab, for staff with the right to change billing. */
const tabButtons: Partial<Record<string, React.ReactNode>> = { bank: <ImportButton />, discounts: <NewDiscountButton /> }

export default function BillingPage({ loaderData: { mayWrite, testData } }: Route.ComponentProps) {
  const open = useQuery(apiQuery(`${TRANSFERS}?limit=1`, transferPage)).data?.open
  const tasks = useTaskCount()
  const tests = useTestData(testData)
  const [params, setParams] = useSearchParams()
  const tabs = [
    { value: 'orders', label: 'Orders', content: <OrderList /> },
    { value: 'invoices', label: 'Invoices', content: <InvoiceList /> },
    { value: 'payments', label: 'Payments', content: <PaymentList /> },
    { value: 'subscriptions', label: 'Subscriptions', content: <SubscriptionList /> },
    { value: 'tasks', label: 'To decide', count: tasks, content: <TaskList mayWrite={mayWrite} /> },
    { value: 'bank', label: 'Bank', count: open || undefined, content: <TransferList mayWrite={mayWrite} /> },
    ...(mayWrite ? [{ value: 'discounts', label: 'Discounts', content: <DiscountList /> }] : []),
    { value: 'months', label: 'Months', content: <MonthList mayWrite={mayWrite} /> },
  ]
  const tab = tabs.find(({ value }) => value === params.get('tab'))?.value ?? 'orders'
  const button = tabButtons[tab]
  return (
    <Page
      kind="work"
      title="Billing"
      intro="Orders, invoices, payments and subscriptions of your customers."
      actions={
        (tests || (mayWrite && button)) && (
          <>
            {tests && <RemoveTestData found={tests} />}
            {mayWrite && button}
          </>
        )
      }
    >
      <Tabs
        label="Billing"
        tabs={tabs}
        value={tab}
        onValueChange={(value) => setParams(value === 'orders' ? {} : { tab: value }, { replace: true, preventScrollReset: true })}
      />
    </Page>
  )
}
