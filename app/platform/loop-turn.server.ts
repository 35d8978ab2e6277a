/** Milliseconds for requests in one turn of the event loop. */
const SHARE_MS = 4

/**
 * Starts requests in small shares. Node accepts one connection in each turn of its event loop, so a turn that serves hundreds of
 * requests delays new visitors for seconds. Requests beyond a share start in the next turns, first come, first served.
 */
export class LoopTurn {
  readonly #waiting: (() => void)[] = []
  /** The time at which the first request of this turn started. */
  #since: number | undefined
  readonly #now: () => number

  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** Whether a new request may start in this turn. */
  get isOpen(): boolean {
    return this.#waiting.length === 0 && this.#hasTime()
  }

  /** Starts the request in this turn or a later one. */
  run(begin: () => void) {
    if (this.isOpen) begin()
    else this.#waiting.push(begin)
  }

  #hasTime(): boolean {
    if (this.#since !== undefined) return this.#now() - this.#since < SHARE_MS
    this.#since = this.#now()
    setImmediate(() => this.#next())
    return true
  }

  #next() {
    this.#since = undefined
    while (this.#waiting.length > 0 && this.#hasTime()) this.#waiting.shift()?.()
  }
}
