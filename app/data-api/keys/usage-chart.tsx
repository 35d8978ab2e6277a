import { Group } from '@visx/group'
import { scaleBand, scaleLinear } from '@visx/scale'
import { Bar } from '@visx/shape'
import { useState } from 'react'
import { numberText } from '#app/platform/text/english-number.ts'
import type { UsageDay } from './api-key.ts'
import { describeUsage, formatUsageDay } from './usage-words.ts'

/** Units of the drawing, which stretches to the available width. Its text is outside of it. */
const WIDTH = 600
const HEIGHT = 120

/** Requests per day (UTC), as a chart and as a table. */
export function UsageChart({ days }: { days: UsageDay[] }) {
  const [pointed, setPointed] = useState<UsageDay>()
  return (
    <figure className="grid grid-cols-1 gap-3">
      <p className="flex flex-wrap justify-between gap-x-4 text-small" aria-hidden="true">
        <span className="font-semibold">Requests per day</span>
        <span className="font-mono text-fine text-muted">
          {pointed ? `${formatUsageDay(pointed.date)}: ${numberText(pointed.requests)}` : `${days.length} days, UTC`}
        </span>
      </p>
      <Drawing days={days} onPoint={setPointed} />
      <figcaption className="text-small text-muted">{describeUsage(days)}</figcaption>
      <Figures days={days} />
    </figure>
  )
}

function Drawing({ days, onPoint }: { days: UsageDay[]; onPoint: (day: UsageDay | undefined) => void }) {
  const y = scaleLinear({ domain: [0, Math.max(4, ...days.map(({ requests }) => requests))], range: [HEIGHT, 0], nice: 2 })
  const x = scaleBand({ domain: days.map(({ date }) => date), range: [0, WIDTH], padding: 0.25 })
  const ticks = y.ticks(2).filter(Number.isInteger)
  return (
    <div className="grid grid-cols-[auto_1fr] gap-x-3" aria-hidden="true">
      <div className="relative h-28 w-12 font-mono text-fine text-muted tabular-nums">
        {ticks.map((tick) => (
          <span key={tick} className="absolute right-0 -translate-y-1/2" style={{ top: `${(y(tick) / HEIGHT) * 100}%` }}>
            {numberText(tick)}
          </span>
        ))}
      </div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-28 w-full overflow-visible"
        onPointerLeave={() => onPoint(undefined)}
      >
        {ticks.map((tick) => (
          <line key={tick} x2={WIDTH} y1={y(tick)} y2={y(tick)} className="stroke-line" vectorEffect="non-scaling-stroke" />
        ))}
        {days.map((day) => (
          <Group key={day.date} left={x(day.date) ?? 0} onPointerEnter={() => onPoint(day)} className="group">
            <Bar width={x.bandwidth()} height={HEIGHT} className="fill-transparent group-hover:fill-sunken" />
            <Bar y={y(day.requests)} width={x.bandwidth()} height={HEIGHT - y(day.requests)} className="fill-grain" />
          </Group>
        ))}
      </svg>
      <p className="col-start-2 mt-2 flex justify-between font-mono text-fine text-muted">
        <span>{formatUsageDay(days[0]?.date ?? '')}</span>
        <span>today</span>
      </p>
    </div>
  )
}

/** Days without requests are left out. */
function Figures({ days }: { days: UsageDay[] }) {
  const used = days.filter(({ requests, refused }) => requests + refused > 0)
  if (used.length === 0) return null
  const columns = ['Day', 'Requests', 'Refused', 'Rows']
  return (
    <details className="text-small">
      <summary className="w-fit py-1.5 text-muted hover:text-ink">Daily table</summary>
      <table className="mt-2 w-full text-left">
        <thead className="font-mono text-fine text-muted">
          <tr>
            {columns.map((column, at) => (
              <th key={column} scope="col" className={at === 0 ? 'py-1 font-medium' : 'py-1 text-right font-medium'}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {used.toReversed().map(({ date, requests, refused, rows }) => (
            <tr key={date} className="border-t border-line">
              <th scope="row" className="py-1 font-normal">
                {formatUsageDay(date)}
              </th>
              {[requests, refused, rows].map((count, at) => (
                <td key={columns[at + 1]} className="py-1 text-right font-mono tabular-nums">
                  {numberText(count)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
