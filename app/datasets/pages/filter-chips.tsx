import { XIcon } from 'lucide-react'
import { useView } from '#app/ui/admin/use-view.tsx'
import { Button } from '#app/ui/button.tsx'
import { filterInWords, filtersOf, rowViewKey, withoutFilters } from './row-view.ts'

/** The active filters; each can be removed. */
export function FilterChips() {
  const { params, change } = useView()
  const filters = filtersOf(params)
  if (filters.length === 0) return null
  return (
    <ul aria-label="Filters" className="flex flex-wrap items-center gap-2">
      {filters.map((filter) => (
        <li key={rowViewKey(filter)} className="max-w-full">
          <button
            type="button"
            aria-label={`Remove filter: ${filterInWords(filter)}`}
            onClick={() => change({ [rowViewKey(filter)]: undefined })}
            className="inline-flex min-h-9 max-w-full items-center gap-2 rounded-full border border-transparent bg-grain-wash px-3 font-mono text-fine text-grain-text hover:border-grain-text pointer-coarse:min-h-11"
          >
            <span className="truncate">{filterInWords(filter)}</span>
            <XIcon className="size-3.5 shrink-0" />
          </button>
        </li>
      ))}
      <li>
        <Button type="button" look="quiet" size="small" onClick={() => change(withoutFilters(params))}>
          Clear filters
        </Button>
      </li>
    </ul>
  )
}
