import { z } from 'zod/mini'
import type { Filter, RowSort } from '#app/datasets/catalog/column.ts'
import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { ApiError, apiRequest } from '#app/platform/browser/api.ts'
import type { Toast } from '#app/ui/toast.ts'

/** A download: the file, in a format and with selected rows and columns, or the API. */
export type DownloadChoice = { downloadType: 'file' | 'api'; format?: string; columns?: string[]; filters?: Filter[]; sort?: RowSort }

const taken = z.object({ downloadUrl: z.optional(z.nullable(z.string())) })

/**
 * The first request for a large file waits until it is generated. The server holds each request for a while; this is the maximum number
 * of them.
 */
const MOST_ASKS = 30
const BETWEEN_ASKS_MS = 500

/** Requests a download, again while its file is being generated. Returns its URL, or undefined if there is none that is safe to open. */
export async function takeProduct(id: string, wish: DownloadChoice, onMaking: () => void = () => undefined): Promise<string | undefined> {
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
  title: 'Preparing your file',
  description: 'The first download in this format takes a moment. It starts automatically; keep this page open.',
} as const
export const DOWNLOAD_STARTED = { title: 'Download Started', description: 'Your data download has been initiated successfully.' } as const
export const API_OPENED = { title: 'API Access', description: 'The API page of this dataset opens in a new tab.' } as const
export const DOWNLOAD_FAILED = {
  title: 'Download Failed',
  description: 'Failed to start download. Please try again.',
  look: 'danger',
} as const

/**
 * The next step after a failed download. The global error handler sends signed-out users to the sign-in page. For a paid product, the
 * user goes to the request form, which must be on this site.
 */
export function afterFailure(error: unknown): { goTo: string } | { tell: Toast } | undefined {
  if (isSignedOut(error)) return undefined
  const checkout = error instanceof ApiError && error.status === 402 ? (error.problem?.checkoutUrl ?? '') : ''
  return /^\/(?![/\\])/.test(checkout) ? { goTo: checkout } : { tell: DOWNLOAD_FAILED }
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}
