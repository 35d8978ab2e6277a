/** Over how many milliseconds the speed of an upload is measured: long enough to be calm, short enough to follow the line. */
const WINDOW_MS = 8_000

/** How fast something goes, by what has been done at which moment. Times in milliseconds. */
export class Pace {
  #marks: { at: number; done: number }[] = []

  mark(at: number, done: number): void {
    this.#marks = [...this.#marks.filter((mark) => mark.at > at - WINDOW_MS && mark.done <= done), { at, done }]
  }

  /** Nothing while there is too little to say. */
  perSecond(): number | undefined {
    const [first, last] = [this.#marks[0], this.#marks.at(-1)]
    if (!first || !last || last.at - first.at < 250 || last.done <= first.done) return undefined
    return ((last.done - first.done) * 1000) / (last.at - first.at)
  }

  /** A pause is no slowness. */
  forget(): void {
    this.#marks = []
  }
}

/** `40 s`, `3 min`, `2 h 5 min`: how long something takes yet. */
export function timeInWords(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.ceil(seconds))} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
