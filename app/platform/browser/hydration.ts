import { createContext } from 'react'

/** Which part of a document becomes live in the browser. */
export type Hydration = 'none' | 'islands' | 'page'

/** A route's settings besides its access. Of nested routes, the innermost one with a setting decides. */
export type PageSettings = {
  hydration?: Hydration
  /**
   * The page is the same for every anonymous visitor, so it is cached until `clearPages` names its path or one of its tags.
   * With a query it is cached only when every key of that is named here. Visitors with the cookie `unlessCookie` (the end of its name) get a
   * page of their own. `seconds` is its life where the passing of time changes it. `lateSeconds`: a copy is still sent for so long
   * after it was cleared or its life has ended, while the next one is rendered; so a page that changes all the time is rendered about once in that
   * time.
   */
  cache?: boolean | { tags?: readonly string[]; query?: readonly string[]; unlessCookie?: string; seconds?: number; lateSeconds?: number }
  /** A post to the page must not be lost: under load, all other requests are refused first. */
  isRefusedLast?: boolean
  /** The visitor orders, pays or signs here, so the header offers nothing else. */
  isDeal?: boolean
}

/** Set by the server's entry, read by the root and by islands. A document that hydrates in the browser is a live page. */
export const HydrationContext = createContext<Hydration>('page')

/** The text of the style sheet, set by the server's entry: a document that is not live contains it. */
export const StyleContext = createContext('')

/** The hydration of a document, given the handles of its routes from the outermost to the innermost. */
export function hydrationOf(handles: readonly unknown[]): Hydration {
  return handles.map(askedBy).findLast(Boolean) ?? 'none'
}

function askedBy(handle: unknown): Hydration | undefined {
  if (typeof handle !== 'object' || handle === null || !('hydration' in handle)) return undefined
  const { hydration } = handle
  return hydration === 'none' || hydration === 'islands' || hydration === 'page' ? hydration : undefined
}
