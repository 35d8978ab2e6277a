import { stop } from '#app/platform/errors/stop.ts'
import { numberText } from '#app/platform/text/english-number.ts'

/** Refuses a change of all that match, if their number is no longer the one that the person saw. Inside the transaction of the change. */
export function requireMatches(found: number, seen: number, [one, many]: readonly [string, string]): void {
  if (found === seen) return
  const now = found === 1 ? `1 ${one} matches` : `${numberText(found)} ${many} match`
  stop('conflict', `${now} now, not ${numberText(seen)}. Choose them again.`, { code: 'matches_changed' })
}
