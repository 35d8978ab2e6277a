import type { GrowthFigures as Growth } from '#app/content/case-study.ts'

/** Space above the highest column for its figures, and below the columns for their baseline. In percent of the height. */
const [TOP, BOTTOM] = [24, 98]

/** One column per month: its height shows the users, and their revenue is beside it. */
export function GrowthChart({ months }: { months: Growth['months'] }) {
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
              className={index === last ? 'fill-grain' : 'fill-grain-wash stroke-line'}
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
