import type { ContactFilter } from '#app/sales/lead-query.ts'

/** What the dashboard shows is in its address, so that it can be sent, kept, and left with the back button. */
export const tabs = ['contacts', 'consultations', 'quarantine'] as const

export type LeadTab = (typeof tabs)[number]

/** Rows of one page in the browser. */
export const ROWS = 25

export const filterLabels: Record<ContactFilter, string> = {
  waiting: 'Waiting for an answer',
  unproposed: 'Waiting for a proposal',
  answered: 'Answered',
  consultation: 'With a consultation',
}

/** Which leads are meant, in the address of the page and of the API alike. */
const choiceKeys = ['q', 'filter', 'service']
const listKeys = [...choiceKeys, 'sort', 'cursor']

export function tabOf(params: URLSearchParams): LeadTab {
  return tabs.find((tab) => tab === params.get('tab')) ?? 'contacts'
}

/** Another tab is another list: nothing of the last one's choice fits it. */
export function toTab(tab: LeadTab): string {
  return tab === 'contacts' ? '?' : `?tab=${tab}`
}

/** Where the list of this view is read. */
export function listUrl(path: string, params: URLSearchParams): string {
  const asked = pick(params, listKeys)
  asked.set('limit', String(ROWS))
  return `${path}?${asked}`
}

/** Where everything that this view means is exported. */
export function exportUrl(path: string, params: URLSearchParams): string {
  const asked = pick(params, choiceKeys)
  return asked.size > 0 ? `${path}.csv?${asked}` : `${path}.csv`
}

function pick(params: URLSearchParams, keys: string[]): URLSearchParams {
  return new URLSearchParams([...params].filter(([key, value]) => keys.includes(key) && (value || key === 'service')))
}
