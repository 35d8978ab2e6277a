import { createHash } from 'node:crypto'
import { holdLock, releaseLock } from './process-locks.server.ts'

/** The work of each person that may run at the same time: so much in all processes together. */
export class PersonPlaces {
  readonly #name: string
  readonly #most: number
  /** Places of this process, also those that it is just taking. */
  readonly #own = new Set<bigint>()

  /** The name is the same in every process, and no other limit has it. */
  constructor(name: string, most: number) {
    this.#name = name
    this.#most = most
  }

  /** Takes a place and returns the function that gives it back, to be called once. Undefined: this person has all of theirs. */
  async take(person: string): Promise<(() => void) | undefined> {
    for (let place = 0; place < this.#most; place += 1) {
      const key = this.#keyOf(person, place)
      if (this.#own.has(key)) continue
      this.#own.add(key)
      if (await holdLock(key)) {
        return () => {
          releaseLock(key)
          this.#own.delete(key)
        }
      }
      this.#own.delete(key)
    }
    return undefined
  }

  #keyOf(person: string, place: number): bigint {
    return createHash('sha256').update(`${this.#name} ${place} ${person}`).digest().readBigInt64BE()
  }
}
