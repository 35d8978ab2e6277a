import { useQuery } from '@tanstack/react-query'
import { useView } from '#app/admin-view/use-view.tsx'
import { PRODUCTS } from '#app/datasets/addresses.ts'
import type { ProductDetail } from '#app/datasets/product.ts'
import { apiQuery } from '#app/platform/api.ts'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { exampleQuestions } from './example-questions.ts'
import { Questions } from './questions.tsx'

type WorkbenchProps = { productId: string; slug: string; viewerId: string }

/** What the dataset has comes first: the examples and what is offered while writing are made of it. */
export function Workbench({ productId, slug, viewerId }: WorkbenchProps) {
  const { params } = useView()
  const detail = useQuery(apiQuery<ProductDetail>(`${PRODUCTS}/${slug}`))
  if (detail.isPending) {
    return (
      <div>
        <Loading>Loading the columns...</Loading>
        <Skeleton lines={8} />
      </div>
    )
  }
  if (detail.isError) return <Failed as="h2" title="The columns did not load" error={detail.error} retry={detail.refetch} />
  const { columns } = detail.data
  if (columns.length === 0) {
    return (
      <Empty title="No data yet">
        <p>This dataset has not been published yet. Once it is, it can be asked here.</p>
      </Empty>
    )
  }
  const beginning = params.get('sql') ?? exampleQuestions(columns)[0]?.sql ?? ''
  return <Questions productId={productId} viewerId={viewerId} columns={columns} beginning={beginning} />
}
