import type { EnquiryFormKind } from '#app/leads/lead/contact.ts'
import { enquiryForm, enquiryNotices } from '#app/content/enquiry.ts'

type Texts = { title: string; description: string }

/** The texts of a form after its message is sent or refused. */
export function enquiryToasts(form: EnquiryFormKind): { sent: Texts; failed: Texts } {
  return form === 'hire' ? enquiryNotices.hire : enquiryNotices.usual
}

/** The outcome of an enquiry that did not reach the server. */
export function unreached(): { kind: 'failed'; reason: string } {
  return { kind: 'failed', reason: navigator.onLine ? enquiryForm.unreachable : enquiryForm.offline }
}
