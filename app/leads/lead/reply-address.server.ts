import { timingSafeEqual } from 'node:crypto'
import type { Email } from '#app/mail/email.server.ts'
import { newMessageId } from '#app/mail/outbox.server.ts'
import { env } from '#app/platform/env.server.ts'
import { mac } from '#app/platform/guard/keys.server.ts'

/** The Message-ID of the acknowledgement of an enquiry, which all emails about it refer to. */
export function threadRootOf(contactId: string): string {
  return newMessageId(`enquiry.${contactId}`)
}

/** The id of a lead in 26 characters, then 80 bits of signature in 16. Mail systems may change the case, so there is one case only. */
const TOKEN = /\+([\da-v]{26})([\da-v]{16})@/
const SIGNATURE_BYTES = 10

/** The address that replies about a lead come to, such as `replies+…@example.com`. Undefined without `MAIL_REPLY_ADDRESS`. */
export function replyAddressOf(contactId: string): string | undefined {
  const [local, domain] = env.MAIL_REPLY_ADDRESS?.split('@') ?? []
  if (!local || !domain) return undefined
  const id = BigInt(`0x${contactId.replaceAll('-', '')}`)
  return `${local}+${id.toString(32).padStart(26, '0')}${signatureOf(contactId)}@${domain}`
}

/** Marks an email as one about a lead, where there is one: replies to it come to the lead, and its failure names the lead. */
export function aboutLead(email: Email, contactId: string | null | undefined): Email {
  return contactId ? { ...email, contactId, replyTo: replyAddressOf(contactId) } : email
}

/** The lead that an address of ours names. A wrong signature names none, and neither does another address. */
export function contactOfReplyAddress(address: string): string | undefined {
  const [, id = '', signature = ''] = TOKEN.exec(address.toLowerCase()) ?? []
  if (!id) return undefined
  const contactId = uuidOf(id)
  if (contactId === undefined) return undefined
  return timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(contactId))) ? contactId : undefined
}

function signatureOf(contactId: string): string {
  const bytes = mac('reply-address', contactId).subarray(0, SIGNATURE_BYTES)
  return BigInt(`0x${bytes.toString('hex')}`)
    .toString(32)
    .padStart(16, '0')
}

/** 26 digits hold 130 bits: the first digit of an id is below 8. */
function uuidOf(digits: string): string | undefined {
  let value = 0n
  for (const digit of digits) value = value * 32n + BigInt(Number.parseInt(digit, 32))
  const hex = value.toString(16).padStart(32, '0')
  if (hex.length > 32) return undefined
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
