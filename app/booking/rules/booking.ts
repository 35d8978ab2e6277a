import { z } from 'zod/mini'
import { atMost, characterCount, manyLines, oneLine } from '#app/platform/text/clean-text.ts'
import { sourceFields } from '#app/platform/http/source.ts'
import { enquiryLimits } from '#app/leads/lead/enquiry-limits.ts'
import { DESCRIPTION, newConsultation } from '#app/leads/lead/consultation.ts'
import { isoMoment } from '#app/platform/time/iso-moment.ts'
import { uuid } from '#app/platform/text/uuid.ts'
import { zoneName } from '#app/platform/time/weekly-hours.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { MOST_QUESTIONS } from './hours.ts'

const BAD_MOMENT = 'Choose a time from the list'

export const moment = isoMoment(BAD_MOMENT)

/** To visitors, while nobody has confirmed the hours in which they take calls. */
export const NO_CALLS = 'No calls can be booked at the moment. Write to us, and we will find a time together.'

/** To visitors, about a call type that was deleted, was switched off, or never was. */
export const NOT_OFFERED = 'This call is not offered at the moment. Choose another one, or write to us.'

const REASON = 'A reason has at most 500 characters'
const changeReason = z.optional(z.string(REASON).check(z.overwrite(manyLines), ...atMost(500, REASON)))

const ANSWER = 'An answer has at most 1,000 characters'
const answers = z.optional(
  z.array(z.string(ANSWER).check(z.overwrite(oneLine), ...atMost(1000, ANSWER))).check(z.maxLength(MOST_QUESTIONS, ANSWER)),
)

/** The call type: the last part of its address below `/book`. Without one, the first. */
const type = z.optional(z.string('type must be text'))

export const holdBody = z.object({
  startsAt: moment,
  type,
  /** A hold of the same visitor that this one takes the place of. */
  replaces: z.optional(z.string()),
})

export const heldSlot = z.object({ id: z.string(), expiresAt: z.string() })

/** Minutes until a held time is free again. */
export const HOLD_MINUTES = 10

/** The request of a guest to book a call. */
export const bookingBody = z.extend(newConsultation, {
  startsAt: moment,
  type,
  timeZone: zoneName,
  holdId: z.optional(z.string()),
  /** In the order of the questions. */
  answers,
  /** Optional beside an enquiry, whose message we have. */
  projectDescription: z.optional(
    z.string(DESCRIPTION).check(
      z.overwrite(manyLines),
      z.refine((text) => text === '' || characterCount(text) >= 10, DESCRIPTION),
      ...atMost(enquiryLimits.message, {
        error: () => `The description must be at most ${numberText(enquiryLimits.message)} characters`,
      }),
    ),
  ),
  /** After a few bookings of a network: the solution of the challenge in the refusal. */
  proof: z.optional(z.unknown()),
  /** From a link in our emails and pages: the enquiry that the call is about. */
  enquiry: z.optional(z.string('enquiry must be text')),
  ...sourceFields,
  /** A field that no person sees. */
  homepage: z.optional(z.unknown()),
})

export type BookingBody = z.infer<typeof bookingBody>

export const bookingReceipt = z.object({
  id: z.string(),
  reference: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
  manageUrl: z.string(),
})

export type BookingReceipt = z.infer<typeof bookingReceipt>

const bookingStatus = z.enum(['held', 'booked', 'cancelled', 'completed', 'no_show'])

const answered = z.array(z.object({ question: z.string(), answer: z.string() }))

/** A booking as its guest sees it. Times are ISO 8601. */
export const guestBooking = z.object({
  id: z.string(),
  reference: z.string(),
  status: bookingStatus,
  title: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
  /** Of the guest. */
  timeZone: z.string(),
  host: z.object({ name: z.string(), timeZone: z.string() }),
  place: z.string(),
  name: z.string(),
  email: z.string(),
  company: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  projectDescription: z.string(),
  answers: answered,
  sequence: z.number(),
  /** Until when the guest may change or cancel. */
  changeableUntil: z.string(),
  isChangeable: z.boolean(),
  manageUrl: z.string(),
  /** Whether the guest gets an email about the latest change. Too many emails to one address are withheld. */
  isEmailed: z.boolean(),
})

export type BookingStatus = z.infer<typeof bookingStatus>

export type GuestBooking = z.infer<typeof guestBooking>

export const changeBody = z.object({ startsAt: moment, timeZone: z.optional(zoneName), reason: changeReason })

/** A booking as staff see it. */
export const staffBooking = z.object({
  id: z.string(),
  reference: z.nullable(z.string()),
  source: z.enum(['site', 'calendly', 'cal', 'embed']),
  /** Of the call type. Calls of other schedulers have none. */
  title: z.nullable(z.string()),
  isVerified: z.boolean(),
  status: bookingStatus,
  startsAt: z.string(),
  endsAt: z.string(),
  timeZone: z.nullable(z.string()),
  host: z.nullable(z.object({ id: z.string(), name: z.string() })),
  place: z.string(),
  name: z.nullable(z.string()),
  email: z.nullable(z.string()),
  company: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  projectDescription: z.nullable(z.string()),
  answers: answered,
  contactId: z.nullable(z.string()),
  consultationId: z.nullable(z.string()),
  sequence: z.number(),
  changedBy: z.nullable(z.enum(['guest', 'staff', 'scheduler'])),
  changeReason: z.nullable(z.string()),
  createdAt: z.string(),
})

export type StaffBooking = z.infer<typeof staffBooking>

const NOTE = 'A note has at most 1,000 characters'
const leadCall = {
  contactId: uuid('Lead not found.'),
  /** The call type; without one, the first. */
  callTypeId: z.optional(uuid('Choose a call type')),
  /** Whose times they are. Without one: anyone's. */
  hostId: z.optional(uuid('Choose a host')),
  /** Of the guest. */
  timeZone: zoneName,
}

/** A call that staff book for the person of a lead. */
export const leadBooking = z.object({
  ...leadCall,
  startsAt: moment,
  /** Needed where the host calls the guest. */
  phone: newConsultation.shape.phone,
})
export type LeadBooking = z.infer<typeof leadBooking>

export const MOST_TIMES = 3
const TIMES = `Choose 1 to ${MOST_TIMES} times`

/** Times that staff propose to the person of a lead by email. */
export const leadProposal = z.object({
  ...leadCall,
  times: z.array(moment, TIMES).check(z.minLength(1, TIMES), z.maxLength(MOST_TIMES, TIMES)),
  note: z.optional(z.string(NOTE).check(z.overwrite(manyLines), ...atMost(1000, NOTE))),
})
export type LeadProposal = z.infer<typeof leadProposal>

export const freeTimes = z.object({
  slots: z.array(z.object({ startsAt: z.string(), endsAt: z.string() })),
  /** Why there are none. */
  reason: z.optional(z.string()),
})

/** An action of staff on a booking. `ask` leaves it where it is and asks the guest by email. */
export const staffChange = z.discriminatedUnion('action', [
  z.object({ action: z.literal('move'), startsAt: moment, reason: changeReason }),
  z.object({ action: z.literal('ask'), startsAt: moment, reason: changeReason }),
  z.object({ action: z.literal('hand_over'), hostId: z.string('Choose a host'), reason: changeReason }),
  /** `all`: every call ahead of the same address, with one email. */
  z.object({ action: z.literal('cancel'), reason: changeReason, all: z.optional(z.boolean('all is true or false')) }),
  z.object({ action: z.literal('complete') }),
  z.object({ action: z.literal('no_show'), followUp: z.optional(z.boolean()) }),
])

export type StaffChange = z.infer<typeof staffChange>

/** The page of a call for staff. */
export function callLink(id: string): string {
  return `/admin/calendar?call=${id}`
}
