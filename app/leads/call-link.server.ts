import { timingSafeEqual } from 'node:crypto'
import { callAt } from '#app/content/calls.ts'
import { env } from '#app/platform/env.server.ts'
import { mac } from '#app/platform/keys.server.ts'

const TOKEN = /^([\da-f-]{36})\.([\w-]{43})$/

/** Names an enquiry in the address of the booking page, so that its sender need not type twice. */
export function callToken(contactId: string): string {
  return `${contactId}.${signatureOf(contactId).toString('base64url')}`
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
  return timingSafeEqual(Buffer.from(signature, 'base64url'), signatureOf(contactId)) ? contactId : undefined
}

function signatureOf(contactId: string): Buffer {
  return mac('call-link', contactId)
}
