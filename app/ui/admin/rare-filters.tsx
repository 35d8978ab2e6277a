import { FilterIcon, XIcon } from 'lucide-react'
import { Button } from '#app/ui/button.tsx'
import { laterCode, LaterDialog } from '#app/ui/later-code.tsx'
import { useState } from 'react'
import type { ListFilter, RareFilter } from './list-filters.tsx'
import { useView } from './use-view.tsx'
import { valuesIn } from './view.ts'

const dialogCode = laterCode('The filters', () => import('./filter-dialog.tsx'))

type RareFiltersProps = { filters: readonly RareFilter[]; /** Of their dialog. */ title: string }

/** The button that opens the filters of a list that has many. */
export function RareFilters({ filters, title }: RareFiltersProps) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button type="button" look="quiet" onClick={() => setOpen(true)} onPointerEnter={dialogCode.warm} onFocus={dialogCode.warm}>
        <FilterIcon aria-hidden="true" className="size-4 max-sm:hidden" />
        Filters
      </Button>
      {isOpen && (
        <LaterDialog code={dialogCode} onClose={close}>
          {({ FilterDialog }) => <FilterDialog filters={filters} title={title} close={close} />}
        </LaterDialog>
      )}
    </>
  )
}

/** The filters in use, each with a button that removes it. */
export function FiltersInUse({ filters, all }: { filters: readonly RareFilter[]; all: readonly ListFilter[] }) {
  const { params, change } = useView()
  const active = filters.flatMap((filter) => {
    const values = valuesIn(params, filter)
    return values.map((value) => {
      const label = 'options' in filter ? filter.options.find((option) => option.value === value)?.label : filter.show?.(value)
      const others = values.filter((other) => other !== value).join(',')
      return { key: filter.key, value, text: `${filter.label}: ${label ?? value}`, remove: () => change({ [filter.key]: others }) }
    })
  })
  if (active.length === 0) return null
  return (
    <ul aria-label="Filters in use" className="flex flex-wrap items-center gap-2 text-small">
      {active.map(({ key, value, text, remove }) => (
        <li key={`${key} ${value}`}>
          <button
            type="button"
            onClick={remove}
            aria-label={`Remove the filter ${text}`}
            className="inline-flex min-h-7 items-center gap-1.5 rounded-full border border-line bg-sunken px-2.5 text-fine hover:border-ink pointer-coarse:min-h-11"
          >
            {text}
            <XIcon aria-hidden="true" className="size-3.5" />
          </button>
        </li>
      ))}
      <li>
        <Button type="button" look="quiet" size="small" onClick={() => change(Object.fromEntries(all.map(({ key }) => [key, undefined])))}>
          Clear all
        </Button>
      </li>
    </ul>
  )
}
