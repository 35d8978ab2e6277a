import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import type { Actor } from '#app/auth/users/audit.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { askToMove, type Booking, cancelBooking, changeBooking, handOver, settleBooking } from './booking.server.ts'
import { cancelAllOf } from './cancel-all.server.ts'
import { needOfferedById } from './call-type.server.ts'
import { findStaffBooking, listBookings, toStaffBooking } from './booking-view.server.ts'
import { listHosts } from './host.server.ts'
import { bookForLead, proposeToLead } from './lead-call.server.ts'
import { freeTimes, leadBooking, leadProposal, moment, NO_CALLS, staffBooking, staffChange, type StaffChange } from './rules/booking.ts'
import { listSlots, rangeOf } from './slots.server.ts'

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

  app.get('/api/staff/bookings/slots', {
    schema: {
      summary: 'List free times of one host, or of all',
      querystring: z.object({
        from: moment,
        to: moment,
        hostId: z.uuid('Choose a host.').optional(),
        callTypeId: z.uuid('Choose a call type.').optional(),
      }),
      response: { 200: freeTimes },
    },
    async handler({ query: { from, to, hostId, callTypeId } }) {
      const { id } = await needOfferedById(callTypeId)
      const slots = await listSlots(rangeOf(from, to), { hostId, callTypeId: id })
      const isClosed = slots.length === 0 && (await listHosts()).length === 0
      return { slots: slots.map(({ written }) => written), ...(isClosed && { reason: NO_CALLS }) }
    },
  })

  app.post('/api/staff/bookings', {
    schema: { summary: 'Book a call for the person of a lead', body: leadBooking, response: { 201: staffBooking } },
    async handler({ body, requestContext }, reply) {
      const { id } = await allow(requestContext, 'leads.write')
      const booking = await bookForLead(body, { id, address: requestContext.address })
      return reply.status(201).send(await toStaffBooking(booking))
    },
  })

  app.post('/api/staff/bookings/proposals', {
    schema: {
      summary: 'Email 1 to 3 free times to the person of a lead, each with a link; none is held',
      body: leadProposal,
      response: { 204: z.null() },
    },
    async handler({ body, requestContext }, reply) {
      const { id } = await allow(requestContext, 'leads.write')
      await proposeToLead(body, { id, address: requestContext.address })
      return reply.status(204).send(null)
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
      return toStaffBooking(booking)
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
