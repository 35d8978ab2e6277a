import type { ShouldRevalidateFunctionArgs } from 'react-router'

/**
 * For loaders that a query in the address does not concern: a search or another page of a list asks the server for data alone. Where
 * the address stays as it is, someone asked for everything afresh.
 */
export function onNewPath({ currentUrl, nextUrl, formMethod, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  const isOnlyAnotherQuery = currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search
  return (formMethod !== undefined || !isOnlyAnotherQuery) && defaultShouldRevalidate
}
