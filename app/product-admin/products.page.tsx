import { Plus } from 'lucide-react'
import { allow, may } from '#app/access.server.ts'
import { areaPermissions } from '#app/access-request/area.server.ts'
import { StaffOnly } from '#app/access-request/staff-only.tsx'
import { useView } from '#app/admin-view/use-view.tsx'
import { onNewPath } from '#app/platform/revalidate.ts'
import { visitOf } from '#app/platform/visit.server.ts'
import { areas } from '#app/site/content/areas.ts'
import { pageMeta } from '#app/site/content/page-meta.ts'
import { Button } from '#app/ui/button.tsx'
import { Page } from '#app/ui/page.tsx'
import { ProductList } from './product-list.tsx'
import type { Route } from './+types/products.page.ts'

export async function loader({ context }: Route.LoaderArgs) {
  return { isTheirs: may(await allow(visitOf(context), 'workspace.enter'), areaPermissions.products) }
}

/** Another search, or an open product, changes nothing of who is looking. */
export const shouldRevalidate = onNewPath

export const meta = () => pageMeta({ title: areas.products.title, index: false })

export default function ProductsPage({ loaderData: { isTheirs } }: Route.ComponentProps) {
  return isTheirs ? <ProductManagement /> : <StaffOnly area="products" />
}

/** Closed, the shelf; open, one product in its place. The address says which, so that either can be kept and left with the back button. */
function ProductManagement() {
  const { change } = useView()
  const actions = (
    <Button type="button" onClick={() => change({ new: 'product' })}>
      <Plus aria-hidden="true" className="size-4" />
      New Product
    </Button>
  )
  return (
    <Page kind="work" title={areas.products.title} intro={areas.products.purpose} actions={actions}>
      <ProductList />
    </Page>
  )
}
