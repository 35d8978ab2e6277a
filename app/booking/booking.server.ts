import { sql } from 'kysely'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { noteLeadEvent } from '#app/leads/lead/lead-event.server.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { advanceLead } from '#app/leads/lead/stage.server.ts'
import { attachPerson } from '#app/leads/lead/person.server.ts'
import { newReference } from '#app/platform/database/reference.server.ts'
import { countingSuccess, mayEmailGuest, type Spent } from '#app/mail/budget.server.ts'
import { breaks } from '#app/platform/database/database-error.ts'
import { db, insert, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import { enqueueBookingEmails, enqueueFollowUp, enqueueNewLink, enqueueProposal } from './booking-emails.server.ts'
import { completeBooking, demandProof, type GivenBooking, isOwnAddress, refuseMany } from './booking-guard.server.ts'
import { announceBookings } from './booking-signal.server.ts'
import { findCallType, needOffered, refuseEnded } from './call-type.server.ts'
import { formerHost, type Host, listPossibleHosts } from './host.server.ts'
import { hashOfToken, MANAGE_TOKEN, manageToken, proposalProof } from './manage-link.server.ts'
import { inPlace, type Place, placeAt } from './place.server.ts'
import type { BookingBody } from './rules/booking.ts'
import { callTime } from './rules/call-time.ts'
import { placeKind } from './rules/place.ts'
import type { CallType } from './rules/hours.ts'
import type { Visitor } from './visitor.server.ts'

export type Booking = Row<'bookings'>

const REFERENCE_TRIES = 5

/**
 * Books a call for a guest: at the time that this visitor holds, or at a free one. Stops with `slot_taken` and the nearest free times when it
 * went to another. A repeated attempt with the same key returns the first booking.
 */
export async function bookSlot(body: BookingBody, visitor: Visitor, idempotencyKey?: string): Promise<Booking> {
  const given = await completeBooking(body)
  const known = idempotencyKey && (await findByKey(given, idempotencyKey))
  if (known) return known
  const callType = await needOffered(given.type)
  const answers = answersTo(callType, given.answers)
  return countingSuccess(async (spent) => {
    await demandProof(given, visitor, spent)
    const guestEmailed = await mayEmailGuest(given.email, visitor.address, spent)
    return keepOnce(given, { by: { visitor }, callTypeId: callType.id, answers, guestEmailed, idempotencyKey: idempotencyKey ?? null })
  })
}

/** Stores a booking. A number that another one got at the same moment is drawn again. */
export async function keepOnce(given: GivenBooking, how: Kept): Promise<Booking> {
  const { idempotencyKey } = how
  for (let tries = 1; ; tries += 1) {
    try {
      const booking = await keep(given, how)
      announceBookings()
      announceLeads()
      return booking
    } catch (error) {
      const first = idempotencyKey && breaks(error, 'bookings_idempotency_key') && (await findByKey(given, idempotencyKey))
      if (first) return first
      if (!breaks(error, 'bookings_reference_key') || tries === REFERENCE_TRIES) throw error
    }
  }
}

/** `by`: who books, a visitor for themselves or staff for someone, with `hostId` where they chose the host. */
type Kept = { callTypeId: string; answers: Booking['answers']; guestEmailed: boolean; idempotencyKey: string | null; by: Booker }
type Booker = { visitor: Visitor; staff?: never; hostId?: never } | { staff: Actor; hostId: string | undefined; visitor?: never }

async function keep(given: GivenBooking, { by: booker, callTypeId, answers, guestEmailed, idempotencyKey }: Kept): Promise<Booking> {
  const startsAt = new Date(given.startsAt)
  const { visitor, staff, hostId } = booker
  return inPlace(startsAt, { hostId, callTypeId }, async ({ trx, callType, hosts, take }) => {
    // Only now nobody else books: a repeat that waited for its first attempt finds it.
    const first = idempotencyKey === null ? undefined : await findByKey(given, idempotencyKey, trx)
    if (first) return first
    refuseEnded(callType)
    const holderNetwork = !visitor || (await isOwnAddress(trx, given.email, visitor)) ? null : visitor.network
    await refuseMany(trx, given.email, holderNetwork)
    const hold = visitor && (await endHolds(trx, visitor, startsAt, given.holdId))
    const heldBy = hosts.find(({ id }) => id === hold?.hostId)
    // A time that is held for another call type is long enough for that one.
    const isHeld = hold && heldBy && hold.callTypeId === callTypeId
    const place = isHeld ? { ...placeAt(startsAt, callType, heldBy), ...timesOf(hold) } : await take(startsAt, { hostId })
    refuseWithoutPhone(place, given)
    const writer = await attachPerson(trx, given)
    const lead = await findLead(trx, writer.id, given.contactId)
    const contactId = lead?.id ?? null
    // Staff may have moved the enquiry to another person, and its calls with it.
    const personId = lead && lead.email.toLowerCase() === given.email.toLowerCase() ? lead.personId : writer.id
    const consultationId = await noteConsultation(trx, given, { personId, contactId })
    const id = hold?.id ?? newId()
    const row = {
      ...timesOf(place),
      reference: newReference('C'),
      hostId: place.host.id,
      callTypeId,
      status: 'booked' as const,
      place: place.host.place,
      guestZone: given.timeZone,
      ...guestOf(given),
      answers: JSON.stringify(answers),
      personId,
      contactId,
      consultationId,
      idempotencyKey,
      // The time was chosen where the visitor arrived; the details are a page later.
      cameFrom: visitor ? JSON.stringify(hold?.cameFrom?.path ? hold.cameFrom : visitor.cameFrom) : null,
      ...(staff && { changedBy: 'staff' as const, changedById: staff.id ?? null }),
      guestEmailed,
      holderNetwork,
      manageHash: hashOfToken(manageToken({ id, manageVersion: 1 })),
      bookedAt: new Date(),
    }
    const booking = await insert(trx, 'bookings', { id, ...row })
    await audit(trx, 'call_booked', { ...(staff && by(staff)), ...eventOf(booking) })
    await noteOnLead(trx, booking, 'call_booked', { ...(staff && { changer: { by: 'staff', ...staff } }), callType })
    await enqueueBookingEmails(trx, 'booked', { booking, host: place.host, callType, by: staff?.id })
    return booking
  })
}

/** Only a host who calls the guest needs the number. */
function refuseWithoutPhone({ host }: Place, { phone }: GivenBooking): void {
  if (phone || placeKind(host.place) !== 'phone') return
  const sentence = 'We call you, so we need your telephone number'
  stop('unprocessable', sentence, { code: 'validation_failed', errors: { phone: sentence } })
}

function timesOf({ startsAt, endsAt, blockedFrom, blockedUntil }: Pick<Place, 'startsAt' | 'endsAt' | 'blockedFrom' | 'blockedUntil'>) {
  return { startsAt, endsAt, blockedFrom, blockedUntil }
}

function guestOf({ name, email, company, phone, projectDescription }: GivenBooking) {
  return { name, email, company: company || null, phone: phone || null, projectDescription }
}

/** The answers with their questions, which can change later. */
function answersTo({ questions }: CallType, given: readonly string[] = []): Booking['answers'] {
  const missing = questions.findIndex(({ isRequired }, at) => isRequired && !given[at])
  if (missing >= 0) {
    const sentence = 'Please answer this question'
    stop('unprocessable', sentence, { code: 'validation_failed', errors: { [`answers.${missing}`]: sentence } })
  }
  return questions.flatMap(({ label }, at) => (given[at] ? [{ question: label, answer: given[at] }] : []))
}

async function findByKey(given: GivenBooking, idempotencyKey: string, connection: typeof db | Trx = db): Promise<Booking | undefined> {
  const first = await connection.selectFrom('bookings').selectAll().where('idempotencyKey', '=', idempotencyKey).executeTakeFirst()
  if (!first) return undefined
  const isSame =
    first.email?.toLowerCase() === given.email.toLowerCase() &&
    first.name === given.name &&
    first.projectDescription === given.projectDescription &&
    (first.sequence > 0 || first.startsAt.getTime() === Date.parse(given.startsAt))
  if (!isSame) stop('unprocessable', 'This idempotency key was used for another booking.', { code: 'idempotency_key_reused' })
  return first
}

/** Ends the holds that the booking is for. Returns the one of its time, whose place the booking takes. */
async function endHolds(trx: Trx, visitor: Visitor, startsAt: Date, holdId: string | undefined): Promise<Booking | undefined> {
  const ended = await trx
    .deleteFrom('bookings')
    .where('status', '=', 'held')
    .where('holder', '=', visitor.id)
    .where((row) => row.or([row('startsAt', '=', startsAt), row(sql`id::text`, '=', holdId ?? '')]))
    .returningAll()
    .execute()
  return ended.find((hold) => hold.startsAt.getTime() === startsAt.getTime())
}

/** The enquiry that the link names, or the latest of this person. */
async function findLead(trx: Trx, personId: string, named: string | null) {
  const contacts = trx
    .selectFrom('contacts')
    .select(['id', 'personId', 'email'])
    .where('quarantinedAt', 'is', null)
    .where('deletedAt', 'is', null)
  const found = named ? await contacts.where('id', '=', named).executeTakeFirst() : undefined
  return found ?? (await contacts.where('personId', '=', personId).orderBy('createdAt', 'desc').orderBy('id', 'desc').executeTakeFirst())
}

/** An enquiry has one consultation; one that staff have noted stays. */
async function noteConsultation(
  trx: Trx,
  given: GivenBooking,
  { personId, contactId }: { personId: string; contactId: string | null },
): Promise<string> {
  const noted = contactId && (await trx.selectFrom('consultations').select('id').where('contactId', '=', contactId).executeTakeFirst())
  const consultation = await insert(trx, 'consultations', {
    ...guestOf(given),
    source: 'booking',
    personId,
    contactId: noted ? null : contactId,
  })
  return consultation.id
}

/** The timeline of the enquiry. A booked call moves it forward in the pipeline. */
async function noteOnLead(
  trx: Trx,
  { contactId, reference, startsAt, guestZone, answers }: Booking,
  kind: 'call_booked' | 'call_moved' | 'call_cancelled',
  { changer, callType }: { changer?: Changer; callType: CallType },
): Promise<void> {
  if (!contactId) return
  const actorId = changer?.by === 'staff' ? changer.id : undefined
  const title = `${callType.title}, ${callTime(startsAt, guestZone ?? 'UTC')}`
  const text = kind === 'call_booked' ? answers.map(({ question, answer }) => `${question}\n${answer}`).join('\n\n') : ''
  const detail = { reference, startsAt: startsAt.toISOString(), title, ...(text && { text }) }
  await noteLeadEvent(trx, { contactId, kind, actorId, detail })
  if (kind === 'call_booked') await advanceLead(trx, contactId, 'call')
}

function eventOf({ id, reference, startsAt }: Booking) {
  return { subjectId: id, detail: { reference, startsAt: startsAt.toISOString() } }
}

/** Reads the booking that a guest's link names. */
export async function findBookingByToken(token: string): Promise<Booking | undefined> {
  if (!MANAGE_TOKEN.test(token)) return undefined
  return db.selectFrom('bookings').selectAll().where('manageHash', '=', hashOfToken(token)).executeTakeFirst()
}

/** The one that changes a booking. A guest is bound to the change window, and to times that are free or that staff have proposed; staff are not. */
export type Changer = { by: 'guest'; /** Of the network. */ address: string } | ({ by: 'staff' } & Actor)

/** Until when a guest may change a booking. */
export function changeableUntil({ startsAt }: Pick<Booking, 'startsAt'>, { changeWindowMinutes }: CallType): Date {
  return new Date(startsAt.getTime() - changeWindowMinutes * 60_000)
}

export type Change = {
  startsAt: Date
  timeZone?: string | undefined
  reason?: string | undefined
  /** From the email in which staff have proposed this time. */
  proposal?: string | undefined
}

/** Moves a booking to another time. The old one is free at the same moment. */
export async function changeBooking(id: string, change: Change, changer: Changer): Promise<Booking> {
  const before = await find(id)
  const changed = await countingSuccess(async (spent) => {
    const guestEmailed = await mayTellGuest(before, changer, spent)
    return move(before, change, { changer, guestEmailed })
  })
  announceBookings()
  announceLeads()
  return changed
}

type Move = { changer: Changer; guestEmailed: boolean }

async function move(before: Booking, { startsAt, timeZone, reason, proposal }: Change, { changer, guestEmailed }: Move): Promise<Booking> {
  const { id, callTypeId } = before
  const lengthMinutes = (before.endsAt.getTime() - before.startsAt.getTime()) / 60_000
  return inPlace(startsAt, { except: [id], callTypeId }, async ({ trx, callType, take }) => {
    const booking = await lock(trx, id)
    refuseUnchangeable(booking, callType, changer)
    if (booking.startsAt.getTime() === startsAt.getTime()) return booking
    refusePassed(startsAt)
    const host = await hostOf(trx, booking)
    const isProposed = proposal !== undefined && hashOfToken(proposal).equals(hashOfToken(proposalProof(booking, startsAt)))
    const place =
      changer.by === 'staff' || isProposed
        ? placeAt(startsAt, { ...callType, lengthMinutes }, host)
        : await take(startsAt, { except: [id], preferred: booking.hostId, lengthMinutes })
    const moved = await update(trx, booking, changer, {
      ...timesOf(place),
      hostId: place.host.id,
      place: place.host.place,
      ...(timeZone && { guestZone: timeZone }),
      changeReason: reason || null,
      guestEmailed,
    })
    await audit(trx, 'call_moved', { ...whose(changer), ...eventOf(moved) })
    await noteOnLead(trx, moved, 'call_moved', { changer, callType })
    await enqueueBookingEmails(trx, 'changed', {
      booking: moved,
      before: booking,
      host: place.host,
      formerHost: host,
      callType,
      by: idOf(changer),
    })
    return moved
  })
}

/** Cancels a booking and frees its time. Cancelling again changes nothing. */
export async function cancelBooking(id: string, { reason }: { reason?: string | undefined }, changer: Changer): Promise<Booking> {
  const guestEmailed = await mayTellGuest(await find(id), changer)
  const cancelled = await transaction(async (trx) => {
    const { booking, host, callType } = await endBooking(trx, id, { reason, guestEmailed }, changer)
    if (host) await enqueueBookingEmails(trx, 'cancelled', { booking, host, callType, by: idOf(changer) })
    return booking
  })
  announceBookings()
  announceLeads()
  return cancelled
}

type Ending = { reason?: string | undefined; guestEmailed: boolean }

/** The part of cancelling that tells nobody. Without a host, the booking had been cancelled before. */
export async function endBooking(
  trx: Trx,
  id: string,
  { reason, guestEmailed }: Ending,
  changer: Changer,
): Promise<{ booking: Booking; callType: CallType; host?: Host }> {
  const booking = await lock(trx, id)
  const callType = await findCallType(booking.callTypeId, trx)
  if (booking.status === 'cancelled') return { booking, callType }
  refuseUnchangeable(booking, callType, changer)
  const host = await hostOf(trx, booking)
  const ended = await update(trx, booking, changer, { status: 'cancelled', changeReason: reason || null, guestEmailed })
  // The enquiry is free for another call.
  if (booking.consultationId)
    await trx
      .updateTable('consultations')
      .set({ contactId: null })
      .where('id', '=', booking.consultationId)
      .where('source', '=', 'booking')
      .execute()
  await audit(trx, 'call_cancelled', { ...whose(changer), ...eventOf(ended) })
  await noteOnLead(trx, ended, 'call_cancelled', { changer, callType })
  return { booking: ended, callType, host }
}

/** Gives a call to another host, at the same time. */
export async function handOver(
  id: string,
  { hostId, reason }: { hostId: string; reason?: string | undefined },
  actor: Actor,
): Promise<Booking> {
  const before = await find(id)
  const changer = { by: 'staff' as const, ...actor }
  const lengthMinutes = (before.endsAt.getTime() - before.startsAt.getTime()) / 60_000
  const handed = await inPlace(before.startsAt, { hostId, except: [id], callTypeId: before.callTypeId }, async ({ trx, callType }) => {
    const booking = await lock(trx, id)
    refuseUnchangeable(booking, callType, changer)
    if (booking.hostId === hostId) return booking
    const host = (await listPossibleHosts(trx)).find((each) => each.id === hostId) ?? stop('unprocessable', 'Choose someone of your staff.')
    const handedBy = await hostOf(trx, booking)
    const place = placeAt(booking.startsAt, { ...callType, lengthMinutes }, host)
    const moved = await update(trx, booking, changer, {
      ...timesOf(place),
      hostId,
      place: place.host.place,
      changeReason: reason || null,
      guestEmailed: true,
    })
    await audit(trx, 'call_handed_over', { ...whose(changer), ...eventOf(moved) })
    await enqueueBookingEmails(trx, 'changed', { booking: moved, before: booking, host, formerHost: handedBy, callType, by: actor.id })
    return moved
  })
  announceBookings()
  return handed
}

/** Notes after a call that it took place, or that the guest did not come. `followUp` asks the guest by email for another time, once. */
export async function settleBooking(
  id: string,
  status: 'completed' | 'no_show',
  actor: Actor,
  { followUp = false } = {},
): Promise<Booking> {
  const settled = await transaction(async (trx) => {
    const booking = await lock(trx, id)
    if (!['booked', 'completed', 'no_show'].includes(booking.status)) refuseNotBooked(booking)
    if (booking.startsAt.getTime() > Date.now()) stop('conflict', 'This call has not begun yet.', { code: 'not_begun' })
    const changer = { by: 'staff' as const, ...actor }
    const isNew = booking.status !== status
    const noted = isNew ? await update(trx, booking, changer, { status, sequence: booking.sequence }) : booking
    if (isNew) await audit(trx, status === 'completed' ? 'call_completed' : 'call_missed', { ...whose(changer), ...eventOf(noted) })
    if (followUp && status === 'no_show') await enqueueFollowUp(trx, noted)
    return noted
  })
  announceBookings()
  announceLeads()
  return settled
}

/** Asks the guest by email whether another time suits. Nothing moves until they agree. */
export async function askToMove(id: string, { startsAt, reason }: Change): Promise<Booking> {
  return transaction(async (trx) => {
    const booking = await lock(trx, id)
    if (booking.status !== 'booked') refuseNotBooked(booking)
    refusePassed(startsAt)
    if (booking.startsAt.getTime() === startsAt.getTime()) stop('unprocessable', 'The call is at this time already. Choose another one.')
    await enqueueProposal(trx, { booking, host: await hostOf(trx, booking), startsAt, reason })
    return booking
  })
}

/** Emails that staff cause count in no budget. */
async function mayTellGuest({ email }: Booking, changer: Changer, spent?: Spent): Promise<boolean> {
  return changer.by === 'staff' || mayEmailGuest(email ?? '', changer.address, spent)
}

/** Replaces the link of a booking, which may have been forwarded, and emails the new one to the guest. The old one ends. */
export async function replaceManageLink(id: string, address: string): Promise<void> {
  if (!(await mayTellGuest(await find(id), { by: 'guest', address })))
    stop('tooMany', 'Too many emails were sent to this address. Please try again in an hour.', { retryAfter: 3600 })
  await transaction(async (trx) => {
    const booking = await lock(trx, id)
    const manageVersion = booking.manageVersion + 1
    const manageHash = hashOfToken(manageToken({ id, manageVersion }))
    const replaced = await trx
      .updateTable('bookings')
      .set({ manageVersion, manageHash })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await enqueueNewLink(trx, replaced)
  })
}

async function find(id: string): Promise<Booking> {
  const booking = await db.selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirst()
  return booking ?? stop('notFound', 'This booking doesn’t exist.')
}

async function lock(trx: Trx, id: string): Promise<Booking> {
  const booking = await trx.selectFrom('bookings').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!booking || booking.status === 'held') return stop('notFound', 'This booking doesn’t exist.')
  return booking
}

/** The host of a booking, also when they take no calls any more, or have no account. */
async function hostOf(trx: Trx, { hostId }: Booking): Promise<Host> {
  if (hostId === null) return stop('conflict', 'This call is in another calendar. Change it there.', { code: 'elsewhere' })
  return (await listPossibleHosts(trx)).find(({ id }) => id === hostId) ?? formerHost(hostId)
}

type Changed = Partial<
  Pick<
    Booking,
    | 'startsAt'
    | 'endsAt'
    | 'blockedFrom'
    | 'blockedUntil'
    | 'hostId'
    | 'place'
    | 'guestZone'
    | 'changeReason'
    | 'guestEmailed'
    | 'status'
    | 'sequence'
  >
>

async function update(trx: Trx, booking: Booking, changer: Changer, changed: Changed): Promise<Booking> {
  return trx
    .updateTable('bookings')
    .set({
      sequence: booking.sequence + 1,
      ...changed,
      changedBy: changer.by,
      changedById: changer.by === 'staff' ? (changer.id ?? null) : null,
      updatedAt: new Date(),
    })
    .where('id', '=', booking.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

function idOf(changer: Changer) {
  return changer.by === 'staff' ? changer.id : undefined
}

function whose(changer: Changer) {
  return changer.by === 'staff' ? by(changer) : {}
}

function refuseUnchangeable(booking: Booking, callType: CallType, { by: kind }: Changer): void {
  if (booking.status !== 'booked') refuseNotBooked(booking)
  if (kind === 'staff' || Date.now() <= changeableUntil(booking, callType).getTime()) return
  stop('conflict', 'It is too close to the call to change it here. Reply to the invitation or call us.', { code: 'change_window_closed' })
}

function refusePassed(startsAt: Date): void {
  if (startsAt.getTime() <= Date.now()) stop('unprocessable', 'This time has passed. Choose a later one.')
}

function refuseNotBooked({ status }: Booking): never {
  const sentence = status === 'cancelled' ? 'This call was cancelled.' : 'This call is over.'
  return stop('conflict', sentence, { code: 'not_booked' })
}
