import { Link } from 'react-router'
import { allow } from '#app/access.server.ts'
import { MARKETPLACE } from '#app/datasets/addresses.ts'
import { findShelved } from '#app/datasets/shelf.server.ts'
import { accessTo } from '#app/entitlements/access.server.ts'
import { onNewPath } from '#app/platform/revalidate.ts'
import { stop } from '#app/platform/stop.ts'
import { visitOf } from '#app/platform/visit.server.ts'
import { pageMeta } from '#app/site/content/page-meta.ts'
import { Page } from '#app/ui/page.tsx'
import { NoAccess } from './no-access.tsx'
import { Workbench } from './workbench.tsx'
import type { Route } from './+types/query.page.ts'

export async function loader({ context, params: { slug } }: Route.LoaderArgs) {
  const viewer = await allow(visitOf(context), 'workspace.enter')
  const found = await findShelved(slug, { hidden: viewer.role !== 'customer' })
  if (!found) return stop('notFound', 'There is no such dataset.')
  const { id, name } = found.product
  return { id, slug: found.product.slug, name, access: await accessTo(found.product, viewer), viewerId: viewer.id }
}

/** The question stands in the address: that changes nothing of who is looking. */
export const shouldRevalidate = onNewPath

export const meta = ({ loaderData }: Route.MetaArgs) => pageMeta({ title: loaderData ? `Query ${loaderData.name}` : 'Query', index: false })

export default function QueryPage({ loaderData: { id, slug, name, access, viewerId } }: Route.ComponentProps) {
  return (
    <Page
      kind="work"
      title={name}
      eyebrow={
        <Link to={`${MARKETPLACE}/${slug}`} className="link">
          Back to the dataset
        </Link>
      }
      {...(access === 'granted' && { intro: 'Ask this dataset in SQL. Questions only read; each one may take 5 seconds.' })}
    >
      {access === 'granted' ? <Workbench productId={id} slug={slug} viewerId={viewerId} /> : <NoAccess slug={slug} access={access} />}
    </Page>
  )
}
