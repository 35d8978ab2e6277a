import type { Handle } from '#app/access.server.ts'
import { findMember } from '#app/organizations/organization/membership.server.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { onNewPath } from '#app/platform/browser/revalidate.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { listProducts } from '#app/datasets/catalog/listing.server.ts'
import { Page } from '#app/ui/page.tsx'
import { Catalog } from './catalogue.tsx'
import type { Route } from './+types/marketplace.page.ts'

export const handle = { access: 'workspace.enter' } satisfies Handle

export async function loader({ context }: Route.LoaderArgs) {
  return { products: await listProducts(await findMember(requestContextOf(context))) }
}

/** Category, search and order do not change the user. */
export const shouldRevalidate = onNewPath

const TITLE = 'Data Marketplace'

export const meta = () => pageMeta({ title: TITLE, index: false })

export default function MarketplacePage({ loaderData: { products } }: Route.ComponentProps) {
  return (
    <Page kind="work" title={TITLE} intro="Datasets as files and as an API. Preview the rows before you download.">
      <Catalog first={products} />
    </Page>
  )
}
