import type { FunnelFigures as Funnel } from '#app/content/case-study.ts'

const SIDE = 100
const shades = ['fill-sunken', 'fill-surface', 'fill-grain-wash', 'fill-surface', 'fill-grain']

/** Nested squares: the area of each is its count. */
export function FunnelChart({ steps }: { steps: Funnel['steps'] }) {
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
              {count.toLocaleString('en-US')}
            </data>
            <span className="text-small">{label}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}
