import { allowPage } from '#app/access.server.ts'
import { onNewPath } from '#app/platform/revalidate.ts'
import { visitOf } from '#app/platform/visit.server.ts'
import { identity } from '#app/site/content/identity.ts'
import type { Route } from './+types/dashboard.page.ts'
import { CustomerDashboard } from './customer-dashboard.tsx'
import { SalesDashboard } from './sales-dashboard.tsx'

export async function loader({ context }: Route.LoaderArgs) {
  const { viewer, isTheirs: isStaff } = await allowPage(visitOf(context), 'leads.read')
  return { isStaff, email: viewer.email, firstName: viewer.firstName }
}

/** Search, order and page live in the address; none of them changes who is looking. */
export const shouldRevalidate = onNewPath

export function meta(): Route.MetaDescriptors {
  return [{ title: `Dashboard · ${identity.name}` }, { name: 'robots', content: 'noindex' }]
}

export default function DashboardPage({ loaderData: { isStaff, ...person } }: Route.ComponentProps) {
  return isStaff ? <SalesDashboard /> : <CustomerDashboard {...person} />
}
