import type { PlaceOf } from '#app/redirect-engine/follow.server.ts'
import { log } from '#app/platform/log.server.ts'
import { countHits, keepHits } from './hits.server.ts'
import { followRedirects, onNewRules, openRules } from './rules.server.ts'
import { type Sent, sentOn } from './way.server.ts'

/** Circles that have been told of, by the redirect in which they begin. */
const told = new Set<string>()

/** Where a visitor is sent by the redirects that are in force, counted. One that leads in a circle answers nothing: there is the page, or none. */
export function sendOn(url: string, method: string, placeOf: PlaceOf): Sent | undefined {
  const way = followRedirects(url, method, placeOf)
  if (way.end === 'circle') tellOfCircle(way.hops.map(({ rule }) => rule.id))
  const sent = sentOn(way)
  if (sent) countHits(way.hops.map(({ rule }) => rule.id))
  return sent
}

/** Follows the list from now on. `onChange` hears of it when it is another one, with what tells whether an address is answered by it. */
export async function openRedirects(onChange: (isAnswered: (url: string) => boolean) => void): Promise<() => Promise<void>> {
  const deaf = onNewRules((rules) => {
    told.clear()
    onChange((url) => rules.find(url) !== undefined)
  })
  const close = await openRules()
  return async () => {
    deaf()
    close()
    await keepHits()
  }
}

function tellOfCircle([first = '', ...others]: string[]) {
  if (told.has(first)) return
  told.add(first)
  log.warn({ redirects: [first, ...others] }, 'redirects lead in a circle')
}
