import type { PlaceOf } from '#app/redirects/engine/resolve.server.ts'
import { log } from '#app/platform/log.server.ts'
import { countHits, saveHits } from './hits.server.ts'
import { resolveRedirects, onNewRules, openRules } from './rules.server.ts'
import { type Sent, singleRedirect } from './resolution.server.ts'

/** Loops already logged, by their first redirect. */
const loggedLoops = new Set<string>()

/** The redirect that a visitor gets, counted as a hit. A loop returns nothing, so the visitor gets the page or a 404. */
export function redirectFor(url: string, method: string, placeOf: PlaceOf): Sent | undefined {
  const resolution = resolveRedirects(url, method, placeOf)
  if (resolution.end === 'circle') logLoop(resolution.hops.map(({ rule }) => rule.id))
  const sent = singleRedirect(resolution)
  if (sent) countHits(resolution.hops.map(({ rule }) => rule.id))
  return sent
}

/** Follows the list. `onChange` gets a function that tells whether an address is redirected. */
export async function openRedirects(onChange: (isAnswered: (url: string) => boolean) => void): Promise<() => Promise<void>> {
  const deaf = onNewRules((rules) => {
    loggedLoops.clear()
    onChange((url) => rules.find(url) !== undefined)
  })
  const close = await openRules()
  return async () => {
    deaf()
    close()
    await saveHits()
  }
}

function logLoop([first = '', ...others]: string[]) {
  if (loggedLoops.has(first)) return
  loggedLoops.add(first)
  log.warn({ redirects: [first, ...others] }, 'redirects form a loop')
}
