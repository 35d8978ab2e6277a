import type { ShouldRevalidateFunctionArgs } from 'react-router'

/**
 * For loaders that do not depend on the query in the address: a search or another page of a list fetches data only. A navigation to the
 * same address is a request for a full reload.
 */
export function onNewPath({ currentUrl, nextUrl, formMethod, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  const isOnlyAnotherQuery = currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search
  return (formMethod !== undefined || !isOnlyAnotherQuery) && defaultShouldRevalidate
}
