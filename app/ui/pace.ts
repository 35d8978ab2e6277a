/** The time over which upload speed is measured, in milliseconds: long enough to be steady, short enough to follow the connection. */
const WINDOW_MS = 8_000

/** Measures a speed from progress at timestamps in milliseconds. */
export class Pace {
  #marks: { at: number; done: number }[] = []

  mark(at: number, done: number): void {
    this.#marks = [...this.#marks.filter((mark) => mark.at > at - WINDOW_MS && mark.done <= done), { at, done }]
  }

  /** Undefined while there is too little data. */
  perSecond(): number | undefined {
    const [first, last] = [this.#marks[0], this.#marks.at(-1)]
    if (!first || !last || last.at - first.at < 250 || last.done <= first.done) return undefined
    return ((last.done - first.done) * 1000) / (last.at - first.at)
  }

  /** Resets the measurement, so that a pause does not count as slowness. */
  forget(): void {
    this.#marks = []
  }
}

/** The remaining time: `40 s`, `3 min`, `2 h 5 min`. */
export function timeInWords(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.ceil(seconds))} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
