import { callTime } from '#app/booking/rules/call-time.ts'
import type { GuestBooking } from '#app/booking/rules/booking.ts'
import { LINK_COMES, placeKind } from '#app/booking/rules/place.ts'
import { identity } from '#app/content/identity.ts'
import { env } from '#app/platform/env.server.ts'

/** A booked call as its guest reads it, with the ways into a calendar. */
export type CallSummary = {
  title: string
  reference: string
  guestTime: string
  /** Undefined when it is the guest's zone as well. */
  hostTime: string | undefined
  host: string
  place: string
  isEmailed: boolean
  /** Whether the place is a link. */
  isLink: boolean
  /** The ways into a calendar. Undefined for a call that does not take place. */
  calendars: { file: string; google: string; outlook: string } | undefined
  manage: string
}

export function callFacts(call: GuestBooking): CallSummary {
  const { title, timeZone, startsAt, host, place, reference, manageUrl, status, isEmailed } = call
  return {
    title,
    reference,
    guestTime: callTime(startsAt, timeZone),
    hostTime: host.timeZone === timeZone ? undefined : callTime(startsAt, host.timeZone),
    host: host.name,
    isEmailed,
    place: place || (status === 'booked' ? LINK_COMES : ''),
    isLink: placeKind(place) === 'link',
    calendars: status === 'cancelled' ? undefined : calendarsOf(call),
    manage: new URL(manageUrl).pathname,
  }
}

function calendarsOf({ title, startsAt, endsAt, place, reference, manageUrl }: GuestBooking) {
  const name = `${title}: ${identity.name}`
  const manage = new URL(manageUrl).pathname
  const details = `${place ? '' : `${LINK_COMES}. `}${reference}. ${env.SITE_URL}${manage}`
  const google = new URL('https://calendar.google.com/calendar/render')
  const compact = (iso: string) => `${iso.slice(0, 19).replaceAll(/[-:]/g, '')}Z`
  google.search = `${new URLSearchParams({ action: 'TEMPLATE', text: name, dates: `${compact(startsAt)}/${compact(endsAt)}`, details, location: place })}`
  const outlook = new URL('https://outlook.live.com/calendar/0/deeplink/compose')
  outlook.search = `${new URLSearchParams({ path: '/calendar/action/compose', rru: 'addevent', subject: name, startdt: startsAt, enddt: endsAt, body: details, location: place })}`
  return { file: `${manage}/call.ics`, google: google.href, outlook: outlook.href }
}
