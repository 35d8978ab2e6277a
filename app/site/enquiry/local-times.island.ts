import { weekdayAndTime } from '#app/platform/time/clock.ts'

/** Shows times in the zone of the browser, with its name. The server knows no zone and writes UTC, which stays without script. */
export function localTimes(element: HTMLElement) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  if (!timeZone) return
  for (const time of element.querySelectorAll('time')) {
    if (!time.firstChild) continue
    time.title = time.textContent
    // The text node stays, because React may own it.
    time.firstChild.nodeValue = weekdayAndTime(new Date(time.dateTime), timeZone)
  }
}
