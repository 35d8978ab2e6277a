import type { Chart, FunnelFigures as Funnel, GrowthFigures as Growth, StagesFigures as Stages } from '#app/content/case-study.ts'
import { Card } from '#app/ui/card.tsx'
import { numberText } from '#app/platform/text/english-number.ts'
import { GridChart } from './grid-chart.tsx'

/** The chart of a case study. Its caption is the text alternative. */
export function CaseStudyChart({ chart }: { chart: Chart }) {
  return (
    <Card as="figure" pad="roomy">
      <p className="mb-6 font-mono text-fine font-medium">{chart.title}</p>
      {draw(chart)}
      <figcaption className="mt-6 border-t border-line pt-4 text-small text-muted">{chart.caption}</figcaption>
    </Card>
  )
}

function draw(chart: Chart) {
  switch (chart.kind) {
    case 'stages':
      return <StagesChart stages={chart.stages} />
    case 'growth':
      return <GrowthChart months={chart.months} />
    case 'funnel':
      return <FunnelChart steps={chart.steps} />
    case 'grid':
      return <GridChart {...chart} />
  }
}

const SIDE = 100
const shades = ['fill-sunken', 'fill-surface', 'fill-grain-wash', 'fill-surface', 'fill-grain']

/** Nested squares: the area of each is its count. */
function FunnelChart({ steps }: { steps: Funnel['steps'] }) {
  const most = steps[0]?.count ?? 1
  return (
    <div className="grid items-end gap-6 sm:grid-cols-[minmax(0,18rem)_1fr] sm:gap-8">
      <svg viewBox={`-0.5 -0.5 ${SIDE + 1} ${SIDE + 1}`} className="w-full max-w-72" aria-hidden="true">
        {steps.map(({ label, count }, index) => {
          const side = SIDE * Math.sqrt(count / most)
          return (
            <rect
              key={label}
              y={SIDE - side}
              width={side}
              height={side}
              rx="0.8"
              strokeWidth="0.5"
              className={`stroke-edge ${shades[index % shades.length]}`}
            />
          )
        })}
      </svg>
      <ol className="grid">
        {steps.map(({ label, count }, index) => (
          <li key={label} className="flex items-baseline gap-4 border-t border-line py-2.5 first:border-t-0">
            <data
              value={count}
              className={`w-16 text-right font-mono font-semibold ${index === steps.length - 1 ? 'text-grain-text' : ''}`}
            >
              {numberText(count)}
            </data>
            <span className="text-small">{label}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}

/** Space above the highest column for its figures, and below the columns for their baseline. In percent of the height. */
const [TOP, BOTTOM] = [24, 98]

/** One column per month: its height shows the users, and their revenue is beside it. */
function GrowthChart({ months }: { months: Growth['months'] }) {
  const most = Math.max(...months.map(({ users }) => users))
  const level = (users: number) => BOTTOM - (users / most) * (BOTTOM - TOP)
  const center = (index: number) => ((index + 0.5) / months.length) * 100
  const last = months.length - 1
  return (
    <div>
      <svg className="h-72 w-full" aria-hidden="true">
        {months.map(({ label, users, revenue }, index) => (
          <g key={label}>
            <rect
              x={`${center(index) - 9}%`}
              y={`${level(users)}%`}
              width="18%"
              height={`${BOTTOM - level(users)}%`}
              rx="3"
              className={index === last ? 'fill-grain' : 'fill-grain-wash stroke-edge'}
            />
            <text
              x={`${center(index)}%`}
              y={`${level(users)}%`}
              dy="-2.1em"
              textAnchor="middle"
              className="fill-ink font-mono text-small font-semibold"
            >
              {users}
            </text>
            <text x={`${center(index)}%`} y={`${level(users)}%`} dy="-0.8em" textAnchor="middle" className="fill-muted font-mono text-fine">
              {thousands(revenue)}
            </text>
          </g>
        ))}
        <line x1="0" x2="100%" y1={`${BOTTOM}%`} y2={`${BOTTOM}%`} className="stroke-edge" />
      </svg>
      <div className="grid auto-cols-fr grid-flow-col text-center font-mono text-fine text-muted" aria-hidden="true">
        {months.map(({ label }) => (
          <span key={label}>{label}</span>
        ))}
      </div>
    </div>
  )
}

/** 3600: `$3.6K`; none: `$0`. */
function thousands(dollars: number): string {
  return dollars === 0 ? '$0' : `$${dollars / 1000}K`
}

/** Consecutive steps: each begins where the one before ended. */
function StagesChart({ stages }: { stages: Stages['stages'] }) {
  const total = stages.reduce((sum, { seconds }) => sum + seconds, 0)
  const minutes = Array.from({ length: Math.floor(total / 60) + 1 }, (_, minute) => minute)
  return (
    <div>
      <ol className="grid gap-3">
        {withStarts(stages).map(({ label, seconds, start }, index) => (
          <li key={label} className="grid gap-1.5 sm:grid-cols-[14rem_1fr] sm:items-center sm:gap-4">
            <span className="flex justify-between gap-3 text-small">
              {label}{' '}
              <time dateTime={`PT${seconds}S`} className="font-mono text-fine text-muted">
                {clock(seconds)}
              </time>
            </span>
            <svg className="h-6 w-full" aria-hidden="true">
              <rect width="100%" height="100%" rx="3" className="fill-sunken stroke-line" />
              <rect
                x={percent(start / total)}
                width={percent(seconds / total)}
                height="100%"
                rx="3"
                className={index === stages.length - 1 ? 'fill-grain' : 'fill-edge'}
              />
            </svg>
          </li>
        ))}
      </ol>
      <div className="mt-2 flex justify-between font-mono text-fine text-muted sm:ml-60" aria-hidden="true">
        {minutes.map((minute) => (
          <span key={minute}>{minute === minutes.length - 1 ? `${minute} min` : minute}</span>
        ))}
      </div>
    </div>
  )
}

function withStarts(stages: Stages['stages']) {
  let start = 0
  return stages.map((stage) => {
    const begun = { ...stage, start }
    start += stage.seconds
    return begun
  })
}

/** 170 seconds: `2:50`. */
function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

function percent(share: number): string {
  return share.toLocaleString('en', { style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 })
}
