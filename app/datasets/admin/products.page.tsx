import { ArrowLeftIcon, PlusIcon } from 'lucide-react'
import { Link } from 'react-router'
import type { Handle } from '#app/access.server.ts'
import { viewerOf } from '#app/page-access.server.ts'
import { StaffOnly } from '#app/users/access-requests/staff-only.tsx'
import { useLeaveGuard } from '#app/ui/admin/leave-warning.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { onNewPath } from '#app/platform/browser/revalidate.ts'
import { useIsSending } from './use-upload-of.tsx'
import { areas } from '#app/content/areas.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { Button } from '#app/ui/button.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { Later, laterCode } from '#app/ui/later-code.tsx'
import { Page } from '#app/ui/page.tsx'
import { ProductList } from './product-list.tsx'
import { openIn } from './product-view.ts'
import type { Route } from './+types/products.page.ts'

const newCode = laterCode('The form', () => import('./new-product.tsx'))
const openCode = laterCode('The product', () => import('./open-product.tsx'))

export const handle = { access: 'products.write', isExplained: true } satisfies Handle

export function loader({ context }: Route.LoaderArgs) {
  const { isTheirs } = viewerOf(context)
  return { isTheirs }
}

/** Searching or opening a product does not change the user. */
export const shouldRevalidate = onNewPath

export const meta = () => pageMeta({ title: areas.products.name, index: false })

export default function ProductsPage({ loaderData: { isTheirs } }: Route.ComponentProps) {
  return isTheirs ? <ProductManagement /> : <StaffOnly area="products" />
}

/** The URL says whether the catalog or one product is shown, so both can be bookmarked and the back button works. */
function ProductManagement() {
  const { params, change } = useView()
  const open = openIn(params)
  // Uploads continue while other products are viewed, but not after the window closes.
  useLeaveGuard(useIsSending())
  const actions = open ? (
    <Link to="/admin/products" className={buttonLook('quiet')}>
      <ArrowLeftIcon aria-hidden="true" className="size-4" />
      All products
    </Link>
  ) : (
    <Button
      type="button"
      onPointerEnter={newCode.warm}
      onFocus={newCode.warm}
      onClick={() => change({ new: 'product' }, { fromTop: true })}
    >
      <PlusIcon aria-hidden="true" className="size-4" />
      New Product
    </Button>
  )
  return (
    <Page kind="work" title={areas.products.title} {...(!open && { intro: areas.products.purpose })} actions={actions}>
      {!open && <ProductList />}
      {open === 'new' && <Later code={newCode}>{({ NewProduct }) => <NewProduct />}</Later>}
      {typeof open === 'object' && <Later code={openCode}>{({ OpenProduct }) => <OpenProduct id={open.id} />}</Later>}
    </Page>
  )
}
