import { hourAndMinute } from '#app/platform/time/clock.ts'
import { writtenForm } from '#app/platform/text/written-form.ts'
import type { BookingStatus, StaffBooking } from '#app/booking/rules/booking.ts'

/** Status with its color; a booked call needs no word beside it. */
export const statusLooks = {
  held: { word: 'Held', look: 'grain' },
  booked: { word: 'Booked', look: 'plain' },
  cancelled: { word: 'Cancelled', look: 'alarm' },
  completed: { word: 'Completed', look: 'leaf' },
  no_show: { word: 'No-show', look: 'alarm' },
} as const satisfies Record<BookingStatus, { word: string; look: 'plain' | 'grain' | 'leaf' | 'alarm' }>

export function guestOf({ name, email }: Pick<StaffBooking, 'name' | 'email'>): string {
  return name ?? email ?? 'Guest'
}

/** `09:00–09:30`, on the clock of a zone. */
export function timesText({ startsAt, endsAt }: Pick<StaffBooking, 'startsAt' | 'endsAt'>, zone: string): string {
  const format = formatOf(hourAndMinute, zone)
  return `${format(startsAt)}–${format(endsAt)}`
}

/** `Mon, Nov 30, 09:00`. */
export function momentText(moment: string, zone: string): string {
  return formatOf({ weekday: 'short', month: 'short', day: 'numeric', ...hourAndMinute }, zone)(moment)
}

/** `Monday, November 30, 2026`. */
export function longDayText(moment: string, zone: string): string {
  return formatOf({ dateStyle: 'full' }, zone)(moment)
}

/** `Europe/Berlin` as people say it. */
export function zoneText(zone: string): string {
  return zone.split('/').slice(1).join(', ').replaceAll('_', ' ') || zone
}

function formatOf(options: Intl.DateTimeFormatOptions, timeZone: string): (moment: string) => string {
  const format = new Intl.DateTimeFormat(writtenForm().locale, { ...options, timeZone })
  return (moment) => format.format(new Date(moment))
}
