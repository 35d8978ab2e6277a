import { Link } from 'react-router'
import { useQuery } from '@tanstack/react-query'
import { may, type Handle } from '#app/access.server.ts'
import { viewerOf } from '#app/page-access.server.ts'
import { MARKETPLACE, PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { findCatalogEntry } from '#app/datasets/catalog/published-product.server.ts'
import { accessTo } from '#app/datasets/access/access.server.ts'
import { membershipOf } from '#app/organizations/organization/membership.server.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { onNewPath } from '#app/platform/browser/revalidate.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { Page } from '#app/ui/page.tsx'
import { type ProductAccess, productDetail } from '#app/datasets/catalog/product.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { apiQuery } from '#app/platform/browser/api.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Route } from './+types/query.page.ts'
import { exampleQuestions } from './example-queries.ts'
import { QueryWorkbench } from './query-workbench.tsx'
import { pastQueries, pastQueriesOf, queriesOf, savedQueries } from './saved-query.ts'
import { KeptQueries } from './saved-query-list.tsx'

export const handle = { access: 'workspace.enter' } satisfies Handle

export async function loader({ context, params: { slug } }: Route.LoaderArgs) {
  const { viewer } = viewerOf(context)
  const organization = await membershipOf(requestContextOf(context), viewer)
  const found = await findCatalogEntry(slug, { hidden: viewer.role !== 'customer' })
  if (!found) return stop('notFound', 'There is no such dataset.')
  const { id, name } = found.product
  return {
    id,
    slug: found.product.slug,
    name,
    access: await accessTo(found.product, { ...viewer, organization }),
    mayShare: may(viewer, 'products.write'),
  }
}

/** The URL holds the query, which does not change the user. */
export const shouldRevalidate = onNewPath

export const meta = ({ loaderData }: Route.MetaArgs) => pageMeta({ title: loaderData ? `Query ${loaderData.name}` : 'Query', index: false })

export default function QueryPage({ loaderData: { id, slug, name, access, mayShare } }: Route.ComponentProps) {
  return (
    <Page
      kind="work"
      title={name}
      eyebrow={
        <Link to={`${MARKETPLACE}/${slug}`} className="hover:text-ink">
          Back to the dataset
        </Link>
      }
      {...(access === 'granted' && { intro: 'Query this dataset with SQL. Read-only, 5‑second limit.' })}
    >
      {access === 'granted' ? (
        <QueryEditor productId={id} slug={slug} mayShare={mayShare} />
      ) : (
        <>
          <NoAccess slug={slug} access={access} />
          <KeptQueries productId={id} />
        </>
      )}
    </Page>
  )
}

/** Tells users without access how to get it. */
function NoAccess({ slug, access }: { slug: string; access: ProductAccess }) {
  if (access === 'confirm') {
    return (
      <Empty title="Please confirm your email address first" action={<ButtonLink to="/account">Go to your account</ButtonLink>}>
        <p>Follow the link in the email we sent. Then you can query this dataset.</p>
      </Empty>
    )
  }
  return (
    <Empty title="This is a paid dataset" action={<ButtonLink to={`${MARKETPLACE}/${slug}#request-access`}>Request access</ButtonLink>}>
      <p>Request access, and we will email you an invoice. Then you can download its files, read it through the API, and query it here.</p>
    </Empty>
  )
}

type EditorProps = { productId: string; slug: string; mayShare: boolean }

/** Loads the columns first, which the examples and completion need. */
function QueryEditor({ productId, slug, mayShare }: EditorProps) {
  const { params } = useView()
  const detail = useQuery(apiQuery(`${PRODUCTS}/${slug}`, productDetail))
  // Loaded beside it, so that they move nothing when they arrive.
  const saved = useQuery(apiQuery(queriesOf(productId), savedQueries))
  const past = useQuery(apiQuery(pastQueriesOf(productId), pastQueries))
  if (detail.isPending || saved.isPending || past.isPending) {
    return (
      <div>
        <Loading>Loading the columns...</Loading>
        <Skeleton lines={8} />
      </div>
    )
  }
  if (detail.isError) return <Failed as="h2" title="Could not load the columns" error={detail.error} retry={detail.refetch} />
  const { columns } = detail.data
  if (columns.length === 0) {
    return (
      <Empty title="No data yet">
        <p>This dataset is not published yet. Once it is, you can query it here.</p>
      </Empty>
    )
  }
  const beginning = params.get('sql') ?? exampleQuestions(columns)[0]?.sql ?? ''
  return <QueryWorkbench productId={productId} mayShare={mayShare} columns={columns} beginning={beginning} />
}
