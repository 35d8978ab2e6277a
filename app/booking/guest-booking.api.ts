import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { findCurrentUser } from '#app/account/session/current-user.server.ts'
import { idempotencyKey } from '#app/leads/lead/contact.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import type { SaidSource } from '#app/platform/http/source.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { type Booking, bookSlot, cancelBooking, changeBooking, findBookingByToken, replaceManageLink } from './booking.server.ts'
import { describeBooking, toReceipt } from './booking-view.server.ts'
import { needOffered } from './call-type.server.ts'
import { holdSlot, listHolds, releaseHold } from './hold.server.ts'
import { listHosts } from './host.server.ts'
import { bookingBody, bookingReceipt, changeBody, freeTimes, guestBooking, heldSlot, holdBody, moment, NO_CALLS } from './rules/booking.ts'
import { zoneName } from '#app/platform/time/weekly-hours.ts'
import { listSlots, rangeOf } from './slots.server.ts'
import { type Visitor, visitorOf } from './visitor.server.ts'

/** Wide, because a whole office can share an address: as for enquiries. */
const bookingLimit = perVisitor('booking', 60, '10 minutes')
const readLimit = perVisitor('booking-slots', 300, '10 minutes')
const holdLimit = perVisitor('booking-hold', 120, '10 minutes')

const slotsQuery = z.object({
  from: moment,
  to: moment,
  timeZone: z.optional(zoneName),
  type: z.string().optional(),
})
const token = z.object({ token: z.string() })

/** The endpoints of guests: free times, holds and bookings. */
export const guestBookingApi: Api = async (app) => {
  app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))

  app.get('/api/booking/slots', {
    schema: {
      summary: 'List free times for a call, or the reason why there are none',
      querystring: slotsQuery,
      response: { 200: freeTimes },
    },
    config: { limit: readLimit },
    async handler(request) {
      const range = rangeOf(request.query.from, request.query.to)
      const { id: callTypeId } = await needOffered(request.query.type)
      const { visitor, cookie } = visitorOf(request.requestContext)
      // A visitor who gets a cookie only now holds nothing.
      const own = cookie ? [] : await listHolds(visitor)
      const slots = await listSlots(range, { except: own.map(({ id }) => id), callTypeId })
      const isClosed = slots.length === 0 && (await listHosts()).length === 0
      return { slots: slots.map(({ written }) => written), ...(isClosed && { reason: NO_CALLS }) }
    },
  })

  app.post('/api/booking/holds', {
    schema: { summary: 'Hold a time for 10 minutes; a cookie names its holder', body: holdBody, response: { 201: heldSlot } },
    config: { limit: holdLimit },
    async handler(request, reply) {
      const { startsAt, type, replaces } = request.body
      const { id: callTypeId } = await needOffered(type)
      const { id, heldUntil } = await holdSlot(knownVisitor(request, reply), new Date(startsAt), { callTypeId, replaces })
      return reply.status(201).send({ id, expiresAt: heldUntil.toISOString() })
    },
  })

  app.delete('/api/booking/holds/:id', {
    schema: { summary: 'Give up a held time', params: z.object({ id: z.uuid('This time is not held.') }), response: { 204: z.null() } },
    config: { limit: holdLimit },
    async handler(request, reply) {
      const isReleased = await releaseHold(visitorOf(request.requestContext).visitor, request.params.id)
      if (!isReleased) stop('notFound', 'This time is not held.')
      return reply.status(204).send(null)
    },
  })

  app.post('/api/bookings', {
    schema: {
      summary: 'Book a call',
      headers: z.looseObject({ 'idempotency-key': z.optional(idempotencyKey) }),
      body: bookingBody,
      response: { 201: bookingReceipt },
    },
    config: { limit: bookingLimit, isRefusedLast: true },
    async handler(request, reply) {
      const { homepage, ...given } = request.body
      // A robot has filled in the field that people do not see.
      if (homepage) stop('unprocessable', 'We cannot take this booking. Write to us instead.')
      const userId = (await findCurrentUser(request.requestContext))?.id
      const visitor = { ...knownVisitor(request, reply, given), userId }
      const booking = await bookSlot(given, visitor, request.headers['idempotency-key'])
      return reply.status(201).send(toReceipt(booking))
    },
  })

  app.get('/api/bookings/:token', {
    schema: { summary: 'Read a booking by its link', params: token, response: { 200: guestBooking } },
    config: { limit: readLimit },
    handler: async ({ params }) => describeBooking(await named(params.token)),
  })

  app.patch('/api/bookings/:token', {
    schema: { summary: 'Move a booking to another time', params: token, body: changeBody, response: { 200: guestBooking } },
    config: { limit: bookingLimit },
    async handler({ params, body, requestContext: { address } }) {
      const { id } = await named(params.token)
      return describeBooking(await changeBooking(id, { ...body, startsAt: new Date(body.startsAt) }, { by: 'guest', address }))
    },
  })

  app.delete('/api/bookings/:token', {
    schema: { summary: 'Cancel a booking', params: token, response: { 200: guestBooking } },
    config: { limit: bookingLimit },
    async handler({ params, requestContext: { address } }) {
      const { id } = await named(params.token)
      return describeBooking(await cancelBooking(id, {}, { by: 'guest', address }))
    },
  })

  app.post('/api/bookings/:token/link', {
    schema: {
      summary: 'Replace the link of a booking: the new one goes to the guest by email',
      params: token,
      response: { 204: z.null() },
    },
    config: { limit: perVisitor('booking-link', 5, '1 hours') },
    async handler({ params, requestContext: { address } }, reply) {
      const { id } = await named(params.token)
      await replaceManageLink(id, address)
      return reply.status(204).send(null)
    },
  })
}

async function named(text: string): Promise<Booking> {
  return (await findBookingByToken(text)) ?? stop('notFound', 'This link doesn’t lead to a booking. Use the one in our latest email.')
}

/** The visitor, who is recognized from now on. */
function knownVisitor({ requestContext }: FastifyRequest, reply: FastifyReply, said?: SaidSource): Visitor {
  const { visitor, cookie } = visitorOf(requestContext, said)
  if (cookie) reply.header('set-cookie', cookie)
  return visitor
}
