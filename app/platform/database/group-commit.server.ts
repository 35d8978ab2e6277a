import { isInsideTransaction, transaction, type Trx } from './db.server.ts'
import { env } from '#app/platform/env.server.ts'

/** Units of work in one transaction. More would make the first of them wait longer than they save. */
export const MOST_TOGETHER = 16
/** Transactions at the same time. The embedded database runs one at a time. */
export const GROUPS_AT_ONCE = env.DATABASE_URL ? 2 : 1
/** A transaction that takes longer probably waits for a lock or for the network. Others then no longer wait for it. */
export const QUICK_MS = 25

/** Does the work of one transaction, and returns a result for each unit, in their order. It must not do anything outside the transaction. */
export type GroupWork<Given, Result> = (trx: Trx, units: readonly Given[]) => Promise<Result[]>

type Waiting<Given, Result> = { given: Given; resolve: (result: Result) => void; reject: (reason: unknown) => void }

/**
 * Shares transactions among units of work, because a commit and each round trip cost the same for one and for many. A unit begins a
 * transaction when none runs. Later units gather until it ends, so that the next group is large. On PostgreSQL they begin a second
 * transaction earlier, when a whole group has gathered or the first has run for QUICK_MS. A result arrives after the commit. When one unit
 * fails, the transaction rolls back and each unit gets a transaction of its own, so that no unit fails for another one.
 */
export class GroupCommit<Given, Result> {
  readonly #work: GroupWork<Given, Result>
  readonly #waiting: Waiting<Given, Result>[] = []
  #running = 0
  /** The groups whose transactions have run for less than QUICK_MS. */
  readonly #quick = new Set<Waiting<Given, Result>[]>()
  #isPlanned = false

  constructor(work: GroupWork<Given, Result>) {
    this.#work = work
  }

  async add(given: Given): Promise<Result> {
    if (isInsideTransaction()) throw new Error('A transaction is already open: do the work in it.')
    return new Promise((resolve, reject) => {
      this.#waiting.push({ given, resolve, reject })
      this.#plan()
    })
  }

  /** Begins after this turn of the event loop, whose other requests join. */
  #plan() {
    const isEnough = this.#waiting.length >= (this.#quick.size > 0 ? MOST_TOGETHER : 1)
    if (this.#isPlanned || this.#running >= GROUPS_AT_ONCE || !isEnough) return
    this.#isPlanned = true
    setImmediate(() => {
      this.#isPlanned = false
      void this.#run(this.#waiting.splice(0, MOST_TOGETHER))
      this.#plan()
    })
  }

  async #run(group: Waiting<Given, Result>[]) {
    this.#running += 1
    this.#quick.add(group)
    const waitNoLonger = () => {
      this.#quick.delete(group)
      this.#plan()
    }
    const timer = setTimeout(waitNoLonger, QUICK_MS)
    await this.#settle(group)
    clearTimeout(timer)
    this.#running -= 1
    waitNoLonger()
  }

  async #settle(group: Waiting<Given, Result>[]): Promise<void> {
    let isAtWork = false
    try {
      const results = await transaction(async (trx) => {
        isAtWork = true
        const found = await this.#work(
          trx,
          group.map(({ given }) => given),
        )
        if (found.length !== group.length) throw new Error('Each unit needs a result.')
        isAtWork = false
        return found
      })
      for (const [place, result] of results.entries()) group[place]?.resolve(result)
    } catch (error) {
      // After a failed commit nobody knows whether it happened, so a second attempt could do the work twice.
      if (isAtWork && group.length > 1) await Promise.all(group.map((one) => this.#settle([one])))
      else for (const { reject } of group) reject(error)
    }
  }
}
