import { stop } from '#app/platform/stop.ts'

/** Some can pass at once; those that come then wait for their turn, in the order in which they came, and past a bound of each they are sent away. */
export class Lane {
  #running = 0
  readonly #waiting: (() => void)[] = []
  readonly #atOnce: number

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /** Does the work when it is its turn. Who leaves while waiting loses their place: what the signal says is thrown. */
  async pass<T>(work: () => Promise<T>, signal: AbortSignal, mostWaiting: number): Promise<T> {
    signal.throwIfAborted()
    if (this.#running < this.#atOnce) this.#running += 1
    else await this.#turn(signal, mostWaiting)
    try {
      return await work()
    } finally {
      // Whoever is next takes this place over.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running -= 1
    }
  }

  async #turn(signal: AbortSignal, mostWaiting: number) {
    if (this.#waiting.length >= mostWaiting) {
      stop('unavailable', 'Many people are asking for data just now. Please try again in a moment.', { retryAfter: 2 })
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = () => {
      this.#waiting.splice(this.#waiting.indexOf(resolve), 1)
      reject(signal.reason)
    }
    this.#waiting.push(resolve)
    signal.addEventListener('abort', leave, { once: true })
    await promise.finally(() => signal.removeEventListener('abort', leave))
  }
}
