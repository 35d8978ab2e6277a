import { Stop } from '#app/platform/stop.ts'

export type Bounds = {
  /** Concurrent work. */
  atOnce: number
  /** Length of the queue. */
  longest: number
  /** Milliseconds in the queue after which work is refused. */
  patience: number
  /** Shown to the sender of refused work. */
  sentence?: string
}

type Waiting = { since: number; isGone: () => boolean; begin: () => void; refuse: (reason: Stop) => void }

/** Seconds. */
const RETRY_AFTER = 2

/** Ends a request that came under too much load. */
export class Busy extends Stop {
  constructor(sentence = 'We are very busy right now. Please try again in a few seconds.') {
    super('unavailable', sentence, { code: 'busy', retryAfter: RETRY_AFTER })
  }
}

/**
 * A semaphore with a bounded queue, first come, first served. It refuses work that finds the queue full, and work that has queued too long:
 * an early 503 is worth more than a page after the visitor has left.
 */
export class BoundedQueue {
  readonly #bounds: Bounds
  readonly #waiting: Waiting[] = []
  #running = 0
  #timer: NodeJS.Timeout | undefined

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** Whether new work has to queue. */
  get isFull(): boolean {
    return this.#running >= this.#bounds.atOnce
  }

  /** Acquires a slot and returns the function that releases it. Throws `Busy`. Work for a visitor who has left never starts. */
  async enter(isGone: () => boolean = () => false): Promise<() => void> {
    if (this.isFull) await this.#wait(isGone)
    else this.#running += 1
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#next()
    }
  }

  /** Runs the work in a slot. */
  async run<T>(work: () => Promise<T>, isGone?: () => boolean): Promise<T> {
    const leave = await this.enter(isGone)
    try {
      return await work()
    } finally {
      leave()
    }
  }

  #wait(isGone: () => boolean): Promise<void> {
    this.#refuseLate()
    if (this.#waiting.length >= this.#bounds.longest) throw new Busy(this.#bounds.sentence)
    return new Promise((begin, refuse) => {
      this.#waiting.push({ since: performance.now(), isGone, begin, refuse })
      this.#timer ??= setTimeout(() => this.#onTimer(), this.#bounds.patience)
    })
  }

  /** Hands the slot to the next work in the queue. */
  #next() {
    this.#refuseLate()
    const next = this.#waiting.shift()
    if (next) next.begin()
    else this.#running -= 1
    if (this.#waiting.length > 0) return
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** Long work releases no slot, so a timer enforces the deadline of the work behind it. */
  #onTimer() {
    this.#timer = undefined
    this.#refuseLate()
    const [first] = this.#waiting
    if (!first) return
    const left = first.since + this.#bounds.patience - performance.now()
    this.#timer = setTimeout(() => this.#onTimer(), Math.max(1, left))
  }

  /** The first in the queue has the earliest deadline. */
  #refuseLate() {
    const latest = performance.now() - this.#bounds.patience
    for (let [first] = this.#waiting; first && (first.since <= latest || first.isGone()); [first] = this.#waiting) {
      this.#waiting.shift()
      first.refuse(new Busy(this.#bounds.sentence))
    }
  }
}
