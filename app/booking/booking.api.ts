import type { Api } from '#app/platform/http/http.server.ts'
import { calendarApi, ownCallsApi } from './calendar/calendar.api.ts'
import { guestBookingApi } from './guest-booking.api.ts'
import { embeddedBookingApi, schedulerApi } from './scheduler.api.ts'
import { organizationCallsApi } from './organization-calls.api.ts'
import { staffBookingApi } from './staff-booking.api.ts'
import './host-notice.server.ts'

export const bookingApi: Api = async (app) => {
  for (const api of [guestBookingApi, staffBookingApi, schedulerApi, embeddedBookingApi, calendarApi, ownCallsApi, organizationCallsApi])
    app.register(api)
}
