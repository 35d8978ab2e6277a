import { env, isLoopback } from '#app/platform/env.server.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * Whether a request comes from our own pages: `true` or `false` when the browser's headers say so,
 * `undefined` without them (a script, not a browser).
 */
export function isSameOrigin(headers: Headers): boolean | undefined {
  const site = headers['sec-fetch-site']
  const origin = headers['origin']
  if (typeof origin === 'string') return isOurOrigin(origin, headers['host'])
  if (typeof site === 'string') return site === 'same-origin' || site === 'none'
  return undefined
}

/** On a local installation `localhost`, `127.0.0.1` and `[::1]` are the same place. */
function isOurOrigin(origin: string, host: string | string[] | undefined): boolean {
  if (origin === env.SITE_URL) return true
  const local = isLoopback(new URL(env.SITE_URL).hostname)
  const url = URL.parse(origin)
  return local && url !== null && isLoopback(url.hostname) && url.host === host
}
