import { timingSafeEqual } from 'node:crypto'
import { callAt } from '#app/content/calls.ts'
import { env } from '#app/platform/env.server.ts'
import { macText } from '#app/platform/guard/keys.server.ts'
import { findOpenPage, FIRST_PAGE_VERSION, type PageOf } from './page-link.server.ts'

const TOKEN = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.([\w-]{43})$/

/** Names an enquiry in the address of the booking page, so that its sender need not type twice. It ends with the address of the visitor's page. */
export function callToken(contactId: string, pageVersion = FIRST_PAGE_VERSION): string {
  return `${contactId}.${signatureOf({ contactId, pageVersion })}`
}

/** Where the sender of an enquiry books a call: the external calendar, or the booking page with what they typed. */
export function callUrlOf({ contactId, pageVersion }: PageOf): string {
  const { url, isExternal } = callAt(env.BOOKING_URL)
  return isExternal ? url : `${url}?enquiry=${callToken(contactId, pageVersion)}`
}

/** The same for an enquiry whose page may have ended. */
export async function findCallUrl(contactId: string): Promise<string> {
  const page = await findOpenPage(contactId)
  return page ? callUrlOf(page) : callAt(env.BOOKING_URL).url
}

/** The enquiry that a token names, by the rules of the visitor's page: none once that is deleted, revoked, renewed or a year old. */
export async function findCallEnquiry(token: string): Promise<PageOf | undefined> {
  const [, contactId = '', signature = ''] = TOKEN.exec(token) ?? []
  const page = contactId ? await findOpenPage(contactId) : undefined
  if (!page) return undefined
  // As text: the last character of Base64 has bits that decode to nothing, so four texts have the same bytes.
  return timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(page))) ? page : undefined
}

/** The first version has the signature of before there were versions, so that earlier links still work. */
function signatureOf({ contactId, pageVersion }: PageOf): string {
  return macText('call-link', pageVersion === FIRST_PAGE_VERSION ? contactId : `${contactId}:${pageVersion}`)
}
