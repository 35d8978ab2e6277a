import { log } from './log.server.ts'

const GATHER_MS = 1000

/**
 * What happens too often to be written down one by one: gathered in memory by what it is about, and written in one statement, once a second at most. A crash
 * loses one second. What cannot be written waits; of more different things than `most` the rest is dropped, so a flood costs no more memory than that.
 */
export class Gathered<Value> {
  #values = new Map<string, Value>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #most: number
  #merge: (one: Value, other: Value) => Value
  #write: (values: ReadonlyMap<string, Value>) => Promise<unknown>

  constructor(most: number, merge: (one: Value, other: Value) => Value, write: (values: ReadonlyMap<string, Value>) => Promise<unknown>) {
    this.#most = most
    this.#merge = merge
    this.#write = write
  }

  add(key: string, value: Value) {
    const known = this.#values.get(key)
    if (known === undefined && this.#values.size >= this.#most) return
    this.#values.set(key, known === undefined ? value : this.#merge(known, value))
    this.#timer ??= setTimeout(() => void this.flush(), GATHER_MS).unref()
  }

  /** Writes what there is, after what is being written. Never fails: what is not written is written later. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await (this.#writing = this.#writing.then(() => this.#writeOnce()))
  }

  async #writeOnce() {
    const values = this.#values
    if (values.size === 0) return
    this.#values = new Map()
    try {
      await this.#write(values)
    } catch (error) {
      log.warn({ err: error, count: values.size }, 'what was gathered could not be written yet')
      for (const [key, value] of values) this.add(key, value)
    }
  }
}
