import { type ComponentType, use } from 'react'
import { HydrationContext } from '#app/platform/hydration.ts'

/** Where the browser finds the script that wakes islands; the build puts it here. */
export const islandRuntime = 'ISLAND_RUNTIME'

/** Written onto an island's component by the build, on the server only. */
export type Place = { name: string; url: string; preload: string[] }

type IslandProps<Props extends object> = {
  of: ComponentType<Props> & { island?: Place }
  /** Plain data: it travels as JSON. */
  props: Props
  /** `touch`: at the first focus or pointer; only where the HTML works by itself until then. */
  on: 'touch' | 'visible' | 'idle'
  /** A key of the browser's local storage: while something lies there for the island, it wakes without being touched. */
  early?: string
}

/**
 * A piece of a public page that becomes live by itself. Its component may not use `useId` or a context from outside:
 * in the browser it is a React root of its own.
 */
export function Island<Props extends object>({ of: Component, props, on, early }: IslandProps<Props>) {
  const hydration = use(HydrationContext)
  const place = Component.island
  const asIsland =
    hydration === 'islands' && place
      ? {
          'data-island': place.url,
          'data-name': place.name,
          'data-preload': place.preload.join(' ') || undefined,
          'data-on': on,
          'data-early': early,
          'data-props': JSON.stringify(props),
        }
      : {}
  return (
    <div {...asIsland}>
      <Component {...props} />
    </div>
  )
}
