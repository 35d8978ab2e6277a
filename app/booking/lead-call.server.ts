import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { findCallUrl } from '#app/leads/lead/call-link.server.ts'
import { NO_ADDRESS } from '#app/leads/lead/lead-format.ts'
import { noteLeadEvent } from '#app/leads/lead/lead-event.server.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { aboutLead } from '#app/leads/lead/reply-address.server.ts'
import { emailJob } from '#app/mail/outbox.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { type Booking, keepOnce } from './booking.server.ts'
import { guestTimesEmail } from './guest-call.email.tsx'
import { needOfferedById } from './call-type.server.ts'
import { type Host, listHosts } from './host.server.ts'
import type { LeadBooking, LeadProposal } from './rules/booking.ts'
import { callTime } from './rules/call-time.ts'
import { bookPath } from './rules/hours.ts'
import { listSlots, type SlotChoice } from './slots.server.ts'

/** Books a free time for the person of a lead, as if they had booked it. Staff ask the business's own questions in the call. */
export async function bookForLead(
  { contactId, callTypeId, hostId, startsAt, timeZone, phone }: LeadBooking,
  staff: Actor,
): Promise<Booking> {
  const { reference, phone: known, ...person } = await findCaller(contactId)
  const { id } = await needOfferedById(callTypeId)
  await findHost(hostId)
  const given = { ...person, phone: phone || known, startsAt, timeZone, contactId, projectDescription: `See enquiry ${reference}.` }
  return keepOnce(given, { by: { staff, hostId }, callTypeId: id, answers: [], guestEmailed: true, idempotencyKey: null })
}

/** Emails free times to the person of a lead, each with a link. Nothing is held: the first to book gets the time. */
export async function proposeToLead(proposal: LeadProposal, staff: Actor): Promise<void> {
  const { contactId, hostId, times, timeZone, note } = proposal
  if (env.BOOKING_URL) stop('conflict', 'Calls are booked in another calendar. Propose times there.', { code: 'elsewhere' })
  const { email } = await findCaller(contactId)
  const [host, { id, slug, title, lengthMinutes }] = await Promise.all([findHost(hostId), needOfferedById(proposal.callTypeId)])
  const chosen = [...new Set(times.map((time) => new Date(time).toISOString()))].toSorted()
  await refuseTaken(chosen, { hostId, callTypeId: id })
  const bookUrl = new URL(await findCallUrl(contactId), env.SITE_URL)
  bookUrl.pathname = bookPath(slug)
  const urlOf = (startsAt: string) => urlWith(bookUrl, { zone: timeZone, at: startsAt, ...(hostId && { host: hostId }) })
  const data = {
    email,
    title,
    minutes: lengthMinutes,
    host: host?.name ?? null,
    zone: timeZone,
    times: chosen.map((startsAt) => ({ startsAt, url: urlOf(startsAt) })),
    note: note || null,
    bookUrl: urlWith(bookUrl, { zone: timeZone }),
  }
  await transaction(async (trx) => {
    await enqueue(trx, emailJob(aboutLead(guestTimesEmail(email, data), contactId)))
    const text = [...chosen.map((startsAt) => callTime(startsAt, timeZone)), ...(note ? ['', note] : [])].join('\n')
    await noteLeadEvent(trx, { contactId, kind: 'call_proposed', actorId: staff.id ?? undefined, detail: { text } })
    await audit(trx, 'call_proposed', { ...by(staff), subjectId: contactId, detail: { times: chosen } })
  })
  announceLeads()
}

function urlWith(url: URL, params: Record<string, string>): string {
  const made = new URL(url)
  for (const [name, value] of Object.entries(params)) made.searchParams.set(name, value)
  return made.href
}

/** All or nothing: the email says that each of them is free. */
async function refuseTaken(times: readonly string[], choice: SlotChoice): Promise<void> {
  const range = { from: Date.parse(times[0] ?? ''), until: Date.parse(times.at(-1) ?? '') + 1 }
  const free = new Set((await listSlots(range, choice)).map(({ written }) => written.startsAt))
  const taken = times.filter((startsAt) => !free.has(startsAt))
  if (taken.length === 0) return
  const sentence = taken.length === 1 ? 'One of these times is no longer free.' : 'Some of these times are no longer free.'
  stop('conflict', `${sentence} Choose others.`, { code: 'slot_taken', alternatives: [] })
}

async function findCaller(contactId: string) {
  const found = await db
    .selectFrom('contacts')
    .innerJoin('leads', 'leads.contactId', 'contacts.id')
    .select(['contacts.reference', 'contacts.name', 'contacts.email', 'contacts.company', 'leads.phone', 'contacts.quarantinedAt'])
    .where('contacts.id', '=', contactId)
    .where('contacts.deletedAt', 'is', null)
    .executeTakeFirst()
  if (!found) return stop('notFound', 'Lead not found.')
  const { quarantinedAt, ...caller } = found
  if (quarantinedAt) stop('conflict', 'This enquiry is in quarantine. Release it before you schedule a call.', { code: 'in_quarantine' })
  if (!caller.email) stop('conflict', NO_ADDRESS, { code: 'no_address' })
  return caller
}

async function findHost(hostId: string | undefined): Promise<Host | undefined> {
  if (hostId === undefined) return undefined
  return (await listHosts()).find(({ id }) => id === hostId) ?? stop('unprocessable', 'Choose someone who takes calls.')
}
