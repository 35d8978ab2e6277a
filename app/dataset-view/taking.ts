import { z } from 'zod/mini'
import type { Filter, Sort } from '#app/datasets/column.ts'
import { PRODUCTS } from '#app/datasets/addresses.ts'
import { ApiError, apiRequest } from '#app/platform/api.ts'
import type { Toast } from '#app/ui/toast.ts'

/** What someone asks for: the file, in one of its formats and with a choice of rows and columns, or the way to the API. */
export type Wish = { downloadType: 'file' | 'api'; format?: string; columns?: string[]; filters?: Filter[]; sort?: Sort }

const taken = z.object({ downloadUrl: z.optional(z.nullable(z.string())) })

/** The first one to ask for a large file waits until it is made: the server holds each request for a while, and is asked so often at most. */
const MOST_ASKS = 30
const BETWEEN_ASKS_MS = 500

/**
 * Asks for a product, again while its file is being made. Answers where it can be fetched; nothing when there is no such address, or one that leads nowhere
 * (row 133).
 */
export async function takeProduct(id: string, wish: Wish, onMaking: () => void = () => undefined): Promise<string | undefined> {
  for (let asked = 1; ; asked += 1) {
    try {
      const { downloadUrl } = taken.parse(await (await apiRequest('POST', `${PRODUCTS}/${id}/download`, wish)).json())
      return downloadUrl && downloadUrl !== '#' ? downloadUrl : undefined
    } catch (error) {
      if (!isBeingMade(error) || asked === MOST_ASKS) throw error
      if (asked === 1) onMaking()
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_ASKS_MS))
    }
  }
}

function isBeingMade(error: unknown): boolean {
  return error instanceof ApiError && error.status === 503 && error.problem?.code === 'being_made'
}

export const BEING_MADE = {
  title: 'The file is being made',
  description: 'Nobody has asked for it in this format before. Your download begins by itself; keep this page open.',
} as const
export const DOWNLOAD_STARTED = { title: 'Download Started', description: 'Your data download has been initiated successfully.' } as const
export const DOWNLOAD_FAILED = {
  title: 'Download Failed',
  description: 'Failed to start download. Please try again.',
  look: 'danger',
} as const

/**
 * What follows when a product could not be taken. Who is signed out is told so, and led to the sign-in page, by whoever watches over all calls (row 174);
 * who has to pay goes to where that begins (decision D7), which is a place of this site and no other.
 */
export function afterFailure(error: unknown): { goTo: string } | { tell: Toast } | undefined {
  if (isSignedOut(error)) return undefined
  const checkout = error instanceof ApiError && error.status === 402 ? (error.problem?.checkoutUrl ?? '') : ''
  return /^\/(?![/\\])/.test(checkout) ? { goTo: checkout } : { tell: DOWNLOAD_FAILED }
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}
