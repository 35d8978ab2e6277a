import type { ServerResponse } from 'node:http'
import { Stop } from '#app/platform/errors/stop.ts'

/** Aborts when the client disconnects before the response was sent, so that its work can stop. */
export function leaving(response: ServerResponse): AbortSignal {
  const left = new AbortController()
  const leave = () => {
    if (!response.writableFinished) left.abort(new Stop('timeout', 'You have left.'))
  }
  // A connection that has already closed emits no further event.
  if (response.destroyed) leave()
  else response.once('close', leave)
  return left.signal
}
