/** `Friday 27 November at 15:13 UTC`: without a year, because the page follows an enquiry for weeks. */
export function momentInZone(moment: Date, timeZone: string): string {
  const options = {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  } as const
  return new Intl.DateTimeFormat('en-GB', options).format(moment)
}
