import type { KeyboardEvent } from 'react'
import type { Column, Filter } from '#app/datasets/catalog/column.ts'
import { cx } from '#app/ui/class-names.ts'
import { type Bar, barFilters, mergeBars } from './bars.ts'
import { countInWords } from './words.ts'

/** Makes bars and values into buttons that filter the rows. */
export type Picking = { isChosen: (filters: Filter[]) => boolean; pick: (filters: Filter[]) => void }

type HistogramProps = { column: Column; picking?: Picking | undefined; small?: boolean }

/** The distribution of a column's values. The text beside it has the range, so screen readers skip a static histogram. */
export function ColumnHistogram({ column, picking, small = false }: HistogramProps) {
  const bars = mergeBars(column.histogram ?? [])
  if (bars.length === 0) return null
  const most = Math.max(1, ...bars.map(({ count }) => count))
  const height = small ? 'h-11' : 'h-16'
  if (!picking) return <HistogramDrawing shares={bars.map(({ count }) => count / most)} height={height} />
  const begin = Math.max(
    0,
    bars.findIndex((bar, at) => picking.isChosen(barFilters(column.name, bar, at === bars.length - 1))),
  )
  return (
    // Arrow keys move between bars, so each histogram is one tab stop.
    <div
      role="toolbar"
      tabIndex={-1}
      aria-label={small ? `Rows by ${column.name}, above the table` : `Rows by ${column.name}`}
      className={cx('flex items-end', height)}
      onKeyDown={moveFocus}
    >
      {bars.map((bar, at) => (
        <BarButton
          key={bar.from}
          bar={bar}
          share={bar.count / most}
          filters={barFilters(column.name, bar, at === bars.length - 1)}
          picking={picking}
          isStop={at === begin}
        />
      ))}
    </div>
  )
}

/** All bars in one path: a public page has many columns, and each element is slow on a slow phone. */
export function HistogramDrawing({ shares, height }: { shares: readonly number[]; height: string }) {
  return (
    <svg viewBox={`0 0 ${shares.length * 10} 100`} preserveAspectRatio="none" aria-hidden="true" className={cx('block w-full', height)}>
      <path d={shares.map((share, at) => `M${at * 10 + 0.25} 100v${-levelOf(share)}h9.5V100z`).join('')} className="fill-grain" />
      <rect y="99" width={shares.length * 10} height="1" className="fill-edge" />
    </svg>
  )
}

/** In percent. Any bar with rows is visible. */
function levelOf(share: number): number {
  return share === 0 ? 0 : Math.max(3, share * 100)
}

type BarButtonProps = { bar: Bar; share: number; filters: Filter[]; picking: Picking; isStop: boolean }

function BarButton({ bar, share, filters, picking, isStop }: BarButtonProps) {
  const chosen = picking.isChosen(filters)
  const says = `${bar.from} to ${bar.to}: ${countInWords(bar.count)}`
  return (
    <button
      type="button"
      tabIndex={isStop ? 0 : -1}
      aria-pressed={chosen}
      aria-label={says}
      title={says}
      onClick={() => picking.pick(filters)}
      className={cx('group h-full min-w-0 grow basis-0 rounded-sm px-px hover:bg-sunken', chosen && 'bg-grain-wash')}
    >
      <Level share={share} chosen={chosen} />
    </button>
  )
}

/** Heights are attributes: the content security policy of public pages forbids inline styles. */
function Level({ share, chosen }: { share: number; chosen: boolean }) {
  const height = levelOf(share)
  return (
    <svg viewBox="0 0 10 100" preserveAspectRatio="none" aria-hidden="true" className="block h-full w-full">
      <rect
        y={100 - height}
        width="10"
        height={height}
        className={chosen ? 'fill-grain-text' : 'fill-grain group-hover:fill-grain-strong'}
      />
      <rect y="99" width="10" height="1" className="fill-edge" />
    </svg>
  )
}

/** Moves the focus within a toolbar by arrow keys, Home and End. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const at = buttons.findIndex((button) => button === document.activeElement)
  const next = { ArrowLeft: at - 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: buttons.length - 1 }[event.key]
  if (at < 0 || next === undefined) return
  event.preventDefault()
  buttons.at(Math.min(Math.max(next, 0), buttons.length - 1))?.focus()
}
