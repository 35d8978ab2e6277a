import { refuse } from '#app/auth/protocol/refusal.ts'
import { consume, visitorKey } from '#app/platform/limits.server.ts'
import { Stop } from '#app/platform/stop.ts'
import { refreshLimit } from './limits.server.ts'

/** Counts a renewal. Clients take any 4xx for the end of their session, and try again after a 503. */
export async function countRenewal(address: string): Promise<void> {
  try {
    await consume(refreshLimit, visitorKey(address))
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    refuse('unexpected_failure', { retryAfter: error.extra.retryAfter ?? 1 })
  }
}
