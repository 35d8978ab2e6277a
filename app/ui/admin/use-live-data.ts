import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { onLiveEvent } from '#app/platform/browser/live-events.ts'
import { type ApiData, reload } from './use-action.ts'

/** An upload can take minutes, and the changes of others are shown before its end. */
const PATIENCE_MS = 10_000

/**
 * Loads data again when the server tells of one of the events, an array that stays the same. A change that is being sent loads it at its end, and before, it
 * would undo the change on the page. Its event, which comes at about the same time, adds nothing.
 */
export function useLiveData(events: readonly string[], data: ApiData): void {
  const client = useQueryClient()
  const hear = useEffectEvent((changedAt: number) => void reloadChanged(client, data, changedAt))
  useEffect(() => {
    const ends = events.map((name) => onLiveEvent(name, hear))
    return () => ends.forEach((end) => end())
  }, [events])
}

/** Loads data again that changed at a moment, unless it was loaded since, after the changes that are being sent. */
export async function reloadChanged(client: QueryClient, data: ApiData, changedAt: number): Promise<void> {
  await untilSent(client)
  await reload(client, data, changedAt)
}

async function untilSent(client: QueryClient): Promise<void> {
  if (client.isMutating() === 0) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(end, PATIENCE_MS)
    const leave = client.getMutationCache().subscribe(() => client.isMutating() === 0 && end())
    function end() {
      clearTimeout(timer)
      leave()
      resolve()
    }
  })
}
