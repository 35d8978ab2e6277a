import type { GridFigures as Grid } from '#app/content/case-study.ts'

/** Each mark is flat, like a row. */
const TALL = 0.56

/** One mark for each item; those that needed a correction are hollow. */
export function GridChart({ rows, columns, firstTime, states: [first, later] }: Pick<Grid, 'rows' | 'columns' | 'firstTime' | 'states'>) {
  const total = rows.count * columns.count
  const corrected = scattered(total - firstTime, total)
  return (
    <div>
      <svg viewBox={`0 0 ${columns.count} ${rows.count * TALL}`} className="w-full" aria-hidden="true">
        <defs>
          <pattern id="made" width="1" height={TALL} patternUnits="userSpaceOnUse">
            <rect x="0.1" y="0.1" width="0.8" height={TALL - 0.2} rx="0.08" className="fill-grain" />
          </pattern>
        </defs>
        <rect width={columns.count} height={rows.count * TALL} fill="url(#made)" />
        {corrected.map((place) => {
          const [x, y] = [place % columns.count, Math.floor(place / columns.count) * TALL]
          return (
            <g key={place}>
              <rect x={x} y={y} width="1" height={TALL} className="fill-surface" />
              <rect
                x={x + 0.14}
                y={y + 0.14}
                width="0.72"
                height={TALL - 0.28}
                rx="0.06"
                strokeWidth="0.08"
                className="fill-none stroke-edge"
              />
            </g>
          )
        })}
      </svg>
      <p className="mt-3 flex flex-wrap gap-x-6 gap-y-1 font-mono text-fine text-muted" aria-hidden="true">
        <span>
          {columns.count} {columns.label} across, {rows.count} {rows.label} down
        </span>
        <Key hollow={false}>
          {firstTime} {first}
        </Key>
        <Key hollow>
          {total - firstTime} {later}
        </Key>
      </p>
    </div>
  )
}

function Key({ hollow, children }: { hollow: boolean; children: React.ReactNode }) {
  return (
    <span className="inline-flex items-center gap-2">
      <span className={`size-2.5 rounded-[2px] ${hollow ? 'border border-edge' : 'bg-grain'}`} />
      {children}
    </span>
  )
}

/** Positions spread evenly without a pattern, the same at each rendering: one in each of `count` equal intervals. */
function scattered(count: number, total: number): number[] {
  return Array.from({ length: count }, (_, index) => Math.floor((index + ((index * 7) % 10) / 10) * (total / count)))
}
