import { Group } from '@visx/group'
import { scaleBand, scaleLinear } from '@visx/scale'
import { Bar, LinePath } from '@visx/shape'
import { useState } from 'react'
import { Card } from '#app/ui/card.tsx'
import { cx } from '#app/ui/class-names.ts'
import { byWeek, type Day, describeTrend, weeklyMeans } from './enquiry-trend.ts'
import { leadCountText, formatCalendarDay } from '#app/leads/lead/format.ts'

/** Units of the drawing. It stretches to the available width, so its lines do not scale and its text is outside of it. */
const WIDTH = 900
const HEIGHT = 120
/** Between two bars, as a share of their distance. */
const GAP = 0.25

/** The enquiries of each day, and the mean of the seven days that end with it. */
export function EnquiriesChart({ days }: { days: Day[] }) {
  const [pointed, setPointed] = useState<Day>()
  return (
    <Card as="section" aria-labelledby="enquiries-per-day" className="flex flex-col">
      <header className="mb-5 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id="enquiries-per-day" className="text-h3">
          Enquiries per day
        </h2>
        <p className="font-mono text-fine text-muted" aria-hidden="true">
          {pointed
            ? `${formatCalendarDay(pointed.date)}: ${leadCountText(pointed.count, 'enquiry', 'enquiries')}`
            : 'bars: daily · line: 7-day average'}
        </p>
      </header>
      <div className="flex grow flex-col gap-4">
        <figure className="flex grow flex-col gap-4">
          <Drawing days={days} onPoint={setPointed} />
          <figcaption className="text-small text-muted">{describeTrend(days)}</figcaption>
        </figure>
        <Figures days={days} />
      </div>
    </Card>
  )
}

function Drawing({ days, onPoint }: { days: Day[]; onPoint: (day: Day | undefined) => void }) {
  const y = scaleLinear({ domain: [0, Math.max(4, ...days.map(({ count }) => count))], range: [HEIGHT, 0], nice: 4 })
  const x = scaleBand({ domain: days.map(({ date }) => date), range: [0, WIDTH], padding: GAP })
  const leftOf = ({ date }: Day) => x(date) ?? 0
  const means = weeklyMeans(days)
  const ticks = y.ticks(4).filter(Number.isInteger)
  return (
    <div className="grid grow grid-cols-[auto_1fr] content-start gap-x-3" aria-hidden="true">
      <div className="relative h-30 w-7 font-mono text-fine text-muted tabular-nums">
        {ticks.map((tick) => (
          <span key={tick} className="absolute right-0 -translate-y-1/2" style={{ top: `${(y(tick) / HEIGHT) * 100}%` }}>
            {tick}
          </span>
        ))}
      </div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-30 w-full overflow-visible"
        onPointerLeave={() => onPoint(undefined)}
      >
        {ticks.map((tick) => (
          <line key={tick} x2={WIDTH} y1={y(tick)} y2={y(tick)} className="stroke-line" vectorEffect="non-scaling-stroke" />
        ))}
        {days.map((day) => (
          <Group key={day.date} onPointerEnter={() => onPoint(day)} className="group">
            <Bar
              x={leftOf(day) - (x.step() * GAP) / 2}
              width={x.step()}
              height={HEIGHT}
              className="fill-transparent group-hover:fill-sunken"
            />
            <Bar x={leftOf(day)} y={y(day.count)} width={x.bandwidth()} height={HEIGHT - y(day.count)} data-bar="" className="fill-grain" />
          </Group>
        ))}
        <LinePath
          data={days}
          x={(day) => leftOf(day) + x.bandwidth() / 2}
          y={(_day, at) => y(means[at] ?? 0)}
          className="pointer-events-none fill-none stroke-ink stroke-2"
          vectorEffect="non-scaling-stroke"
          strokeLinejoin="round"
        />
      </svg>
      <div className="relative col-start-2 mt-2 h-5 overflow-hidden font-mono text-fine text-muted">
        {days.map((day, at) =>
          at % 30 === 0 ? (
            <span
              key={day.date}
              className={cx('absolute whitespace-nowrap', at >= 60 && 'max-sm:hidden')}
              style={{ left: `${(leftOf(day) / WIDTH) * 100}%` }}
            >
              {formatCalendarDay(day.date)}
            </span>
          ) : null,
        )}
        <span className="absolute right-0">today</span>
      </div>
    </div>
  )
}

function Figures({ days }: { days: Day[] }) {
  return (
    <details className="text-small">
      <summary className="w-fit py-1.5 text-muted hover:text-ink">Weekly table</summary>
      <table className="mt-2 w-full max-w-sm text-left">
        <thead className="font-mono text-fine text-muted">
          <tr>
            <th scope="col" className="py-1 font-medium">
              Week
            </th>
            <th scope="col" className="py-1 text-right font-medium">
              Enquiries
            </th>
          </tr>
        </thead>
        <tbody>
          {byWeek(days).map(({ from, to, count }) => (
            <tr key={to} className="border-t border-line">
              <td className="py-1">
                {formatCalendarDay(from)} to {formatCalendarDay(to)}
              </td>
              <td className="py-1 text-right font-mono">{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
