import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import type { Actor } from '#app/auth/users/audit.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/stop.ts'
import { askToMove, type Booking, cancelBooking, changeBooking, handOver, settleBooking } from './booking.server.ts'
import { cancelAllOf } from './cancel-all.server.ts'
import { findStaffBooking, listBookings, toStaffBooking } from './booking-view.server.ts'
import { listPossibleHosts } from './host.server.ts'
import { moment, staffBooking, staffChange, type StaffChange } from './rules/booking.ts'

const listQuery = z.object({
  from: z.optional(moment),
  to: z.optional(moment),
  hostId: z.uuid('Choose a host.').optional(),
  contactId: z.uuid('There is no such enquiry.').optional(),
  cancelled: z.stringbool('cancelled is true or false.').optional(),
})

/** The endpoints of staff for calls. */
export const staffBookingApi: Api = async (app) => {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(request.requestContext, /^(GET|HEAD)$/.test(request.method) ? 'leads.read' : 'leads.write')
  })

  app.get('/api/staff/bookings', {
    schema: { summary: 'List calls in order of their time', querystring: listQuery, response: { 200: z.array(staffBooking) } },
    async handler({ query: { from, to, hostId, contactId, cancelled } }) {
      const range = { from: from === undefined ? undefined : new Date(from), until: to === undefined ? undefined : new Date(to) }
      return listBookings({ ...range, hostId, contactId, withCancelled: cancelled ?? false })
    },
  })

  app.get('/api/staff/bookings/:id', {
    schema: { summary: 'Read one call', params: z.object({ id: z.uuid('This booking doesn’t exist.') }), response: { 200: staffBooking } },
    handler: async ({ params }) => (await findStaffBooking(params.id)) ?? stop('notFound', 'This booking doesn’t exist.'),
  })

  app.patch('/api/staff/bookings/:id', {
    schema: {
      summary: 'Move a call, ask for another time, hand it over, cancel it, or note how it ended',
      params: z.object({ id: z.uuid('This booking doesn’t exist.') }),
      body: staffChange,
      response: { 200: staffBooking },
    },
    async handler({ params, body, requestContext }) {
      const { id } = await allow(requestContext, 'leads.write')
      const booking = await apply(params.id, body, { id, address: requestContext.address })
      return toStaffBooking(booking, await listPossibleHosts())
    },
  })
}

async function apply(id: string, change: StaffChange, actor: Actor): Promise<Booking> {
  const changer = { by: 'staff' as const, ...actor }
  switch (change.action) {
    case 'move':
      return changeBooking(id, { ...change, startsAt: new Date(change.startsAt) }, changer)
    case 'ask':
      return askToMove(id, { ...change, startsAt: new Date(change.startsAt) })
    case 'hand_over':
      return handOver(id, change, actor)
    case 'cancel':
      return change.all ? cancelAllOf(id, change, actor) : cancelBooking(id, change, changer)
    case 'complete':
      return settleBooking(id, 'completed', actor)
    case 'no_show':
      return settleBooking(id, 'no_show', actor, { followUp: change.followUp ?? false })
  }
}
