import { use, useSyncExternalStore } from 'react'
import { HydrationContext } from '#app/platform/browser/hydration.ts'

const never = () => () => undefined

/**
 * Whether a press reaches the code of the page. Before a live page is hydrated, a control that needs that code is disabled: then no press is
 * lost. Other pages have only controls that work without it.
 */
export function useIsLive(): boolean {
  const willHydrate = use(HydrationContext) === 'page'
  const isHydrated = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  return isHydrated || !willHydrate
}
