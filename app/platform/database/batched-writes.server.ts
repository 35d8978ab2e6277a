import { log } from '#app/platform/process/log.server.ts'

const BATCH_MS = 1000

/**
 * Batches frequent events: collected in memory by key, and written in one statement, at most once a second. A crash loses one second.
 * A failed write is retried later. Beyond `most` different keys, new ones are dropped, so a flood has a limit in memory.
 */
export class BatchedWrites<Value> {
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
    this.#timer ??= setTimeout(() => void this.flush(), BATCH_MS).unref()
  }

  /** Writes the batch, after the write in progress. Never fails: a failed write is retried later. */
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
      log.warn({ err: error, count: values.size }, 'batched events could not be written yet')
      for (const [key, value] of values) this.add(key, value)
    }
  }
}
