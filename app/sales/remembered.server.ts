/** For so many leads that went into a figure, it is kept for a second. */
const LEADS_A_SECOND = 20_000
const ALWAYS_FRESH = 5_000

/**
 * A figure that is worked out once for all who ask at the same time, and kept for a while when it took many leads: its cost then stays small
 * however many dashboards are open. With few leads it is always fresh.
 */
export function remember<Figure>(work: () => Promise<Figure>, leadsIn: (figure: Figure) => number): () => Promise<Figure> {
  let running: Promise<Figure> | undefined
  let kept: { figure: Figure; until: number } | undefined

  async function refresh(): Promise<Figure> {
    try {
      const figure = await work()
      const leads = leadsIn(figure)
      kept = leads > ALWAYS_FRESH ? { figure, until: Date.now() + (leads / LEADS_A_SECOND) * 1000 } : undefined
      return figure
    } finally {
      running = undefined
    }
  }
  return () => {
    if (kept && kept.until > Date.now()) return Promise.resolve(kept.figure)
    running ??= refresh()
    return running
  }
}
