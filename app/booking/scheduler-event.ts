import { z } from 'zod/mini'
import { isoMoment } from '#app/platform/time/iso-moment.ts'

/** The schedulers whose webhooks we understand. */
export type Scheduler = 'calendly' | 'cal'

export type SchedulerCall = {
  startsAt: Date
  endsAt: Date
  name: string
  email: string
  zone: string | null
  phone: string | null
  description: string
}

/** News of one booking from its scheduler. `replaces` is the booking that this one took the place of. */
export type SchedulerEvent = {
  scheduler: Scheduler
  externalId: string
  happened: 'booked' | 'cancelled'
  at: Date
  call: SchedulerCall
  replaces: string | null
  replacedBy: string | null
  reason: string | null
}

const text = (most: number) => z.string().check(z.minLength(1), z.maxLength(most))
const moment = isoMoment('This is no moment.')
const email = z.string().check(z.maxLength(254), z.regex(/^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u))

/** In both schedulers' bodies, an event that we have no use for has another name. */
const other = z.object({ event: z.optional(z.string()), triggerEvent: z.optional(z.string()) })

const calendly = z.object({
  event: z.enum(['invitee.created', 'invitee.canceled']),
  created_at: moment,
  payload: z.object({
    uri: text(500),
    name: z.string(),
    email,
    timezone: z.nullish(z.string()),
    text_reminder_number: z.nullish(z.string()),
    old_invitee: z.nullish(z.string()),
    new_invitee: z.nullish(z.string()),
    questions_and_answers: z.nullish(z.array(z.object({ question: z.string(), answer: z.string() }))),
    cancellation: z.nullish(z.object({ reason: z.nullish(z.string()) })),
    scheduled_event: z.object({ start_time: moment, end_time: moment }),
  }),
})

const cal = z.object({
  triggerEvent: z.enum(['BOOKING_CREATED', 'BOOKING_RESCHEDULED', 'BOOKING_CANCELLED']),
  createdAt: moment,
  payload: z.object({
    uid: text(200),
    rescheduleUid: z.nullish(z.string()),
    startTime: moment,
    endTime: moment,
    additionalNotes: z.nullish(z.string()),
    cancellationReason: z.nullish(z.string()),
    attendees: z
      .array(z.object({ name: z.string(), email, timeZone: z.nullish(z.string()), phoneNumber: z.nullish(z.string()) }))
      .check(z.minLength(1)),
  }),
})

/** The event of a webhook's body: null for one that is none of ours, undefined for one that cannot be read. */
export function readSchedulerEvent(scheduler: Scheduler, body: unknown): SchedulerEvent | null | undefined {
  const event = scheduler === 'calendly' ? readCalendly(body) : readCal(body)
  if (event) return event.call.startsAt < event.call.endsAt ? event : undefined
  return isOther(body, scheduler) ? null : undefined
}

function isOther(body: unknown, scheduler: Scheduler): boolean {
  const { event, triggerEvent } = other.safeParse(body).data ?? {}
  const name = scheduler === 'calendly' ? event : triggerEvent
  return name !== undefined && !/^(invitee\.(created|canceled)|BOOKING_(CREATED|RESCHEDULED|CANCELLED))$/.test(name)
}

function readCalendly(body: unknown): SchedulerEvent | undefined {
  const { data } = calendly.safeParse(body)
  if (!data) return undefined
  const { uri, name, email: address, timezone, text_reminder_number: phone, questions_and_answers: answers, ...rest } = data.payload
  return {
    scheduler: 'calendly',
    externalId: uri,
    happened: data.event === 'invitee.created' ? 'booked' : 'cancelled',
    at: new Date(data.created_at),
    call: {
      startsAt: new Date(rest.scheduled_event.start_time),
      endsAt: new Date(rest.scheduled_event.end_time),
      name,
      email: address,
      zone: timezone ?? null,
      phone: phone ?? null,
      description: (answers ?? []).map(({ question, answer }) => `${question}\n${answer}`).join('\n\n'),
    },
    replaces: rest.old_invitee ?? null,
    replacedBy: rest.new_invitee ?? null,
    reason: rest.cancellation?.reason ?? null,
  }
}

function readCal(body: unknown): SchedulerEvent | undefined {
  const { data } = cal.safeParse(body)
  const [guest] = data?.payload.attendees ?? []
  if (!data || !guest) return undefined
  const { uid, rescheduleUid, startTime, endTime, additionalNotes, cancellationReason } = data.payload
  return {
    scheduler: 'cal',
    externalId: uid,
    happened: data.triggerEvent === 'BOOKING_CANCELLED' ? 'cancelled' : 'booked',
    at: new Date(data.createdAt),
    call: {
      startsAt: new Date(startTime),
      endsAt: new Date(endTime),
      name: guest.name,
      email: guest.email,
      zone: guest.timeZone ?? null,
      phone: guest.phoneNumber ?? null,
      description: additionalNotes ?? '',
    },
    replaces: rescheduleUid && rescheduleUid !== uid ? rescheduleUid : null,
    replacedBy: null,
    reason: cancellationReason ?? null,
  }
}
