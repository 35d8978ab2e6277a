import { useView } from '#app/ui/admin/use-view.tsx'
import { csvNoteOf } from '#app/datasets/catalog/format.ts'
import type { ProductDetail } from '#app/datasets/catalog/product.ts'
import { useTake } from './use-download.tsx'
import { Button } from '#app/ui/button.tsx'
import { filtersOf, selectOf, sortOf } from './row-view.ts'

/** Exports the selected rows and columns in their order; the file is streamed. */
export function ChoiceDownload({ detail }: { detail: ProductDetail }) {
  const { params } = useView()
  const take = useTake(detail.id)
  const [filters, columns, sort] = [filtersOf(params), selectOf(params), sortOf(params)]
  const what = filters.length > 0 ? 'filtered rows' : columns ? 'selected columns' : 'all rows'
  const doing = take.isPending ? take.variables.format : undefined
  const wish = { downloadType: 'file' as const, ...(columns && { columns }), ...(filters.length > 0 && { filters }), ...(sort && { sort }) }
  return (['csv', 'jsonl'] as const).map((format) => (
    <Button
      key={format}
      type="button"
      look="quiet"
      size="small"
      title={csvNoteOf(format)}
      busy={doing === format}
      onClick={() => take.mutate({ ...wish, format })}
    >
      {doing === format ? 'Starting...' : `Export ${what} (${format.toUpperCase()})`}
    </Button>
  ))
}
