import { announceChange } from '#app/platform/browser/data-changed.ts'
import { toast } from '#app/ui/toast.ts'
import type { EnquiryFormKind } from '#app/leads/contact.ts'
import { enquiryToasts } from './enquiry-texts.ts'
import type { EnquiryReply } from './send-enquiry.ts'

/** Shows the result of an enquiry. A received one also invalidates this document's cached lists. */
export function tellOutcome(form: EnquiryFormKind, { kind }: EnquiryReply): void {
  const { sent, failed } = enquiryToasts(form)
  if (kind !== 'received') return toast({ ...failed, look: 'danger' })
  announceChange('/api/contacts', '/api/leads')
  toast(sent)
}
