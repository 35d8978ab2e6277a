/** A moment in a zone, in words: `Thursday, 26 November 2026 at 14:30 (Europe/Berlin)`. */
export function callTime(startsAt: string | Date, zone: string): string {
  const text = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(startsAt))
  return `${text} (${zone.replaceAll('_', ' ')})`
}
