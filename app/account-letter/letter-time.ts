const written = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** A moment as a letter tells it: its reader's time zone is not known. */
export function inUtc(at: string): string {
  return `${written.format(new Date(at))} UTC`
}
