import type { Column } from '#app/datasets/catalog/column.ts'
import { cx } from '#app/ui/class-names.ts'
import { valueFilters } from './bars.ts'
import type { Picking } from './histogram.tsx'
import { countInWords } from './words.ts'

type TopValuesProps = { column: Column; picking?: Picking | undefined; most?: number }

/** The most frequent values of a column with their counts. */
export function TopValues({ column, picking, most = 5 }: TopValuesProps) {
  const values = column.topValues.filter(({ value }) => value !== '').slice(0, most)
  const top = values[0]?.count ?? 1
  if (values.length === 0) return null
  return (
    <ul aria-label={`Most frequent values of ${column.name}`} className="grid grid-cols-1 gap-1">
      {values.map(({ value, count }) => (
        <li key={value}>
          <Value value={value} count={count} share={count / top} name={column.name} picking={picking} />
        </li>
      ))}
    </ul>
  )
}

type ValueProps = { value: string; count: number; share: number; name: string; picking: Picking | undefined }

function Value({ value, count, share, name, picking }: ValueProps) {
  const filters = valueFilters(name, value)
  const chosen = picking?.isChosen(filters) ?? false
  const look = cx(
    'relative flex w-full min-h-7 items-center justify-between gap-3 overflow-hidden rounded-sm px-2 text-left font-mono text-fine',
    chosen && 'outline-2 -outline-offset-2 outline-grain-text',
  )
  const inside = (
    <>
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" className="absolute inset-0 h-full w-full">
        <rect width={Math.max(1, share * 100)} height="10" className="fill-grain-wash" />
      </svg>
      <span className="relative min-w-0 truncate">{value}</span>
      <span className="relative text-muted tabular-nums">{countInWords(count)}</span>
    </>
  )
  if (!picking) return <span className={look}>{inside}</span>
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={() => picking.pick(filters)}
      className={cx(look, 'pointer-coarse:min-h-11 hover:bg-sunken')}
    >
      {inside}
    </button>
  )
}
