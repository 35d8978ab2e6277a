import { z } from 'zod'
import { contactEmail } from '#app/leads/lead/contact.ts'
import { atMost } from '#app/platform/text/clean-text.ts'
import { env } from '#app/platform/env.server.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { moment } from './rules/booking.ts'
import { readSchedulerEvent, type Scheduler } from './scheduler-event.ts'
import { isRecent, isSigned, noteEmbeddedBooking, noteSchedulerEvent } from './scheduler.server.ts'

const webhookLimit = perVisitor('booking-webhook', 600, '1 minutes')
const MOST_BYTES = 256 * 1024
const HOUR = 3_600_000

/** A signature with the text that it covers and its time, which can also be in the body. */
type Signature = { signature: string; text: string; at?: Date }

/** The webhooks of other schedulers. Their signatures cover the body as it was sent, so it is read as text. */
export const schedulerApi: Api = async (app) => {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: MOST_BYTES }, (_request, body, done) => done(null, body))
  app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))

  const noted = { 204: z.null() }

  app.post('/api/booking/webhooks/calendly', {
    schema: {
      summary: 'Take a signed event of Calendly',
      headers: z.looseObject({ 'calendly-webhook-signature': z.optional(z.string()) }),
      body: z.string('Send the event as JSON.'),
      response: noted,
    },
    config: { limit: webhookLimit, takes: ['application/json'] },
    async handler({ headers, body }, reply) {
      const [, seconds = '', signature = ''] = /^t=(\d{1,12}),v1=([\da-f]{64})$/i.exec(headers['calendly-webhook-signature'] ?? '') ?? []
      await take('calendly', body, { signature, text: `${seconds}.${body}`, at: new Date(Number(seconds) * 1000) })
      return reply.status(204).send(null)
    },
  })

  app.post('/api/booking/webhooks/cal', {
    schema: {
      summary: 'Take a signed event of Cal.com',
      headers: z.looseObject({ 'x-cal-signature-256': z.optional(z.string()) }),
      body: z.string('Send the event as JSON.'),
      response: noted,
    },
    config: { limit: webhookLimit, takes: ['application/json'] },
    async handler({ headers, body }, reply) {
      await take('cal', body, { signature: headers['x-cal-signature-256'] ?? '', text: body })
      return reply.status(204).send(null)
    },
  })
}

/** The endpoint of the page with an embedded calendar, which says that a call was booked there. */
export const embeddedBookingApi: Api = async (app) => {
  app.post('/api/booking/embedded', {
    schema: {
      summary: 'Note a call that was booked in the embedded calendar; unverified until its webhook comes',
      body: z.object({
        name: z
          .string('Give a name')
          .trim()
          .min(1, 'Give a name')
          .check(...atMost(120, 'A name has at most 120 characters')),
        email: contactEmail('Invalid email address'),
        startsAt: moment,
        endsAt: z.optional(moment),
      }),
      response: { 204: z.null() },
    },
    config: { limit: perVisitor('booking-embedded', 10, '1 hours') },
    async handler({ body }, reply) {
      reply.header('cache-control', 'no-store')
      if (!env.BOOKING_URL) stop('notFound', 'There is no embedded calendar.')
      const startsAt = new Date(body.startsAt)
      const endsAt = body.endsAt === undefined ? new Date(startsAt.getTime() + HOUR / 2) : new Date(body.endsAt)
      const isSound =
        endsAt > startsAt &&
        endsAt.getTime() - startsAt.getTime() <= 8 * HOUR &&
        Math.abs(startsAt.getTime() - Date.now()) < 366 * 24 * HOUR
      if (!isSound) stop('unprocessable', 'A call ends after it starts, within 8 hours and a year.', { code: 'validation_failed' })
      await noteEmbeddedBooking({ name: body.name, email: body.email, startsAt, endsAt, zone: null, phone: null, description: '' })
      return reply.status(204).send(null)
    },
  })
}

async function take(scheduler: Scheduler, body: string, { signature, text, at }: Signature): Promise<void> {
  const secret = env.BOOKING_WEBHOOK_SECRET ?? stop('notFound', 'Webhooks are off: BOOKING_WEBHOOK_SECRET is not set.')
  if (!isSigned(secret, text, signature)) stop('forbidden', 'The signature is missing or wrong.', { code: 'bad_signature' })
  const event = readSchedulerEvent(scheduler, parsed(body))
  if (event === null) return
  if (!event) stop('unprocessable', 'This event cannot be read.', { code: 'validation_failed' })
  if (!isRecent(at ?? event.at)) stop('forbidden', 'This event is older than 5 minutes.', { code: 'stale' })
  await noteSchedulerEvent(event)
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return stop('badRequest', 'The body is not valid JSON.')
  }
}
