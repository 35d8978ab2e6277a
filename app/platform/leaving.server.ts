import type { ServerResponse } from 'node:http'
import { Stop } from './stop.ts'

/** Aborts when whoever asks has gone before the answer was sent; what is done for them need not be done any more. */
export function leaving(response: ServerResponse): AbortSignal {
  const left = new AbortController()
  const leave = () => {
    if (!response.writableFinished) left.abort(new Stop('timeout', 'You have left.'))
  }
  // The end of a connection that has ended before is told to nobody.
  if (response.destroyed) leave()
  else response.once('close', leave)
  return left.signal
}
