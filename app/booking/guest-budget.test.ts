import { beforeEach, expect, test, vi } from 'vitest'
import { solveProof } from '#app/platform/browser/solve-proof.ts'
import { db } from '#app/platform/database/db.server.ts'
import { startApp } from '#test/app.ts'
import { forgetLimits, PASSWORD, VERSION } from '#test/auth.ts'
import { apiOf, book, type BookingClient, bookingClient, MONDAY, on } from '#test/bookings.ts'
import { emailsTo } from '#test/emails.ts'
import { ada, sendEnquiry } from '#test/enquiries.ts'
import { makeHost, makeUser, signIn } from '#test/factories.ts'

const app = await startApp()
const VICTIM = 'victim@example.com'
const GRACE = 'grace@winnow.example'
vi.useFakeTimers({ toFake: ['Date'], now: MONDAY })

beforeEach(async () => {
  await forgetLimits()
  for (const table of ['bookings', 'bookingHosts', 'consultations', 'jobs', 'contacts'] as const) await db.deleteFrom(table).execute()
  await db.deleteFrom('users').where('email', '=', GRACE).execute()
  const { id: userId } = await makeUser({ role: 'staff', email: GRACE })
  await makeHost({ userId, place: 'https://meet.example/grace' })
})

/** A visitor of this network, with a cookie jar of their own. */
function visitorAt(remoteAddress: string) {
  const through: typeof app = Object.create(app, {
    inject: { value: (given: object) => app.inject({ ...given, remoteAddress }) },
  })
  return { call: bookingClient(through), app: through }
}

/** Books a call for the victim, with the proof of work that a network owes after a few bookings. */
async function bookForVictim(call: BookingClient) {
  const asked = await book(call, on(1, '09:00'), { email: VICTIM })
  if (asked.json().code !== 'proof_required') return asked
  return book(call, on(1, '09:00'), { email: VICTIM, proof: await solveProof(asked.json().challenge) })
}

/** Books a call for the victim and cancels it. Returns whether the page of the call promises an email. */
async function bookAndCancel(remoteAddress: string) {
  const { call } = visitorAt(remoteAddress)
  const booked = await bookForVictim(call)
  const { isEmailed } = (await call('GET', apiOf(booked.json()))).json()
  const cancelled = await call('DELETE', apiOf(booked.json()))
  expect([booked.statusCode, cancelled.statusCode]).toEqual([201, 200])
  return isEmailed
}

test('booking and cancelling in a loop sends ten emails to a stranger in an hour, the calls work all the same, and the page says that no email follows', async () => {
  const rounds = []
  for (let round = 0; round < 7; round += 1) rounds.push(await bookAndCancel('203.0.113.7'))
  expect(await emailsTo(VICTIM)).toHaveLength(10)
  expect((await emailsTo(GRACE)).length).toBe(14)
  expect(rounds).toEqual(Array.from({ length: 7 }, (_, round) => round < 5))

  const { call } = visitorAt('203.0.113.7')
  const last = (await bookForVictim(call)).json()
  const page = await app.inject({ url: `/booking-success?booking=${last.manageUrl.split('/').at(-1)}` })
  expect(page.body).toContain('We sent no email about this')
  // No reminder goes to someone who may not know of the call.
  const { guestEmailed } = await db.selectFrom('bookings').select('guestEmailed').where('id', '=', last.id).executeTakeFirstOrThrow()
  expect(guestEmailed).toBe(false)
  expect((await call('POST', `${apiOf(last)}/link`)).statusCode).toBe(429)

  // Another visitor’s guest still gets theirs.
  const other = await book(visitorAt('198.51.100.9').call, on(1, '10:00'), { email: 'other@example.com' })
  expect(other.statusCode).toBe(201)
  expect(await emailsTo('other@example.com')).toHaveLength(1)
})

test('attempts at a time that is taken, and moves to it, count for nothing: the next call is emailed, without a proof of work', async () => {
  const { call } = visitorAt('203.0.113.7')
  expect((await book(visitorAt('198.51.100.9').call, on(1, '10:00'), { email: 'other@example.com' })).statusCode).toBe(201)
  const mine = (await book(call, on(1, '09:00'), { email: VICTIM })).json()
  for (let time = 0; time < 12; time += 1) {
    expect((await book(call, on(1, '10:00'), { email: VICTIM })).json().code).toBe('slot_taken')
    expect((await call('PATCH', apiOf(mine), { startsAt: on(1, '10:00') })).json().code).toBe('slot_taken')
  }
  const next = await book(call, on(1, '11:00'), { email: VICTIM })
  expect(next.statusCode).toBe(201)
  expect((await call('GET', apiOf(next.json()))).json().isEmailed).toBe(true)
  expect(await emailsTo(VICTIM)).toHaveLength(2)
})

test('sixty enquiries, calls and sign-ups in a burst, from as many networks, send twenty emails to one address, and the timeline says which were not sent', async () => {
  let last = ''
  for (let time = 0; time < 30; time += 1) {
    const enquiry = await sendEnquiry(visitorAt(`203.0.113.${time}`).app, { ...ada, email: VICTIM })
    expect(enquiry.statusCode).toBe(201)
    last = enquiry.json().reference
  }
  const staff = await signIn('staff')
  const { entries } = (await app.inject({ url: `/api/leads/${last}/timeline`, headers: staff.headers })).json()
  expect(entries).toContainEqual(
    expect.objectContaining({ kind: 'email_withheld', detail: { text: expect.stringContaining('The acknowledgement was not sent') } }),
  )
  for (let time = 30; time < 45; time += 1) await bookAndCancel(`203.0.113.${time}`)
  for (let time = 45; time < 60; time += 1)
    await app.inject({
      method: 'POST',
      url: '/auth/v1/signup',
      headers: VERSION,
      payload: { email: VICTIM, password: PASSWORD },
      remoteAddress: `203.0.113.${time}`,
    })
  expect(await emailsTo(VICTIM)).toHaveLength(20)
  // Every enquiry is told to us.
  expect((await emailsTo('hello@localhost')).filter(({ kind }) => kind === 'new-lead')).toHaveLength(30)
})

test('one network that writes to many addresses cannot use up the emails of other visitors', async () => {
  const from = visitorAt('203.0.113.7').app
  for (let time = 0; time < 50; time += 1) await sendEnquiry(from, { ...ada, email: `somebody-${time}@example.com` })
  const enquiry = await sendEnquiry(visitorAt('198.51.100.9').app, ada)
  expect(enquiry.statusCode).toBe(201)
  expect((await emailsTo(ada.email)).map(({ kind }) => kind)).toEqual(['acknowledgement'])
})
