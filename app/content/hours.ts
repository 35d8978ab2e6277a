import { currentSettings } from './settings/live.ts'

/** The deadlines of a person's reply. Separate from terms.ts, because the forms' script includes it. */
export const hours = { acknowledgement: 2, response: 24, proposal: 24 } as const

/** Whether the promised hours count only while the business is open. Without settings of its own, a public page reads it from its document. */
export function countsBusinessHours(): boolean {
  const { hours: saved } = currentSettings()
  if (saved || typeof document === 'undefined') return saved?.counts === 'Business hours'
  return document.documentElement.dataset['hours'] === 'business'
}

/** `24 hours`, or `24 business hours`. */
export function promisedTime(promise: keyof typeof hours): string {
  return `${hours[promise]} ${countsBusinessHours() ? 'business hours' : 'hours'}`
}
