const written = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** The time format of emails, in UTC because the reader's time zone is unknown. */
export function inUtc(at: string): string {
  return `${written.format(new Date(at))} UTC`
}
