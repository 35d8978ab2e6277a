/** A moment with its time, such as `November 29, 2026 at 11:04 PM UTC`: evidence names its zone. */
export function utcMoment(at: Date): string {
  return at.toLocaleString('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).concat(' UTC')
}
