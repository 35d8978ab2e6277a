import { timingSafeEqual } from 'node:crypto'
import { callAt } from '#app/content/calls.ts'
import { env } from '#app/platform/env.server.ts'
import { macText } from '#app/platform/keys.server.ts'

const TOKEN = /^([\da-f-]{36})\.([\w-]{43})$/

/** Names an enquiry in the address of the booking page, so that its sender need not type twice. */
export function callToken(contactId: string): string {
  return `${contactId}.${signatureOf(contactId)}`
}

/** Where the sender of an enquiry books a call: the external calendar, or the booking page with what they typed. */
export function callUrlOf(contactId: string): string {
  const { url, isExternal } = callAt(env.BOOKING_URL)
  return isExternal ? url : `${url}?enquiry=${callToken(contactId)}`
}

/** The enquiry that a token of ours names. */
export function contactIdOf(token: string): string | undefined {
  const [, contactId = '', signature = ''] = TOKEN.exec(token) ?? []
  if (!contactId) return undefined
  // As text: the last character of Base64 has bits that decode to nothing, so four texts have the same bytes.
  return timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(contactId))) ? contactId : undefined
}

function signatureOf(contactId: string): string {
  return macText('call-link', contactId)
}
