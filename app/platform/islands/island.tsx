import { type ComponentType, use } from 'react'
import { HydrationContext } from '#app/platform/browser/hydration.ts'

/** The script that wakes islands. The build inserts its address, and the hash of its text. */
export const islandRuntime: { src: string; integrity?: string } = { src: 'ISLAND_RUNTIME' }

/** Set on an island's component by the build, on the server only. */
export type IslandSource = { name: string; url: string; preload: string[] }

type IslandProps<Props extends object> = {
  of: ComponentType<Props> & { island?: IslandSource }
  /** Plain data: it travels as JSON. */
  props: Props
  /** `touch`: at the first focus or pointer; only where the HTML works without script until then. */
  on: 'touch' | 'visible' | 'idle'
  /** A key of the browser's local storage: with data under it, the island wakes without a touch. */
  early?: string
}

/**
 * An independently hydrated piece of a public page. Its component may not use `useId` or a context from outside:
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
