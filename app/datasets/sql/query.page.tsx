import { Link } from 'react-router'
import { allow } from '#app/access.server.ts'
import { MARKETPLACE } from '#app/datasets/catalog/addresses.ts'
import { findShelved } from '#app/datasets/catalog/published-product.server.ts'
import { accessTo } from '#app/datasets/access/access.server.ts'
import { onNewPath } from '#app/platform/browser/revalidate.ts'
import { stop } from '#app/platform/stop.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { Page } from '#app/ui/page.tsx'
import { NoAccess } from './no-access.tsx'
import { QueryEditor } from './query-panel.tsx'
import type { Route } from './+types/query.page.ts'

export async function loader({ context, params: { slug } }: Route.LoaderArgs) {
  const currentUser = await allow(requestContextOf(context), 'workspace.enter')
  const found = await findShelved(slug, { hidden: currentUser.role !== 'customer' })
  if (!found) return stop('notFound', 'There is no such dataset.')
  const { id, name } = found.product
  return { id, slug: found.product.slug, name, access: await accessTo(found.product, currentUser), viewerId: currentUser.id }
}

/** The URL holds the query, which does not change the user. */
export const shouldRevalidate = onNewPath

export const meta = ({ loaderData }: Route.MetaArgs) => pageMeta({ title: loaderData ? `Query ${loaderData.name}` : 'Query', index: false })

export default function QueryPage({ loaderData: { id, slug, name, access, viewerId: currentUserId } }: Route.ComponentProps) {
  return (
    <Page
      kind="work"
      title={name}
      eyebrow={
        <Link to={`${MARKETPLACE}/${slug}`} className="link">
          Back to the dataset
        </Link>
      }
      {...(access === 'granted' && { intro: 'Query this dataset with SQL. Read-only, 5-second limit.' })}
    >
      {access === 'granted' ? (
        <QueryEditor productId={id} slug={slug} viewerId={currentUserId} />
      ) : (
        <NoAccess slug={slug} access={access} />
      )}
    </Page>
  )
}
