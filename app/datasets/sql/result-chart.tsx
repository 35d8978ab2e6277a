import { scaleLinear } from '@visx/scale'
import { Bar, LinePath } from '@visx/shape'
import { useState } from 'react'
import { later } from '#app/platform/process/later.ts'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import type { QueryResult } from './query.ts'
import { type ChartKind, type Drawable, MOST_POINTS, type Point, pointsOf } from './chart-series.ts'

const figure = later(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 }))

/** One numeric column of a result by its names or times. The table beside it has the same data for screen readers. */
export function ResultChart({ result: { columns, rows }, drawable }: { result: QueryResult; drawable: Drawable }) {
  const [kind, setKind] = useState(drawable.kind)
  const [value, setValue] = useState(drawable.values[0] ?? 0)
  const points = pointsOf(rows, drawable.label, value, kind)
  const [by, of] = [columns[drawable.label]?.name ?? '', columns[value]?.name ?? '']
  return (
    <figure className="grid gap-4 rounded-card border border-line bg-surface p-5">
      <div className="flex flex-wrap gap-4">
        <Field label="Chart" name="kind" tool>
          <Select value={kind} onChange={(event) => setKind(event.target.value === 'line' ? 'line' : 'bars')}>
            <option value="bars">Bars</option>
            <option value="line">Line</option>
          </Select>
        </Field>
        {drawable.values.length > 1 && (
          <Field label="Value" name="value" tool>
            <Select value={value} onChange={(event) => setValue(Number(event.target.value))}>
              {drawable.values.map((index) => (
                <option key={index} value={index}>
                  {columns[index]?.name}
                </option>
              ))}
            </Select>
          </Field>
        )}
      </div>
      {kind === 'line' ? <Line points={points} /> : <Bars points={points} />}
      <figcaption className="text-small text-muted">{captionOf(of, by, points, rows.length, kind)}</figcaption>
    </figure>
  )
}

function captionOf(of: string, by: string, points: Point[], rows: number, kind: ChartKind): string {
  const values = points.map(({ value }) => value)
  const range = values.length > 0 ? `, from ${figure().format(least(values))} to ${figure().format(most(values))}` : ''
  const left = rows > MOST_POINTS[kind] ? ` Shows the first ${MOST_POINTS[kind]} rows.` : ''
  return `${of} by ${by}${range}.${left}`
}

function Bars({ points }: { points: Point[] }) {
  const values = points.map(({ value }) => value)
  const domain = [Math.min(0, least(values)), Math.max(0, most(values), least(values) + 1e-9)]
  const x = scaleLinear({ domain, range: [0, 100] })
  return (
    <ol className="grid gap-1.5" aria-hidden="true">
      {points.map(({ label, value }, at) => (
        // Two rows of a result can have the same name.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={at} className="grid grid-cols-[minmax(0,9rem)_minmax(0,1fr)_auto] items-center gap-3 text-small">
          <span className="truncate" title={label}>
            {label}
          </span>
          <svg viewBox="0 0 100 10" preserveAspectRatio="none" className="h-4 w-full">
            <Bar x={x(Math.min(0, value))} width={Math.abs(x(value) - x(0))} height="10" className="fill-grain" />
          </svg>
          <span className="font-mono text-fine text-muted tabular-nums">{figure().format(value)}</span>
        </li>
      ))}
    </ol>
  )
}

const [WIDTH, HEIGHT] = [900, 260]

function Line({ points }: { points: Point[] }) {
  const values = points.map(({ value }) => value)
  const y = scaleLinear({ domain: [least(values), most(values)], range: [HEIGHT, 0], nice: 4 })
  const x = scaleLinear({ domain: [0, Math.max(1, points.length - 1)], range: [0, WIDTH] })
  const ticks = y.ticks(4)
  return (
    <div className="grid grid-cols-[auto_1fr] gap-x-3" aria-hidden="true">
      <div className="relative h-56 min-w-10 font-mono text-fine text-muted tabular-nums">
        {ticks.map((tick) => (
          <span key={tick} className="absolute right-0 -translate-y-1/2 whitespace-nowrap" style={{ top: `${(y(tick) / HEIGHT) * 100}%` }}>
            {figure().format(tick)}
          </span>
        ))}
        {/* Reserves the width of the widest label. */}
        <span className="invisible whitespace-nowrap">{figure().format(most(ticks))}</span>
      </div>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className="h-56 w-full overflow-visible">
        {ticks.map((tick) => (
          <line key={tick} x2={WIDTH} y1={y(tick)} y2={y(tick)} className="stroke-line" vectorEffect="non-scaling-stroke" />
        ))}
        <LinePath
          data={points}
          x={(_point, at) => x(at)}
          y={({ value }) => y(value)}
          className="fill-none stroke-grain-text stroke-2"
          vectorEffect="non-scaling-stroke"
          strokeLinejoin="round"
        />
      </svg>
      <div className="col-start-2 mt-2 flex justify-between gap-4 font-mono text-fine text-muted">
        <span>{points[0]?.label}</span>
        <span>{points.at(-1)?.label}</span>
      </div>
    </div>
  )
}

/** Without spread arguments: a result has thousands of rows. */
function least(values: number[]): number {
  return values.reduce((found, value) => Math.min(found, value), values[0] ?? 0)
}

function most(values: number[]): number {
  return values.reduce((found, value) => Math.max(found, value), values[0] ?? 0)
}
