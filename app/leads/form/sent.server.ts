import { callToken, callUrlOf, findCallEnquiry } from '#app/leads/lead/call-link.server.ts'
import type { EnquiryReceipt } from '#app/leads/lead/contact.ts'
import { parseHireMessage } from '#app/leads/lead/hire-message.ts'
import { sentReference } from '#app/platform/database/reference.server.ts'
import { callAt } from '#app/content/calls.ts'
import { db } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { SentEnquiry } from './sent.ts'

/** The page that confirms an enquiry, after its form was sent without script. A signature lets only the sender see what was sent. */
export function sentUrl(page: string, { id, reference }: EnquiryReceipt): string {
  return `${page}?${new URLSearchParams({ sent: reference, enquiry: callToken(id) })}#sent`
}

/** The enquiry that the address of a page confirms. */
export async function findSent(address: string): Promise<SentEnquiry | undefined> {
  const reference = sentReference(address)
  if (reference === undefined) return undefined
  const page = await findCallEnquiry(new URL(address).searchParams.get('enquiry') ?? '')
  const contact = page && (await findOwn(page.contactId, reference))
  if (!contact) return { reference, values: undefined, callUrl: callAt(env.BOOKING_URL).url }
  return { reference, values: { ...contact, message: parseHireMessage(contact.message).text }, callUrl: callUrlOf(page) }
}

async function findOwn(id: string, reference: string) {
  return db
    .selectFrom('contacts')
    .select(['problem', 'message', 'budget', 'timeframe', 'email'])
    .where('id', '=', id)
    .where('reference', '=', reference)
    .executeTakeFirst()
}

/** The confirmation has what one person wrote, so nothing may keep the page. */
export function headersOf(sent: SentEnquiry | undefined): { headers: Record<string, string> } {
  return { headers: sent ? { 'cache-control': 'no-store' } : {} }
}
