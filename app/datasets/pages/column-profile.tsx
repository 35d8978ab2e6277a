import { type Column, isOrdered } from '#app/datasets/catalog/column.ts'
import { cx } from '#app/ui/class-names.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Fold } from '#app/ui/fold.tsx'
import { ColumnHistogram, type Picking } from './histogram.tsx'
import { TopValues } from './top-values.tsx'
import { countInWords, shareInWords } from './words.ts'

type ColumnListProps = { columns: readonly Column[]; picking?: Picking | undefined }

export function ColumnList({ columns, picking }: ColumnListProps) {
  return (
    <ul className="grid grid-cols-1 divide-y divide-line rounded-card border border-line bg-surface">
      {columns.map((column) => (
        <ColumnProfile key={column.name} column={column} picking={picking} />
      ))}
    </ul>
  )
}

function ColumnProfile({ column, picking }: { column: Column; picking?: Picking | undefined }) {
  return (
    <li
      className={cx(
        'px-4 md:p-5',
        // Off-screen profiles are not laid out. Interactive ones are, because containment would clip their focus outlines.
        !picking && '[contain-intrinsic-height:auto_3rem] [content-visibility:auto] md:[contain-intrinsic-height:auto_18rem]',
      )}
    >
      <Fold summary={<ColumnName column={column} />}>
        <div className="grid grid-cols-1 gap-x-8 gap-y-4 max-md:pt-1 max-md:pb-5 md:grid-cols-2 lg:grid-cols-[minmax(0,4fr)_minmax(0,3fr)_minmax(0,5fr)]">
          <div className="grid content-start gap-1.5">
            <div className="max-md:hidden">
              <ColumnName column={column} />
            </div>
            {column.description && <p className="text-small text-muted wrap-anywhere">{column.description}</p>}
            {column.masked && <p className="text-fine text-muted">Personal data: not shown in samples.</p>}
          </div>
          <ColumnFigures column={column} />
          <div className="min-w-0 md:col-span-2 lg:col-span-1">
            {column.histogram ? (
              <Spread column={column} picking={picking} />
            ) : (
              !column.masked && <TopValues column={column} picking={picking} />
            )}
          </div>
        </div>
      </Fold>
    </li>
  )
}

function ColumnName({ column: { name, type } }: { column: Column }) {
  return (
    <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 font-mono text-small font-semibold tracking-normal wrap-anywhere">
      {name} <Badge>{type}</Badge>
    </h3>
  )
}

function ColumnFigures({ column }: { column: Column }) {
  const { fillRate, distinct, min, max, masked } = column
  // The alphabetically first and last texts say nothing about a column.
  const hasRange = !masked && isOrdered(column)
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] content-start gap-x-4 gap-y-1 text-fine [&_dd]:font-mono [&_dd]:wrap-anywhere [&_dt]:text-muted">
      <dt>Filled</dt>
      <dd>{shareInWords(fillRate)}</dd>
      <dt>Distinct values</dt>
      <dd>{countInWords(distinct)}</dd>
      {hasRange && min !== null && (
        <>
          <dt>Minimum</dt>
          <dd className="line-clamp-2">{min}</dd>
        </>
      )}
      {hasRange && max !== null && (
        <>
          <dt>Maximum</dt>
          <dd className="line-clamp-2">{max}</dd>
        </>
      )}
    </dl>
  )
}

function Spread({ column, picking }: { column: Column; picking?: Picking | undefined }) {
  return (
    <>
      <ColumnHistogram column={column} picking={picking} />
      <p className="mt-1.5 flex justify-between gap-4 font-mono text-fine text-muted" aria-hidden="true">
        <span className="truncate">{column.min}</span>
        <span className="truncate">{column.max}</span>
      </p>
    </>
  )
}
