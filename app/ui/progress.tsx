import { useEffect, useRef, useState } from 'react'
import { Pace, timeInWords } from './pace.ts'

type ProgressProps = {
  /** The accessible name. */
  label: string
  value: number
  /** 1 by default. */
  max?: number
  /** The time that is left is measured here, unless the caller knows it better. */
  hasTime?: boolean
  /** After the percentage: an amount, a speed, a step. */
  children?: React.ReactNode
}

/** A bar with its percentage and the time that is left. The look of the bar itself is that of every `<progress>`. */
export function Progress({ label, value, max = 1, hasTime = true, children }: ProgressProps) {
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0
  const left = useTimeLeft(share)
  return (
    <div className="grid w-full gap-1.5">
      <progress className="w-full" max={max} value={value} aria-label={label} />
      <p className="flex flex-wrap gap-x-4 font-mono text-fine text-muted tabular-nums">
        <span>{Math.floor(share * 100)}%</span>
        {children}
        {hasTime && left !== undefined && <span>{timeInWords(left)} left</span>}
      </p>
    </div>
  )
}

/** In seconds, from the pace of the last seconds. */
function useTimeLeft(share: number): number | undefined {
  const pace = useRef(new Pace())
  const [left, setLeft] = useState<number>()
  useEffect(() => {
    pace.current.mark(performance.now(), share)
    const perSecond = pace.current.perSecond()
    setLeft(perSecond && share < 1 ? (1 - share) / perSecond : undefined)
  }, [share])
  return left
}
