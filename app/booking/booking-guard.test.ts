import { beforeEach, afterAll, expect, test, vi } from 'vitest'
import { solveProof } from '#app/platform/browser/solve-proof.ts'
import { db } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { book, bookingClient, guest, MONDAY, on } from '#test/bookings.ts'
import { emailsTo } from '#test/emails.ts'
import { forgetLimits } from '#test/enquiries.ts'
import { makeBooking, makeHost, signIn } from '#test/factories.ts'

const app = await startEndpoints()
vi.useFakeTimers({ toFake: ['Date'], now: MONDAY })
afterAll(() => void vi.useRealTimers())
beforeEach(async () => {
  await forgetLimits()
  for (const table of ['bookings', 'bookingHosts', 'consultations', 'jobs'] as const) await db.deleteFrom(table).execute()
  await makeHost({ noticeMinutes: 0, bufferAfterMinutes: 0 })
})

/** So many times after each other, from Tuesday at 9 in Lagos. */
const timesFrom = (day: number, count: number) =>
  Array.from({ length: count }, (_, at) =>
    on(day + Math.floor(at / 16), `${String(8 + Math.floor((at % 16) / 2)).padStart(2, '0')}:${at % 2 ? '30' : '00'}`),
  )
const stranger = (number: number) => ({ email: `stranger-${number}@example.com` })

test('after five bookings of a network in a day, each further one costs its machine some work; other networks notice nothing', async () => {
  const client = bookingClient(app)
  const times = timesFrom(1, 8)
  for (const [at, startsAt] of times.slice(0, 5).entries()) expect((await book(client, startsAt, stranger(at))).statusCode).toBe(201)
  const asked = await book(client, times[5] ?? '', stranger(5))
  expect([asked.statusCode, asked.json().code]).toEqual([422, 'proof_required'])
  const proof = await solveProof(asked.json().challenge)
  expect((await book(client, times[6] ?? '', { ...stranger(5), proof })).json().code).toBe('proof_required')
  const again = await solveProof((await book(client, times[5] ?? '', stranger(5))).json().challenge)
  expect((await book(client, times[5] ?? '', { ...stranger(5), proof: again })).statusCode).toBe(201)
  expect((await book(client, times[6] ?? '', { ...stranger(6), proof: again })).json().code).toBe('proof_required')
  const elsewhere = await app.inject({
    method: 'POST',
    url: '/api/bookings',
    remoteAddress: '198.51.100.7',
    headers: { 'sec-fetch-site': 'same-origin' },
    payload: { ...guest, startsAt: times[7] },
  })
  expect(elsewhere.statusCode).toBe(201)
})

test('one network has at most ten calls ahead, and people who are signed in can still book; no answer shows which addresses have an account', async () => {
  const client = bookingClient(app)
  for (const [at, startsAt] of timesFrom(1, 10).entries()) {
    await forgetLimits()
    expect((await book(client, startsAt, stranger(at))).statusCode).toBe(201)
  }
  await forgetLimits()
  const refused = await book(client, on(3, '09:00'), stranger(10))
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'too_many_bookings'])
  const { user, headers } = await signIn('customer', { email: 'known@example.com' })
  expect((await book(client, on(3, '09:00'), { email: user.email })).json()).toEqual(refused.json())
  const signedIn = bookingClient(app, headers)
  expect((await book(signedIn, on(3, '09:00'), stranger(11))).json()).toEqual(refused.json())
  expect((await book(signedIn, on(3, '09:00'), { email: user.email })).statusCode).toBe(201)
  await db.updateTable('bookings').set({ status: 'cancelled' }).where('email', '=', 'stranger-0@example.com').execute()
  expect((await book(client, on(3, '10:00'), stranger(10))).statusCode).toBe(201)
})

test('staff cancel all calls ahead of one address at once: one email to the guest and one to the host, each call in the log', async () => {
  const staff = await signIn('staff')
  const host = await db
    .selectFrom('bookingHosts')
    .innerJoin('users', 'users.id', 'bookingHosts.userId')
    .select(['userId', 'email'])
    .executeTakeFirstOrThrow()
  const client = bookingClient(app)
  const ids: string[] = []
  for (const startsAt of timesFrom(1, 3)) ids.push((await book(client, startsAt)).json().id)
  const other = (await book(client, on(2, '09:00'), stranger(1))).json().id
  const past = await makeBooking({
    hostId: host.userId,
    email: guest.email,
    startsAt: new Date(MONDAY.getTime() - 3_600_000),
    status: 'completed',
  })
  await db.deleteFrom('jobs').execute()
  const ask = async (headers: Record<string, string>) =>
    app.inject({
      method: 'PATCH',
      url: `/api/staff/bookings/${ids[1]}`,
      headers,
      payload: { action: 'cancel', all: true, reason: 'A flood.' },
    })
  expect((await ask((await signIn('customer')).headers)).statusCode).toBe(403)
  expect((await ask(staff.headers)).json()).toMatchObject({ id: ids[1], status: 'cancelled', changeReason: 'A flood.' })
  const rows = await db.selectFrom('bookings').select(['id', 'status']).execute()
  const statusOf = new Map(rows.map(({ id, status }) => [id, status]))
  expect([...ids, other, past.id].map((id) => statusOf.get(id))).toEqual(['cancelled', 'cancelled', 'cancelled', 'booked', 'completed'])
  expect((await emailsTo(guest.email)).map(({ kind, data }) => [kind, data.calls.length])).toEqual([['calls-cancelled', 3]])
  expect((await emailsTo(host.email ?? '')).map(({ kind }) => kind)).toEqual(['host-calls-cancelled'])
  const logged = await db
    .selectFrom('auditEvents')
    .select(['actorId', 'subjectId'])
    .where('action', '=', 'call_cancelled')
    .where('subjectId', 'in', ids)
    .execute()
  expect(new Set(logged.map(({ actorId, subjectId }) => `${actorId} ${subjectId}`))).toEqual(
    new Set(ids.map((id) => `${staff.user.id} ${id}`)),
  )
  expect(logged).toHaveLength(ids.length)
  expect((await ask(staff.headers)).json()).toMatchObject({ status: 'cancelled' })
  expect(await emailsTo(guest.email)).toHaveLength(1)
})
