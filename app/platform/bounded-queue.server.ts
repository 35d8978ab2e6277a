import { Stop } from './stop.ts'

type Bounds = {
  /** How many pieces of work run at the same time. */
  atOnce: number
  /** How many wait at most. */
  longest: number
  /** Milliseconds after which someone who waits is told to come back. */
  patience: number
  /** Milliseconds of a clock that never goes back. */
  now?: () => number
}

type Waiting = { since: number; isGone: () => boolean; begin: () => void; refuse: (reason: Stop) => void }

/** Seconds. */
const RETRY_AFTER = 2

/** The end of a request that came while there was too much to do. */
export class Busy extends Stop {
  constructor() {
    super('unavailable', 'There is very much to do just now. Please try again in a few seconds.', { code: 'busy', retryAfter: RETRY_AFTER })
  }
}

/**
 * Runs so many pieces of work at once and lets so many wait, first come, first served. More than that, and whoever has waited too long, is
 * refused: an answer in time that says to come back is worth more than a page after the visitor has left.
 */
export class BoundedQueue {
  readonly #bounds: Required<Bounds>
  readonly #waiting: Waiting[] = []
  #running = 0

  constructor(bounds: Bounds) {
    this.#bounds = { now: () => performance.now(), ...bounds }
  }

  /** Waits for a turn and returns the function that ends it. Throws `Busy`. Work for a visitor who has left is not begun. */
  async enter(isGone: () => boolean = () => false): Promise<() => void> {
    this.#refuseLate()
    if (this.#running >= this.#bounds.atOnce) await this.#wait(isGone)
    else this.#running += 1
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#next()
    }
  }

  /** Runs the work in a turn of its own. */
  async run<T>(work: () => Promise<T>, isGone?: () => boolean): Promise<T> {
    const leave = await this.enter(isGone)
    try {
      return await work()
    } finally {
      leave()
    }
  }

  #wait(isGone: () => boolean): Promise<void> {
    if (this.#waiting.length >= this.#bounds.longest) throw new Busy()
    return new Promise((begin, refuse) => void this.#waiting.push({ since: this.#bounds.now(), isGone, begin, refuse }))
  }

  /** Hands the turn to the next one who still waits for it. */
  #next() {
    this.#refuseLate()
    const next = this.#waiting.shift()
    if (next) next.begin()
    else this.#running -= 1
  }

  /** Those who have waited longest come first. */
  #refuseLate() {
    const late = this.#bounds.now() - this.#bounds.patience
    for (let first = this.#waiting[0]; first && (first.since < late || first.isGone()); first = this.#waiting[0]) {
      this.#waiting.shift()
      first.refuse(new Busy())
    }
  }
}
