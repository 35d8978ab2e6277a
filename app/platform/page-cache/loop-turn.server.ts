/** Milliseconds for requests in one turn of the event loop. */
const SHARE_MS = 4
/** Milliseconds of turns that only accept connections, after a share. */
const ACCEPT_MS = 4

/**
 * Starts requests in small shares. Node accepts one connection in each turn of its event loop, so a turn that serves hundreds of
 * requests delays new visitors for seconds. Requests beyond a share start in the next turns, first come, first served. While connections
 * arrive, the turns after a share only accept them, so that two hundred new visitors do not wait for two hundred shares.
 */
export class LoopTurn {
  readonly #waiting: (() => void)[] = []
  /** The time at which the first request of this turn started. */
  #since: number | undefined
  /** Whether a connection was accepted since the last turn. */
  #hasAccepted = false
  /** The start of the turns that only accept connections. */
  #acceptingSince: number | undefined
  readonly #now: () => number

  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** Whether a new request may start in this turn. */
  get isOpen(): boolean {
    return this.#waiting.length === 0 && this.#hasTime()
  }

  /** Records a new connection. */
  onConnection() {
    this.#hasAccepted = true
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
    if (this.#hasAccepted) {
      this.#hasAccepted = false
      this.#acceptingSince ??= this.#now()
      if (this.#now() - this.#acceptingSince < ACCEPT_MS) return void setImmediate(() => this.#next())
    }
    this.#acceptingSince = undefined
    this.#since = undefined
    while (this.#waiting.length > 0 && this.#hasTime()) this.#waiting.shift()?.()
  }
}
