import { LRUCache } from 'lru-cache'
import { stop } from '#app/platform/errors/stop.ts'

/** Work without a `person` counts as one person. */
export type QueueEntry = { signal: AbortSignal; mostWaiting: number; person?: string | undefined }

type Waiting = { person: string; turn: number; begin: () => void }

const ANYONE = ''

/**
 * A semaphore with a bounded queue. People take turns, then arrival counts: a person's second entry runs after the first one of everyone
 * else. One person fills at most half of the queue.
 */
export class QueryQueue {
  #running = 0
  /** The current turn. */
  #turn = 0
  /** In order of arrival. */
  readonly #waiting: Waiting[] = []
  /** The next turn of each person who has had the current one, or is queued for a later one. It keeps the latest 1,000. */
  readonly #next = new LRUCache<string, number>({ max: 1000 })
  readonly #atOnce: () => number

  constructor(atOnce: number | (() => number)) {
    this.#atOnce = typeof atOnce === 'number' ? () => atOnce : atOnce
  }

  /** Runs the work when its turn comes. Aborting leaves the queue and throws the signal's reason. */
  async pass<T>(work: () => Promise<T>, { signal, mostWaiting, person = ANYONE }: QueueEntry): Promise<T> {
    signal.throwIfAborted()
    const turn = this.#takeTurn(person)
    if (this.#running < this.#atOnce() && this.#waiting.length === 0) this.#begin(turn)
    else await this.#wait({ person, turn }, signal, mostWaiting)
    try {
      return await work()
    } finally {
      this.#running -= 1
      this.#beginNext()
    }
  }

  #takeTurn(person: string): number {
    const turn = Math.max(this.#turn, this.#next.get(person) ?? 0)
    this.#next.set(person, turn + 1)
    return turn
  }

  #begin(turn: number) {
    this.#running += 1
    this.#turn = Math.max(this.#turn, turn)
  }

  #beginNext() {
    if (this.#running >= this.#atOnce()) return
    const [first, ...others] = this.#waiting
    if (!first) {
      if (this.#running === 0) this.#next.clear()
      return
    }
    const next = others.reduce((best, each) => (each.turn < best.turn ? each : best), first)
    this.#waiting.splice(this.#waiting.indexOf(next), 1)
    this.#begin(next.turn)
    const past = [...this.#next].filter(([, turn]) => turn <= this.#turn)
    for (const [person] of past) this.#next.delete(person)
    next.begin()
  }

  async #wait({ person, turn }: Omit<Waiting, 'begin'>, signal: AbortSignal, mostWaiting: number) {
    const giveBack = () => void (this.#next.get(person) === turn + 1 && this.#next.set(person, turn))
    try {
      this.#refuseTooMany(person, mostWaiting)
    } catch (refusal) {
      giveBack()
      throw refusal
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const place = { person, turn, begin: resolve }
    const leave = () => {
      const at = this.#waiting.indexOf(place)
      if (at < 0) return
      this.#waiting.splice(at, 1)
      giveBack()
      reject(signal.reason)
    }
    this.#waiting.push(place)
    signal.addEventListener('abort', leave, { once: true })
    await promise.finally(() => signal.removeEventListener('abort', leave))
  }

  #refuseTooMany(person: string, mostWaiting: number) {
    if (this.#waiting.length >= mostWaiting) {
      stop('unavailable', 'Too many queries are running. Please try again in a moment.', { retryAfter: 2 })
    }
    if (person === ANYONE || this.#waiting.filter((each) => each.person === person).length < Math.ceil(mostWaiting / 2)) return
    const extra = { code: 'too_many_requests', retryAfter: 2 }
    stop('tooMany', 'Too many of your requests are queued. Wait for one to finish.', extra)
  }
}
