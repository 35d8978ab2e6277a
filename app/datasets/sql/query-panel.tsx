import { useQuery } from '@tanstack/react-query'
import { useView } from '#app/ui/admin/use-view.tsx'
import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { productDetail } from '#app/datasets/catalog/product.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { exampleQuestions } from './example-queries.ts'
import { QueryHistory } from './example-list.tsx'

type WorkbenchProps = { productId: string; slug: string; viewerId: string }

/** Loads the columns first: the examples and completion need them. */
export function QueryEditor({ productId, slug, viewerId: currentUserId }: WorkbenchProps) {
  const { params } = useView()
  const detail = useQuery(apiQuery(`${PRODUCTS}/${slug}`, productDetail))
  if (detail.isPending) {
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
  return <QueryHistory productId={productId} viewerId={currentUserId} columns={columns} beginning={beginning} />
}
