/** The forms of the site, the import and leads by hand, as staff call them. */
export const leadFormLabels: Record<string, string> = {
  home: 'Home page',
  contact: 'Contact page',
  landing: 'Get started',
  hire: 'Hire page',
  import: 'Import',
  staff: 'Added by staff',
}

/** Why nothing can be sent to the person of a lead. */
export const NO_ADDRESS = 'No email address. Add one first.'

/** Whether a time has passed. */
export const isPast = (at: string) => Date.parse(at) < Date.now()

/** The address for a reply in the mail program, with the reference in the subject. */
export function replyAddress({ email, reference }: { email: string; reference: string }): string {
  return `mailto:${email}?subject=${encodeURIComponent(`Your enquiry ${reference}`)}`
}
