import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { useView } from '#app/ui/admin/use-view.tsx'
import type { ProductDetail } from '#app/datasets/catalog/product.ts'
import { countInWords, rowsInWords } from './words.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { countUrl, filtersOf } from './row-view.ts'

const rowCount = z.object({ rows: z.number() })

/** The number of matching rows, out of all. */
export function RowCount({ detail: { id, rows } }: { detail: ProductDetail }) {
  const { params } = useView()
  const isFiltered = filtersOf(params).length > 0
  const counted = useQuery({ ...apiQuery(countUrl(id, params), rowCount), enabled: isFiltered, placeholderData: keepPreviousData })
  const found = counted.data && !counted.isPlaceholderData ? countInWords(counted.data.rows) : '…'
  return (
    <p role="status" className="font-mono text-small tabular-nums">
      {isFiltered && !counted.isError ? `${found} of ${rowsInWords(rows)}` : rowsInWords(rows)}
    </p>
  )
}
