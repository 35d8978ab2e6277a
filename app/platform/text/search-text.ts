import { characterCount, oneLine } from './clean-text.ts'

/** The maximum of a search on a public page, in characters. */
export const SEARCH_MOST = 100

/** The searched words in an address. Longer ones stay whole, so that the page can say that they are too long. */
export function readSearch(params: URLSearchParams): string {
  return oneLine(params.get('q') ?? '')
}

/** The reason why nothing is searched. */
export function refuseSearch(q: string): string | undefined {
  return characterCount(q) > SEARCH_MOST ? `Search for at most ${SEARCH_MOST} characters.` : undefined
}
