import { lazy, Suspense } from 'react'
import { may, type Handle } from '#app/access.server.ts'
import { BillingFigures } from '#app/billing/figures/billing-figures.tsx'
import { viewerOf } from '#app/page-access.server.ts'
import { onNewPath } from '#app/platform/browser/revalidate.ts'
import { identity } from '#app/content/identity.ts'
import type { Route } from './+types/dashboard.page.ts'
import { SalesDashboard } from '#app/leads/figures/sales-dashboard.tsx'

// Staff need not load what customers see. The server draws both.
const CustomerHomePage = lazy(async () => ({ default: (await import('./customer-home.tsx')).CustomerHomePage }))

export const handle = { access: 'leads.read', isExplained: true } satisfies Handle

export function loader({ context }: Route.LoaderArgs) {
  const { viewer, isTheirs: isStaff } = viewerOf(context)
  return { isStaff, mayRead: may(viewer, 'billing.read'), email: viewer.email, firstName: viewer.firstName }
}

/** Search, order and page are in the URL; none of them changes the signed-in person. */
export const shouldRevalidate = onNewPath

export function meta(): Route.MetaDescriptors {
  return [{ title: `Dashboard · ${identity.name}` }, { name: 'robots', content: 'noindex' }]
}

export default function DashboardPage({ loaderData: { isStaff, mayRead, ...person } }: Route.ComponentProps) {
  if (isStaff) return <SalesDashboard above={mayRead && <BillingFigures />} />
  return (
    <Suspense>
      <CustomerHomePage {...person} />
    </Suspense>
  )
}
