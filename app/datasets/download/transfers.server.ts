import type { ServerResponse } from 'node:http'
import { PersonPlaces } from '#app/platform/database/person-places.server.ts'
import { leaving } from '#app/platform/http/leaving.server.ts'
import { stop } from '#app/platform/errors/stop.ts'

/** How long a client may read nothing before it counts as gone. A slow client reads something in that time. */
const SILENCE_MS = 120_000

/** Of each person. Download managers request a few parts in parallel. */
const places = new PersonPlaces('downloads', 8)

/** Counts a response until its connection closes, which aborts the signal. Throws when the person has too many. */
export async function beginTransfer(person: string, response: ServerResponse): Promise<AbortSignal> {
  const left = leaving(response)
  if (left.aborted) return left
  const leave = await places.take(person)
  if (!leave) return stop('tooMany', 'You already have several downloads running. Wait for one to finish.', { retryAfter: 30 })
  if (response.destroyed) leave()
  else response.once('close', leave)
  response.setTimeout(SILENCE_MS, () => response.destroy())
  return left
}
