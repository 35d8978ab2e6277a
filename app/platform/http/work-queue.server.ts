import type { ServerResponse } from 'node:http'
import PQueue from 'p-queue'
import { Stop } from '#app/platform/errors/stop.ts'

/** How work waits for a slot. */
export type Waiting = {
  /** Work of this priority that may wait; more is refused at once. */
  room: number
  /** Milliseconds of waiting after which it is refused. */
  patience: number
  /** Work with a higher one starts first. */
  priority?: number
  /** Shown to the sender of refused work. */
  sentence?: string
}

/** Seconds. */
const RETRY_AFTER = 2

/** Ends a request that came under too much load. */
export class Busy extends Stop {
  constructor(sentence = 'We are very busy right now. Please try again in a few seconds.') {
    super('unavailable', sentence, { code: 'busy', retryAfter: RETRY_AFTER })
  }
}

/**
 * Bounds concurrent work. Work that finds no room to wait is refused, and so is work that has waited too long: an early 503 is worth more
 * than a page after the visitor has left.
 */
export class WorkQueue {
  readonly #queue: PQueue

  constructor(concurrency: number) {
    this.#queue = new PQueue({ concurrency })
  }

  /** Whether new work has to wait. */
  get isFull(): boolean {
    return this.#queue.pending >= this.#queue.concurrency
  }

  /** Acquires a slot and returns the function that releases it. Throws `Busy`. Work for a client who has left meanwhile never starts. */
  async enter({ room, patience, priority = 0, sentence }: Waiting, response?: ServerResponse): Promise<() => void> {
    if (this.isFull && this.#queue.sizeBy({ priority }) >= room) throw new Busy(sentence)
    const slot = Promise.withResolvers<() => void>()
    const late = new AbortController()
    const refuse = () => late.abort()
    const timer = setTimeout(refuse, patience)
    response?.once('close', refuse)
    const stopWaiting = () => {
      clearTimeout(timer)
      response?.off('close', refuse)
    }
    const hold = () =>
      new Promise<void>((leave) => {
        stopWaiting()
        slot.resolve(leave)
      })
    this.#queue.add(hold, { priority, signal: late.signal }).catch(() => {
      stopWaiting()
      slot.reject(new Busy(sentence))
    })
    return slot.promise
  }

  /** Runs the work in a slot. */
  async run<T>(waiting: Waiting, work: () => Promise<T>, response?: ServerResponse): Promise<T> {
    const leave = await this.enter(waiting, response)
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
