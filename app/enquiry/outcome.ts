import { announceChange } from '#app/platform/data-changed.ts'
import { toast } from '#app/ui/toast.ts'
import type { EnquiryForm } from '#app/leads/contact.ts'
import { enquiryToasts } from './enquiry-texts.ts'
import type { Answer } from './send-enquiry.ts'

/** Says what became of an enquiry: to its author, and, once it is there, to whatever of this document keeps a copy of the lists. */
export function tellOutcome(form: EnquiryForm, { kind }: Answer): void {
  const { sent, failed } = enquiryToasts(form)
  if (kind !== 'received') return toast({ ...failed, look: 'danger' })
  announceChange('/api/contacts', '/api/leads')
  toast(sent)
}
