import { createHash } from 'node:crypto'
import { identity } from '#app/content/identity.ts'
import { fetchBounded, FetchFailure } from '#app/platform/http/fetch-bounded.server.ts'
import { log } from '#app/platform/log.server.ts'

const SERVICE = 'https://api.pwnedpasswords.com/range/'
const BOUNDS = { ms: 3000, bytes: 200_000 }

/**
 * Whether a password is known from a leak. The service gets only the first five digits of its hash, which thousands share, and pads its
 * response. If it does not respond, the password passes.
 */
export async function isLeaked(password: string): Promise<boolean> {
  const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
  try {
    const headers = { 'add-padding': 'true', 'user-agent': identity.name }
    const { status, text } = await fetchBounded(SERVICE + hash.slice(0, 5), { headers }, BOUNDS)
    if (status === 200) return text.split(/\r?\n/).some((line) => line.startsWith(hash.slice(5)) && !/:0+$/.test(line))
    log.warn({ status }, 'leaked passwords could not be looked up')
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    log.warn({ reason: error.message }, 'leaked passwords could not be looked up')
  }
  return false
}
