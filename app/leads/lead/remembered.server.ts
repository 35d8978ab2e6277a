/** A count is cached for a second per this many leads in it. */
const LEADS_A_SECOND = 20_000
const ALWAYS_FRESH = 5_000

/**
 * Computes a count once for all simultaneous requests, and caches it for a while when it covers many leads: the cost then stays small
 * however many dashboards are open. For the same time again, it is returned while a new one is computed. With few leads it is always fresh.
 */
export function rememberCount<Figure>(work: () => Promise<Figure>, leadsIn: (figure: Figure) => number): () => Promise<Figure> {
  let running: Promise<Figure> | undefined
  let kept: { figure: Figure; until: number; usableUntil: number } | undefined

  async function refresh(): Promise<Figure> {
    try {
      const figure = await work()
      const leads = leadsIn(figure)
      const ms = (leads / LEADS_A_SECOND) * 1000
      kept = leads > ALWAYS_FRESH ? { figure, until: Date.now() + ms, usableUntil: Date.now() + 2 * ms } : undefined
      return figure
    } finally {
      running = undefined
    }
  }
  return () => {
    if (kept && kept.until > Date.now()) return Promise.resolve(kept.figure)
    running ??= refresh()
    if (!kept || kept.usableUntil < Date.now()) return running
    // No request waits for the new figure. The next request reports a failure.
    running.catch(() => undefined)
    return Promise.resolve(kept.figure)
  }
}
