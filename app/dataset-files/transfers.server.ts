import type { ServerResponse } from 'node:http'
import { leaving } from '#app/platform/leaving.server.ts'
import { stop } from '#app/platform/stop.ts'

/** How long nothing may be taken of an answer before its reader counts as gone. A slow one takes something in that time. */
const SILENCE_MS = 120_000

/** Answers that are under way, by person: a few at once, none of them for ever. */
export class Transfers {
  readonly #open = new Map<string, number>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  /** Counts an answer until its connection ends, of which the signal tells. Stops when the person has too many of them. */
  begin(person: string, response: ServerResponse): AbortSignal {
    const left = leaving(response)
    if (left.aborted) return left
    const open = this.#open.get(person) ?? 0
    if (open >= this.#most) stop('tooMany', 'You are downloading several files already. Please wait for one of them.', { retryAfter: 30 })
    this.#open.set(person, open + 1)
    response.setTimeout(SILENCE_MS, () => response.destroy())
    response.once('close', () => this.#end(person))
    return left
  }

  #end(person: string) {
    const open = (this.#open.get(person) ?? 1) - 1
    if (open > 0) this.#open.set(person, open)
    else this.#open.delete(person)
  }
}
