import { afterAll, beforeEach, expect, test, vi } from 'vitest'

const server = await vi.hoisted(async () => {
  const { openMailServer } = await import('#test/mail-server.ts')
  const opened = await openMailServer()
  process.env.SMTP_URL = opened.url
  process.env.MAIL_REPLY_ADDRESS = 'replies@winnow.example'
  return opened
})

import { contactOfReplyAddress } from '#app/leads/lead/reply-address.server.ts'
import { closeTransport } from '#app/mail/transport.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { startEndpoints } from '#test/app.ts'
import { apiOf, book, bookingClient, guest, MONDAY, on } from '#test/bookings.ts'
import { ada, forgetLimits, sendEnquiry } from '#test/enquiries.ts'
import { eventually } from '#test/eventually.ts'
import { makeHost, makeUser, signIn } from '#test/factories.ts'

const app = await startEndpoints()
vi.useFakeTimers({ toFake: ['Date'], now: MONDAY })

beforeEach(async () => {
  await forgetLimits()
  const { id: userId } = await makeUser({ role: 'staff', email: 'grace@winnow.example' })
  await makeHost({ userId, place: 'https://meet.example/grace' })
})
afterAll(async () => {
  await stopJobs()
  vi.useRealTimers()
  closeTransport()
  await server.close()
})

const repliesTo = (address: string) =>
  server.received
    .filter(({ to }) => to?.some((reader) => reader.address === address))
    .map(({ subject, replyTo }) => ({ subject, replyTo: replyTo?.[0]?.address ?? '' }))

const isTaking = ({ isActive }: { isActive: boolean }) => isActive

test('every email about an enquiry can be answered: the acknowledgement and each email about its call name the address of the lead', async () => {
  startJobs()
  const { id } = (await sendEnquiry(app, ada)).json()
  const guests = bookingClient(app)
  const receipt = (await book(guests, on(1, '09:00'))).json()
  await guests('PATCH', apiOf(receipt), { startsAt: on(1, '13:00') })
  await guests('DELETE', apiOf(receipt))
  await eventually(() => expect(repliesTo(ada.email)).toHaveLength(4))
  await db.updateTable('bookingHosts').set({ place: '' }).execute()
  const withoutPlace = (await book(guests, on(1, '15:00'))).json()
  const { headers } = await signIn('owner')
  const hosts = (await app.inject({ url: '/api/staff/booking/hosts', headers })).json()
  const { id: hostId, version, isYou: _you, mayChange: _may, hasAddress: _has, isConfirmed: _confirmed, ...host } = hosts.find(isTaking)
  const saving = { ...headers, 'if-match': `"${version}"` }
  const payload = { ...host, place: 'https://meet.example/later' }
  await app.inject({ method: 'PUT', url: `/api/staff/booking/hosts/${hostId}`, headers: saving, payload })
  const cancelling = { action: 'cancel', all: true }
  await app.inject({ method: 'PATCH', url: `/api/staff/bookings/${withoutPlace.id}`, headers, payload: cancelling })
  await eventually(() => expect(repliesTo(ada.email)).toHaveLength(7))

  for (const { subject, replyTo } of repliesTo(ada.email)) {
    expect([subject, replyTo]).toEqual([subject, expect.stringMatching(/^replies\+[\da-v]{42}@winnow\.example$/)])
    expect([subject, contactOfReplyAddress(replyTo)]).toEqual([subject, id])
  }
  // Those to us are still answered to the visitor.
  for (const { replyTo } of [...repliesTo('grace@winnow.example'), ...repliesTo('hello@localhost')]) expect(replyTo).toBe(guest.email)
  expect(await db.selectFrom('bookings').select('contactId').execute()).toEqual([{ contactId: id }, { contactId: id }])
})
