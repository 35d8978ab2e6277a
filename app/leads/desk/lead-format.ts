const money = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })
const exactMoney = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })

/** `$2,500`, or with cents where there are any. */
export function formatValue(cents: number): string {
  return (cents % 100 === 0 ? money : exactMoney).format(cents / 100)
}

/** The forms of the site, and the import, as staff call them. */
export const leadFormLabels: Record<string, string> = {
  home: 'Home page',
  contact: 'Contact page',
  landing: 'Get started',
  hire: 'Hire page',
  import: 'Import',
}

/** Whether a time has passed. */
export const isPast = (at: string) => Date.parse(at) < Date.now()

/** The address for a reply in the mail program, with the reference in the subject. */
export function replyAddress({ email, reference }: { email: string; reference: string }): string {
  return `mailto:${email}?subject=${encodeURIComponent(`Your enquiry ${reference}`)}`
}
