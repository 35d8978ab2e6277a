import type { EnquiryForm } from '#app/leads/contact.ts'
import { enquiryNotices } from '#app/site/content/enquiry.ts'

type Texts = { title: string; description: string }

/** What a form says when its message is sent, or is not. */
export function enquiryToasts(form: EnquiryForm): { sent: Texts; failed: Texts } {
  return form === 'hire' ? enquiryNotices.hire : enquiryNotices.usual
}
