import { terms } from './terms.ts'

type Call = { readonly label: string; readonly url: string; /** On the page of the scheduling provider. */ readonly isExternal: boolean }

/** The link to a free call: the external calendar when there is one, else the contact form. The label differs. */
export function callAt(bookingUrl: string | undefined): Call {
  return bookingUrl
    ? { label: `Book a free ${terms.callLength} call`, url: bookingUrl, isExternal: true }
    : { label: `Ask for a free ${terms.callLength} call`, url: '/contact?wish=call#enquiry', isExternal: false }
}

export const newTab = '(opens in a new tab)'
