import { z } from 'zod'
import { findCurrentUser } from '#app/account/session/current-user.server.ts'
import { bookSlot } from '#app/booking/booking.server.ts'
import { type Hold, holdSlot, listHolds, releaseHold } from '#app/booking/hold.server.ts'
import { manageUrl } from '#app/booking/manage-link.server.ts'
import { bookingBody, moment } from '#app/booking/rules/booking.ts'
import { bookPath, type CallType, MOST_QUESTIONS } from '#app/booking/rules/hours.ts'
import { listSlots, nearestSlots, type SlotChoice } from '#app/booking/slots.server.ts'
import { visitorOf } from '#app/booking/visitor.server.ts'
import { bookTexts } from '#app/content/book.ts'
import { DESCRIPTION } from '#app/leads/lead/consultation.ts'
import { findCallEnquiry } from '#app/leads/lead/call-link.server.ts'
import { manyLines } from '#app/platform/text/clean-text.ts'
import { db } from '#app/platform/database/db.server.ts'
import { firstErrors } from '#app/platform/browser/first-errors.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { consume, type Limit, visitorKey } from '#app/platform/guard/limits.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import { shortTime } from './month.ts'
import { refusalText } from './refusal-text.ts'

type Fields = Record<string, string>

/** The fields that a visitor types, and the enquiry that the call is about. */
const TYPED = ['name', 'email', 'company', 'phone', 'projectDescription', 'enquiry'] as const

/** Wide, because a whole office can share an address. */
const bookLimit: Limit = { name: 'book-page', points: 180, seconds: 600 }

/** The state of the page after a form that did not book. */
export type BookRefusal = {
  status: number
  values: Fields
  errors: Record<string, string>
  /** A sentence about no field in particular. */
  trouble?: string | undefined
  /** The nearest free times after a time was taken. */
  alternatives?: { startsAt: string; text: string }[] | undefined
  /** Work for the browser, as JSON, before the form can be sent again. */
  challenge?: string | undefined
}

/** The page that a form is on: its zone, and its call type. */
type Place = { zone: string; callType: CallType }

type Outcome = { to: string; cookie?: string | undefined } | { refused: BookRefusal }

/** A time that staff have proposed by email, while it is free; otherwise the nearest free ones. Opening the link takes nothing. */
export type ProposedTime = { startsAt: string; text: string; host: string; alternatives: { startsAt: string; text: string }[] | undefined }

export async function findProposed(url: URL, zone: string, choice: SlotChoice): Promise<ProposedTime | undefined> {
  const at = moment.safeParse(url.searchParams.get('at')).data
  if (at === undefined) return undefined
  const from = Date.parse(at)
  const isFree = (await listSlots({ from, until: from + 1 }, choice)).length > 0
  const nearest = isFree ? undefined : await nearestSlots(from, choice)
  const alternatives = nearest?.map(({ startsAt }) => ({ startsAt: new Date(startsAt).toISOString(), text: shortTime(startsAt, zone) }))
  return { startsAt: at, text: shortTime(from, zone), host: url.searchParams.get('host') ?? '', alternatives }
}

/** Handles every form of the page: hold a time, give it up, choose another one, and book. */
export async function takeBookForm(fields: Fields, requestContext: RequestContext, at: Place): Promise<Outcome> {
  const values = typedOf(fields)
  const { zone } = at
  try {
    await consume(bookLimit, visitorKey(requestContext.address))
    return await act(fields, requestContext, { values, ...at })
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    const { status, data: trouble, extra } = error
    const alternatives = extra.alternatives?.map(({ startsAt }) => ({ startsAt, text: shortTime(Date.parse(startsAt), zone) }))
    return {
      refused: {
        status,
        values,
        errors: fieldErrors(extra.errors),
        trouble: extra.errors ? undefined : alternatives ? refusalText(trouble, alternatives) : trouble,
        alternatives,
        challenge: extra.challenge === undefined ? undefined : JSON.stringify(extra.challenge),
      },
    }
  }
}

async function act(
  fields: Fields,
  requestContext: RequestContext,
  { values, zone, callType }: Place & { values: Fields },
): Promise<Outcome> {
  const { visitor, cookie } = visitorOf(requestContext, fields)
  const here = `${bookPath(callType.slug)}?${new URLSearchParams({ zone, ...(values['enquiry'] && { enquiry: values['enquiry'] }) })}`
  // The page finds the details of an enquiry again by its address. Only typed text needs the form again, and who typed it has the cookie already.
  const found = await valuesOfEnquiry(values['enquiry'] ?? null)
  const isTyped = TYPED.some((name) => name !== 'enquiry' && values[name] && values[name] !== found[name])
  const again: Outcome = isTyped ? { refused: { status: 200, values, errors: {} } } : { to: here, cookie }
  if (fields['intent'] === 'hold') {
    const read = moment.safeParse(fields['startsAt'])
    if (!read.success) return { refused: { status: 422, values, errors: {}, trouble: read.error.issues[0]?.message } }
    const [own] = await listHolds(visitor)
    await holdSlot(visitor, new Date(read.data), { callTypeId: callType.id, replaces: own?.id, preferred: fields['host'] })
    return 'to' in again ? { ...again, to: `${here}#details` } : again
  }
  if (fields['intent'] === 'release') {
    // Of the page's own time: another tab may have chosen another one since.
    const ended = (await listHolds(visitor)).filter(({ id }) => fields['holdId'] === undefined || id === fields['holdId'])
    for (const { id } of ended) await releaseHold(visitor, id)
    return again
  }
  if (fields['intent'] === 'another') return { refused: { status: 200, values, errors: {} } }
  if (fields['homepage']) return { refused: { status: 422, values, errors: {}, trouble: bookTexts.robot } }
  const hold = (await listHolds(visitor)).find(({ id }) => id === fields['holdId'])
  const userId = (await findCurrentUser(requestContext))?.id
  return book(fields, values, { hold, visitor: { ...visitor, userId }, zone, callType })
}

type Booked = Place & { hold: Hold | undefined; visitor: ReturnType<typeof visitorOf>['visitor'] }

async function book(fields: Fields, values: Fields, { hold, visitor, zone, callType }: Booked): Promise<Outcome> {
  const { questions, slug } = callType
  const answers = questions.map((_question, at) => fields[`answer${at}`] ?? '')
  const startsAt = hold?.startsAt.toISOString() ?? fields['startsAt']
  const { enquiry, ...given } = values
  const read = z.object(bookingBody.shape).safeParse({
    ...given,
    ...(enquiry && { enquiry }),
    startsAt,
    ...(slug && { type: slug }),
    timeZone: zone,
    holdId: hold?.id,
    answers,
    proof: proofIn(fields),
  })
  if (!read.success) {
    const errors = { ...firstErrors(read.error), ...missingIn(values, questions, answers) }
    return { refused: { status: 422, values, errors, trouble: errors['startsAt'] && bookTexts.expired } }
  }
  // A second press, and a repeat after a cut connection, find the first booking of this time.
  const key = fields['holdId'] ? `page-${fields['holdId']}`.slice(0, 100) : undefined
  const booking = await bookSlot(read.data, visitor, key)
  const token = manageUrl(booking).split('/').at(-1) ?? ''
  return { to: `/booking-success?${new URLSearchParams({ booking: token })}` }
}

/** What `bookSlot` would ask for only after the other fields are right. */
function missingIn({ enquiry, projectDescription }: Fields, questions: CallType['questions'], answers: readonly string[]): Fields {
  const unanswered = questions.flatMap(({ isRequired }, at) => (isRequired && !answers[at] ? [[`answer${at}`, bookTexts.required]] : []))
  return { ...(!enquiry && !projectDescription && { projectDescription: DESCRIPTION }), ...Object.fromEntries(unanswered) }
}

/** The solution that the browser has put into the form. */
function proofIn({ proof = '' }: Fields): unknown {
  try {
    return proof === '' ? undefined : JSON.parse(proof)
  } catch {
    return undefined
  }
}

/** The typed text of a form, for its next showing. */
function typedOf(fields: Fields): Fields {
  const answers = Array.from({ length: MOST_QUESTIONS }, (_, at) => `answer${at}`)
  const named = [...TYPED, ...answers].map((name) => [name, manyLines(fields[name] ?? '').slice(0, 6000)] as const)
  return Object.fromEntries(named.filter(([, text]) => text !== ''))
}

/** Errors of answers under the names of their fields. */
function fieldErrors(errors: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).map(([name, sentence]) => [name.replace(/^answers\./, 'answer'), sentence]))
}

/** The details of the enquiry that a link in our emails names, so that its sender types nothing twice. Its message is shown to nobody. */
export async function valuesOfEnquiry(token: string | null): Promise<Fields> {
  const page = token ? await findCallEnquiry(token) : undefined
  if (!token || !page) return {}
  const contact = await db.selectFrom('contacts').select(['name', 'email']).where('id', '=', page.contactId).executeTakeFirst()
  return contact ? { ...contact, enquiry: token } : {}
}
