/** Two numbers, from and to. */
export type Span = readonly [number, number]

/** Places the values of a domain in a range. A domain of one value is in the middle. */
export function linearScale([from, to]: Span, [start, end]: Span): (value: number) => number {
  return (value) => start + (from === to ? 0.5 : (value - from) / (to - from)) * (end - start)
}

/** The domain, widened to round numbers, for about `count` ticks. */
export function roundSpan([from, to]: Span, count: number): Span {
  if (from === to) return [from, to]
  const step = stepOf(to - from, count)
  const round: Span = [times(Math.floor(stepsIn(from, step)), step), times(Math.ceil(stepsIn(to, step)), step)]
  // A wider domain may need wider steps.
  return round[0] === from && round[1] === to ? round : roundSpan(round, count)
}

/** About `count` round numbers in the domain. */
export function ticksOf([from, to]: Span, count: number): number[] {
  if (from === to) return [from]
  const step = stepOf(to - from, count)
  const first = Math.ceil(stepsIn(from, step))
  return Array.from({ length: Math.floor(stepsIn(to, step)) - first + 1 }, (_, at) => times(first + at, step))
}

/** Bars of equal width side by side. `gap` is the share of a step that stays free. */
export function bandScale(count: number, [start, end]: Span, gap: number) {
  const step = (end - start) / Math.max(1, count + gap)
  return { step, width: step * (1 - gap), at: (index: number) => start + step * (index + gap) }
}

/** A line through points, for the `d` of a path. */
export function lineThrough(points: Span[]): string {
  return points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${x},${y}`).join('')
}

/** 1, 2, 5 or 10 times a power of ten: the factor that is nearest on a logarithmic scale. */
function stepOf(width: number, count: number): number {
  const power = 10 ** Math.floor(Math.log10(width / count))
  const rest = width / count / power
  return power * (rest >= Math.sqrt(50) ? 10 : rest >= Math.sqrt(10) ? 5 : rest >= Math.SQRT2 ? 2 : 1)
}

/** A fraction of a step is calculated by its inverse, which is a whole number, so that 3 times 0.1 is 0.3. */
function stepsIn(value: number, step: number): number {
  return step < 1 ? value * Math.round(1 / step) : value / step
}

function times(count: number, step: number): number {
  // Zero is never negative.
  return (step < 1 ? count / Math.round(1 / step) : count * step) + 0
}
