/** The forms of the site, the import and leads by hand, as staff call them. */
export const leadFormLabels: Record<string, string> = {
  home: 'Home page',
  contact: 'Contact page',
  landing: 'Get started',
  hire: 'Hire page',
  import: 'Import',
  staff: 'Added by staff',
}

/** Whether a time has passed. */
export const isPast = (at: string) => Date.parse(at) < Date.now()

/** The address for a reply in the mail program, with the reference in the subject. */
export function replyAddress({ email, reference }: { email: string; reference: string }): string {
  return `mailto:${email}?subject=${encodeURIComponent(`Your enquiry ${reference}`)}`
}
