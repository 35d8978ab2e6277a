import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { staffBooking } from '#app/booking/rules/booking.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { useLiveData } from '#app/ui/admin/use-live-data.ts'
import { busySpan, CALENDAR, hostFeed, listedCallType, listedHost, override } from './calendar.ts'

/** The calls of staff. */
export const CALLS = '/api/staff/bookings'

const calendarEvents = ['bookings']

/** All data of the calendar begins with this. */
export const CALENDAR_DATA = ['/api/staff/booking']

const bookings = z.array(staffBooking)

type CallsAsked = { from: Date; to: Date; hostId?: string | undefined; cancelled?: boolean }

export function callsQuery({ from, to, hostId, cancelled = false }: CallsAsked) {
  const asked = new URLSearchParams({
    from: from.toISOString(),
    to: to.toISOString(),
    ...(hostId && { hostId }),
    ...(cancelled && { cancelled: 'true' }),
  })
  return apiQuery(`${CALLS}?${asked}`, bookings)
}

export const callQuery = (id: string) => apiQuery(`${CALLS}/${encodeURIComponent(id)}`, staffBooking)
export const hostsQuery = apiQuery(`${CALENDAR}/hosts`, z.array(listedHost))
export const TYPES_URL = `${CALENDAR}/types`
export const typesQuery = apiQuery(TYPES_URL, z.array(listedCallType))
export const hostUrl = (id: string) => `${CALENDAR}/hosts/${id}`
export const overridesQuery = (id: string) => apiQuery(`${hostUrl(id)}/overrides`, z.array(override))
export const feedsQuery = (id: string) => apiQuery(`${hostUrl(id)}/feeds`, z.array(hostFeed))

export function useBusy(from: Date, to: Date) {
  return useQuery(
    apiQuery(`${CALENDAR}/busy?${new URLSearchParams({ from: from.toISOString(), to: to.toISOString() })}`, z.array(busySpan)),
  )
}

/** Reloads the calendar when a call, a hold or the hours have changed. */
export function useLiveCalls(): void {
  useLiveData(calendarEvents, CALENDAR_DATA)
}
