import { terms } from './terms.ts'

type Call = { readonly label: string; readonly url: string; /** On the page of the scheduling provider. */ readonly isExternal: boolean }

/** The link to a free call: the external calendar when there is one, else the booking page. */
export function callAt(bookingUrl: string | undefined): Call {
  return { label: `Book a free ${terms.callLength} call`, url: bookingUrl ?? '/book', isExternal: bookingUrl !== undefined }
}

export const newTab = '(opens in a new tab)'
