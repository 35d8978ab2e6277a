import type { ServerResponse } from 'node:http'
import { leaving } from '#app/platform/http/leaving.server.ts'
import { stop } from '#app/platform/stop.ts'

/** How long a client may read nothing before it counts as gone. A slow client reads something in that time. */
const SILENCE_MS = 120_000

/** Responses in progress by person: a few at a time, and none runs forever. */
export class Transfers {
  readonly #open = new Map<string, number>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  /** Counts a response until its connection closes, which aborts the signal. Throws when the person has too many. */
  begin(person: string, response: ServerResponse): AbortSignal {
    const left = leaving(response)
    if (left.aborted) return left
    const open = this.#open.get(person) ?? 0
    if (open >= this.#most) stop('tooMany', 'You already have several downloads running. Wait for one to finish.', { retryAfter: 30 })
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
