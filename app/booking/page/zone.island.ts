/** Shows the times in the zone of the browser where the page has chosen one itself. The marked element names that zone. */
export function guessZone(element: HTMLElement) {
  const shown = element.querySelector<HTMLElement>('[data-zone]')?.dataset['zone']
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  if (!shown || !timeZone || shown === timeZone) return
  const url = new URL(location.href)
  url.searchParams.set('zone', timeZone)
  location.replace(url)
}
