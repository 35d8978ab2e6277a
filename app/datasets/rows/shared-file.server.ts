import { type FileHandle, open } from 'node:fs/promises'

/** A deleted file takes space until it is closed. */
const IDLE_MS = 2000

/** A file that stays open while it is read often: opening and closing it costs as much as reading a page. */
export class SharedFile {
  readonly #place: string
  #handle: Promise<FileHandle> | undefined
  #readers = 0
  #usedMs = 0
  #timer: NodeJS.Timeout | undefined

  constructor(place: string) {
    this.#place = place
  }

  async read<T>(work: (handle: FileHandle) => Promise<T>): Promise<T> {
    this.#readers += 1
    this.#usedMs = Date.now()
    try {
      this.#handle ??= this.#open()
      return await work(await this.#handle)
    } finally {
      this.#readers -= 1
      this.#timer ??= setTimeout(() => void this.#closeIdle(), IDLE_MS).unref()
    }
  }

  async #open(): Promise<FileHandle> {
    try {
      return await open(this.#place, 'r')
    } catch (error) {
      this.#handle = undefined
      throw error
    }
  }

  async #closeIdle(): Promise<void> {
    const restMs = this.#readers > 0 ? IDLE_MS : this.#usedMs + IDLE_MS - Date.now()
    this.#timer = restMs > 0 ? setTimeout(() => void this.#closeIdle(), restMs).unref() : undefined
    if (this.#timer) return
    const handle = this.#handle
    this.#handle = undefined
    await (await handle?.catch(() => undefined))?.close()
  }
}
