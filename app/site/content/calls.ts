import { terms } from './terms.ts'

type Call = { readonly label: string; readonly url: string; /** On the page of the scheduling provider. */ readonly isExternal: boolean }

/** How a free call is arranged: in the external calendar when there is one, else by a word in the contact form. The label says which. */
export function callAt(bookingUrl: string | undefined): Call {
  return bookingUrl
    ? { label: `Book a free ${terms.callLength} call`, url: bookingUrl, isExternal: true }
    : { label: `Ask for a free ${terms.callLength} call`, url: '/contact?wish=call#enquiry', isExternal: false }
}

export const newTab = '(opens in a new tab)'
