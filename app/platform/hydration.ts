import { createContext } from 'react'

/** Which part of a document becomes live in the browser. */
export type Hydration = 'none' | 'islands' | 'page'

/** What a route says about itself: `export const handle = { … } satisfies Handle`. Of routes inside each other, the innermost one that speaks decides. */
export type Handle = {
  hydration?: Hydration
  /**
   * The page is the same for every stranger, so it is written once and kept until `clearPages` names its path or one of its tags.
   * With a query it is kept only when every key of that is named here.
   */
  kept?: boolean | { tags?: readonly string[]; query?: readonly string[] }
}

/** Set by the server's entry, read by the root and by islands. A document that hydrates in the browser is a live page. */
export const HydrationContext = createContext<Hydration>('page')

/** What the routes of a document ask for, given their handles from the outermost to the innermost. */
export function hydrationOf(handles: readonly unknown[]): Hydration {
  return handles.map(askedBy).findLast(Boolean) ?? 'none'
}

function askedBy(handle: unknown): Hydration | undefined {
  if (typeof handle !== 'object' || handle === null || !('hydration' in handle)) return undefined
  const { hydration } = handle
  return hydration === 'none' || hydration === 'islands' || hydration === 'page' ? hydration : undefined
}
