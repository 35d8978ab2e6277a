/**
 * Shows the times in the zone of the browser where the page has chosen one itself. The marked element names that zone. An address that names the
 * zone already was asked once: the server does not know it, and asking again would load the page forever.
 */
export function guessZone(element: HTMLElement) {
  const shown = element.querySelector<HTMLElement>('[data-zone]')?.dataset['zone']
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const url = new URL(location.href)
  if (!shown || !timeZone || shown === timeZone || url.searchParams.get('zone') === timeZone) return
  url.searchParams.set('zone', timeZone)
  location.replace(url)
}
