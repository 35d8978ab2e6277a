import type { StagesFigures as Stages } from '#app/content/case-study.ts'

/** Consecutive steps: each begins where the one before ended. */
export function StagesChart({ stages }: { stages: Stages['stages'] }) {
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
              <rect width="100%" height="100%" rx="3" className="fill-sunken" />
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
  return `${(share * 100).toFixed(2)}%`
}
