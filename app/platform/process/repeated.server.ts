import { setTimeout as sleep } from 'node:timers/promises'

type Pace = { pauseMs: number; signal: AbortSignal; onFailure: (error: unknown) => void }

/** Does work again after each failure, until it succeeds or the signal aborts. */
export async function repeatUntilDone(work: () => Promise<unknown>, { pauseMs, signal, onFailure }: Pace): Promise<void> {
  while (!signal.aborted) {
    try {
      await work()
      return
    } catch (error) {
      if (signal.aborted) return
      onFailure(error)
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => {})
  }
}
