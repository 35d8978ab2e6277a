import { ArrowLeft, Plus } from 'lucide-react'
import { Link } from 'react-router'
import { allowPage } from '#app/access.server.ts'
import { areaPermissions } from '#app/access-request/area.server.ts'
import { StaffOnly } from '#app/access-request/staff-only.tsx'
import { useLeaveGuard } from '#app/admin-view/use-leave-guard.tsx'
import { useView } from '#app/admin-view/use-view.tsx'
import { onNewPath } from '#app/platform/revalidate.ts'
import { visitOf } from '#app/platform/visit.server.ts'
import { useIsSending } from '#app/product-upload/use-upload-of.tsx'
import { areas } from '#app/site/content/areas.ts'
import { pageMeta } from '#app/site/content/page-meta.ts'
import { Button } from '#app/ui/button.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { Page } from '#app/ui/page.tsx'
import { NewProduct } from './new-product.tsx'
import { OpenProduct } from './open-product.tsx'
import { ProductList } from './product-list.tsx'
import { openIn } from './product-view.ts'
import type { Route } from './+types/products.page.ts'

export async function loader({ context }: Route.LoaderArgs) {
  const { isTheirs } = await allowPage(visitOf(context), areaPermissions.products)
  return { isTheirs }
}

/** Another search, or an open product, changes nothing of who is looking. */
export const shouldRevalidate = onNewPath

export const meta = () => pageMeta({ title: areas.products.title, index: false })

export default function ProductsPage({ loaderData: { isTheirs } }: Route.ComponentProps) {
  return isTheirs ? <ProductManagement /> : <StaffOnly area="products" />
}

/** Closed, the shelf; open, one product in its place. The address says which, so that either can be kept and left with the back button. */
function ProductManagement() {
  const { params, change } = useView()
  const open = openIn(params)
  // Files go on being sent while other products are looked at, but not without this window.
  useLeaveGuard(useIsSending())
  const actions = open ? (
    <Link to="/admin/products" className={buttonLook('quiet')}>
      <ArrowLeft aria-hidden="true" className="size-4" />
      All products
    </Link>
  ) : (
    <Button type="button" onClick={() => change({ new: 'product' })}>
      <Plus aria-hidden="true" className="size-4" />
      New Product
    </Button>
  )
  return (
    <Page kind="work" title={areas.products.title} {...(!open && { intro: areas.products.purpose })} actions={actions}>
      {!open && <ProductList />}
      {open === 'new' && <NewProduct />}
      {typeof open === 'object' && <OpenProduct key={open.id} id={open.id} />}
    </Page>
  )
}
