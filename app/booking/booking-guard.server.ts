import { currentAccounts } from '#app/auth/users/account.server.ts'
import { DESCRIPTION } from '#app/leads/lead/consultation.ts'
import { findCallEnquiry } from '#app/leads/lead/call-link.server.ts'
import { db, type Trx } from '#app/platform/database/db.server.ts'
import type { Spent } from '#app/mail/budget.server.ts'
import { rowCount } from '#app/platform/database/sql.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Limit } from '#app/platform/guard/limits.server.ts'
import { challengeFor, spendProof } from '#app/platform/guard/proof-of-work.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { BookingBody } from './rules/booking.ts'
import type { Visitor } from './visitor.server.ts'

/** A booking with what the call is about. */
export type GivenBooking = Omit<BookingBody, 'projectDescription'> & { projectDescription: string; contactId: string | null }

/**
 * Anyone can type any address. These are upcoming calls: of one address, and of one network. People who are signed in and book with their own
 * proven address do not count for the network.
 */
const MOST_OF_ADDRESS = 5
const MOST_OF_NETWORK = 10

/** Bookings of one network in a day. More need a proof of work each. */
const withoutProof: Limit = { name: 'booking-unproven', points: 5, seconds: 24 * 3600 }

/** What was given, and the enquiry that its link names. Beside an enquiry the description is optional: its message is not repeated. */
export async function completeBooking(body: BookingBody): Promise<GivenBooking> {
  const page = body.enquiry ? await findCallEnquiry(body.enquiry) : undefined
  const contact = page && (await db.selectFrom('contacts').select('reference').where('id', '=', page.contactId).executeTakeFirst())
  const about = contact && `See enquiry ${contact.reference}.`
  const projectDescription = body.projectDescription || about || refuseWithoutDescription()
  return { ...body, projectDescription, contactId: page?.contactId ?? null }
}

function refuseWithoutDescription(): never {
  return stop('unprocessable', DESCRIPTION, { code: 'validation_failed', errors: { projectDescription: DESCRIPTION } })
}

/** Stops a network that books often until its machine has worked for this booking. One person never notices. */
export async function demandProof({ email, startsAt, proof }: GivenBooking, { network }: Visitor, spent: Spent): Promise<void> {
  if (await spent.take(withoutProof, network)) return
  const subject = [email.toLowerCase(), new Date(startsAt).toISOString()].join('\n')
  if (await spendProof(proof, subject)) return
  stop('unprocessable', 'Your browser has to finish a short check first.', {
    code: 'proof_required',
    challenge: await challengeFor(subject),
  })
}

/** Whether a visitor is signed in and has proven this address. An account of the address alone is not enough: the response would reveal it. */
export async function isOwnAddress(trx: Trx, email: string, { userId }: Visitor): Promise<boolean> {
  if (!userId) return false
  const own = currentAccounts(trx).select('id').where('id', '=', userId).where('emailProven', '=', true).where('email', '=', email)
  return (await own.executeTakeFirst()) !== undefined
}

/** Stops when there are too many upcoming calls. The caller's transaction is the only one that books. */
export async function refuseMany(trx: Trx, email: string, network: string | null): Promise<void> {
  const ahead = trx.selectFrom('bookings').select(rowCount.as('total')).where('status', '=', 'booked').where('startsAt', '>', new Date())
  const own = await ahead.where('email', '=', email).executeTakeFirstOrThrow()
  if (own.total >= MOST_OF_ADDRESS)
    stop('conflict', `This address already has ${MOST_OF_ADDRESS} upcoming calls. Change or cancel one of them.`, {
      code: 'too_many_bookings',
    })
  if (env.RATE_LIMITS === 'off' || network === null) return
  const near = await ahead.where('holderNetwork', '=', network).executeTakeFirstOrThrow()
  if (near.total >= MOST_OF_NETWORK)
    stop('conflict', `Your network already has ${MOST_OF_NETWORK} upcoming calls. Cancel one of them, or write to us.`, {
      code: 'too_many_bookings',
    })
}
