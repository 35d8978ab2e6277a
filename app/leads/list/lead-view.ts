import { urlOf } from '#app/ui/admin/view.ts'
import type { ContactFilter } from './lead-query.ts'

/** The state of the dashboard is in its URL, so it can be shared, bookmarked, and left with the back button. */
export const tabs = ['contacts', 'consultations', 'quarantine'] as const

export type LeadTab = (typeof tabs)[number]

/** Rows of one page in the browser. */
export const LEAD_ROWS = 25

export const filterLabels: Record<ContactFilter, string> = {
  waiting: 'Waiting for a reply',
  unproposed: 'Waiting for a proposal',
  answered: 'Answered',
  consultation: 'With a consultation',
}

/** The filters, in the URL of the page and of the API alike. */
const listKeys = ['q', 'filter', 'service', 'sort', 'cursor']

export function tabOf(params: URLSearchParams): LeadTab {
  return tabs.find((tab) => tab === params.get('tab')) ?? 'contacts'
}

/** Another tab is another list, so the filters are cleared. */
export function toTab(tab: LeadTab): string {
  return tab === 'contacts' ? '?' : `?tab=${tab}`
}

/** The list of enquiries that look like spam. */
export const QUARANTINE = '/dashboard?tab=quarantine'

/** The API URL of this view's list. */
export function leadListUrl(path: string, params: URLSearchParams): string {
  return urlOf(path, new URLSearchParams([...params, ['limit', String(LEAD_ROWS)]]), [...listKeys, 'limit'])
}
