import { z } from 'zod'
import { notificationJob } from '#app/account/notifications/notification.server.ts'
import { noteWithheldEmail } from '#app/leads/lead/lead-event.server.ts'
import { aboutLead } from '#app/leads/lead/reply-address.server.ts'
import type { Email } from '#app/mail/email.server.ts'
import { emailJob } from '#app/mail/outbox.server.ts'
import { transaction, type Trx } from '#app/platform/database/db.server.ts'
import { defineJob, enqueue, type NewJob } from '#app/platform/jobs.server.ts'
import { emitBooking } from './booking-webhook.server.ts'
import type { Row } from '#db/tables.ts'
import type { CallData, GuestCallData } from './call-event.ts'
import {
  guestBookedEmail,
  guestCallsCancelledEmail,
  guestCancelledEmail,
  guestChangedEmail,
  guestMissedEmail,
  guestNewLinkEmail,
  guestPlacedEmail,
  guestProposalEmail,
  guestReminderEmail,
} from './guest-call.email.tsx'
import { findCallType } from './call-type.server.ts'
import { type Host, listPossibleHosts } from './host.server.ts'
import {
  hostBookedEmail,
  hostCallsCancelledEmail,
  hostCancelledEmail,
  hostChangedEmail,
  hostHandedOverEmail,
  hostReminderEmail,
} from './host-call.email.tsx'
import { manageUrl, proposalProof } from './manage-link.server.ts'
import { callTime } from './rules/call-time.ts'
import type { CallType } from './rules/hours.ts'
import { callLink } from '#app/booking/rules/booking.ts'

type Booking = Row<'bookings'>
type Happened = 'booked' | 'changed' | 'cancelled'

/** `before` and `formerHost`: as it was before a change. `by`: the account of staff whose act it is. */
type Told = { booking: Booking; before?: Booking; host: Host; formerHost?: Host; callType: CallType; by?: string | null | undefined }

const toGuest = { booked: guestBookedEmail, changed: guestChangedEmail, cancelled: guestCancelledEmail }
const toHost = { booked: hostBookedEmail, changed: hostChangedEmail, cancelled: hostCancelledEmail }
const titles = { booked: 'Call booked', changed: 'Call changed', cancelled: 'Call cancelled', adopted: 'Call booked' }

const REMINDER_HOURS = [24, 1]
const HOUR = 3_600_000
const REMIND = 'bookings.remind'

/** Tells guest, host and webhooks about a call, in the transaction that changed it, and plans its reminders. */
export async function enqueueBookingEmails(trx: Trx, happened: Happened, told: Told): Promise<void> {
  const { booking, before, host, formerHost } = told
  const call = { ...callOf(booking, host, told.callType), formerly: before?.startsAt.toISOString() ?? null }
  const isOther = formerHost !== undefined && formerHost.id !== host.id
  const hostEmail = isOther ? hostBookedEmail : toHost[happened]
  const emails = [
    ...(booking.guestEmailed ? [toGuest[happened](call.guest.email, forGuest(call, booking, told.callType))] : []),
    ...(host.email ? [hostEmail(host.email, forHost(call))] : []),
    ...(isOther && before && formerHost.email ? [hostHandedOverEmail(formerHost.email, formerCall(call, before, formerHost))] : []),
  ]
  const reminders = happened === 'cancelled' ? [] : remindersOf(booking)
  await enqueue(trx, ...emails.map((email) => callEmailJob(email, booking)), ...reminders, noticeOf(happened, booking, host, told.by))
  if (!booking.guestEmailed && booking.contactId) await noteWithheldEmail(trx, booking.contactId, 'The email to the guest about the call')
  await emitBooking(trx, happened, booking, before)
}

/** A call of a lead is about that lead. */
function callEmailJob(email: Email, { contactId }: Pick<Booking, 'contactId'>): NewJob {
  return emailJob(aboutLead(email, contactId))
}

/** `by`: the account of staff, who hear nothing of their own acts. */
type Together = { ended: readonly { booking: Booking; callType: CallType; host?: Host }[]; by: string | null | undefined }

/** Tells of calls of one guest that staff cancelled together: one email to the guest, and one to each host. */
export async function enqueueCancelledTogether(trx: Trx, { ended, by }: Together): Promise<void> {
  const told = ended.flatMap(({ host, ...each }) => (host ? [{ ...each, host, call: callOf(each.booking, host, each.callType) }] : []))
  const [first] = told
  if (!first) return
  const toHosts = [...Map.groupBy(told, ({ host }) => host.email ?? '')].filter(([address]) => address !== '')
  const guests = told.map(({ call, booking, callType }) => forGuest(call, booking, callType))
  await enqueue(
    trx,
    callEmailJob(guestCallsCancelledEmail(first.call.guest.email, { calls: guests }), first.booking),
    ...toHosts.map(([address, calls]) =>
      emailJob(hostCallsCancelledEmail(address, { email: first.call.guest.email, calls: calls.map(({ call }) => call) })),
    ),
    ...told.map(({ booking, host }) => noticeOf('cancelled', booking, host, by)),
  )
  for (const { booking } of told) await emitBooking(trx, 'cancelled', booking)
}

/** Tells guests who were promised the link where their calls take place. */
export async function enqueuePlacedEmails(trx: Trx, bookings: readonly Booking[]): Promise<void> {
  for (const booking of bookings) {
    const { guest } = await readCall(trx, booking)
    await enqueue(trx, callEmailJob(guestPlacedEmail(guest.guest.email, guest), booking))
  }
}

/** Their event ends, at its former time. */
function formerCall(call: CallData, before: Booking, { name, email, rules }: Host) {
  const host = { name, email, zone: rules.zone }
  return forHost({ ...call, startsAt: before.startsAt.toISOString(), endsAt: before.endsAt.toISOString(), place: before.place, host })
}

/** Asks a guest who did not come for another time, once. */
export async function enqueueFollowUp(trx: Trx, booking: Booking): Promise<void> {
  const { guest } = await readCall(trx, booking)
  await enqueue(trx, { ...callEmailJob(guestMissedEmail(guest.guest.email, guest), booking), dedupeKey: `booking.missed:${booking.id}` })
}

type Proposal = { booking: Booking; host: Host; startsAt: Date; reason?: string | undefined }

export async function enqueueProposal(trx: Trx, { booking, startsAt, reason }: Proposal): Promise<void> {
  const { guest } = await readCall(trx, booking)
  const proof = proposalProof(booking, startsAt)
  const proposal = { ...guest, proposed: startsAt.toISOString(), proof, reason: reason ?? null }
  await enqueue(trx, callEmailJob(guestProposalEmail(guest.guest.email, proposal), booking))
}

export async function enqueueNewLink(trx: Trx, booking: Booking): Promise<void> {
  const { guest } = await readCall(trx, booking)
  await enqueue(trx, callEmailJob(guestNewLinkEmail(guest.guest.email, guest), booking))
}

async function readCall(trx: Trx, booking: Booking): Promise<{ host: Host | undefined; call: CallData; guest: GuestCallData }> {
  const callType = await findCallType(booking.callTypeId, trx)
  const host = (await listPossibleHosts(trx)).find(({ id }) => id === booking.hostId)
  const call = callOf(booking, host, callType)
  return { host, call, guest: forGuest(call, booking, callType) }
}

function callOf(booking: Booking, host: Host | undefined, { title }: CallType): CallData {
  const { id, sequence, name, email, company, phone, answers, place, guestZone, changeReason, changedBy } = booking
  return {
    id,
    reference: booking.reference ?? '',
    title,
    sequence,
    startsAt: booking.startsAt.toISOString(),
    endsAt: booking.endsAt.toISOString(),
    guestZone: guestZone ?? 'UTC',
    guest: { name: name ?? '', email: email ?? '', company, phone },
    host: { name: host?.name ?? '', email: host?.email ?? null, zone: host?.rules.zone ?? 'UTC' },
    projectDescription: booking.projectDescription ?? '',
    answers,
    place,
    bookedAt: (booking.bookedAt ?? booking.createdAt).toISOString(),
    updatedAt: booking.updatedAt.toISOString(),
    formerly: null,
    reason: changeReason,
    changedBy,
  }
}

function forGuest(call: CallData, booking: Booking, { changeWindowMinutes }: CallType): GuestCallData {
  return { ...call, manageUrl: manageUrl(booking), changeWindowMinutes }
}

function forHost(call: CallData): CallData & { email: string } {
  return { ...call, email: call.guest.email }
}

/** Those whose time is still ahead. The key holds the time of the call, so that a call that moves gets new ones, and each is planned once. */
function remindersOf({ id, startsAt }: Booking): NewJob[] {
  return REMINDER_HOURS.map((hours) => ({ hours, runAt: new Date(startsAt.getTime() - hours * HOUR) }))
    .filter(({ runAt }) => runAt.getTime() > Date.now())
    .map(({ hours, runAt }) => ({
      kind: REMIND,
      payload: { bookingId: id, startsAt: startsAt.toISOString(), hours },
      dedupeKey: reminderKey(id, startsAt, hours),
      runAt,
    }))
}

function reminderKey(id: string, startsAt: Date, hours: number): string {
  return `${REMIND}:${id}:${startsAt.toISOString()}:${hours}`
}

defineJob(
  REMIND,
  z.object({ bookingId: z.string(), startsAt: z.string(), hours: z.number() }),
  async ({ bookingId, startsAt, hours }) =>
    transaction(async (trx) => {
      // Locked, so that a call that is cancelled at this moment is reminded of before it, or never.
      const booking = await trx.selectFrom('bookings').selectAll().where('id', '=', bookingId).forUpdate().executeTakeFirst()
      if (booking?.status !== 'booked' || booking.startsAt.toISOString() !== startsAt || booking.startsAt.getTime() < Date.now()) return
      const { host, call, guest } = await readCall(trx, booking)
      const key = reminderKey(bookingId, booking.startsAt, hours)
      const once = (email: Email, to: string): NewJob => ({ ...callEmailJob(email, booking), dedupeKey: `${key}:${to}` })
      await enqueue(
        trx,
        // A guest who was not told of the call may not know of it.
        ...(booking.guestEmailed ? [once(guestReminderEmail(call.guest.email, { ...guest, hours }), 'guest')] : []),
        ...(host?.email ? [once(hostReminderEmail(host.email, { ...forHost(call), hours }), 'host')] : []),
      )
    }),
  // As long as the emails: within that time, none is sent again.
  { keepDays: 90 },
)

/** Tells an owner of the calls ahead that were booked before there was one. */
export async function enqueueAdoptionNotices(trx: Trx, calls: readonly Booking[]): Promise<void> {
  const hosts = await listPossibleHosts(trx)
  const notices = calls
    .filter(({ status, startsAt }) => status === 'booked' && startsAt.getTime() > Date.now())
    .flatMap((call) => hosts.filter(({ id }) => id === call.hostId).map((host) => noticeOf('adopted', call, host)))
  if (notices.length > 0) await enqueue(trx, ...notices)
}

function noticeOf(happened: keyof typeof titles, booking: Booking, host: Host, by?: string | null): NewJob {
  const { id, sequence, name, startsAt, reference } = booking
  return notificationJob({
    kind: 'booking',
    title: `${titles[happened]}: ${name}`.slice(0, 200),
    body: `${callTime(startsAt, host.rules.zone)} · ${reference}`,
    link: callLink(id),
    subjectId: id,
    dedupeKey: `booking:${id}:${sequence}:${happened}`,
    to: { userIds: [host.id] },
    ...(by && { by }),
  })
}
