import ICAL from 'ical.js'
import type { Email } from 'postal-mime'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'

const server = await vi.hoisted(async () => {
  const { openMailServer } = await import('#test/mail-server.ts')
  const opened = await openMailServer()
  process.env.SMTP_URL = opened.url
  process.env.MAIL_FROM = 'Winnow <hello@winnow.example>'
  return opened
})

import { db, insert } from '#app/platform/database/db.server.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { closeTransport } from '#app/mail/transport.server.ts'
import { startEndpoints } from '#test/app.ts'
import { apiOf, book, bookingClient, guest, MONDAY, on } from '#test/bookings.ts'
import { forgetLimits } from '#test/enquiries.ts'
import { eventually } from '#test/eventually.ts'
import { makeHost, makeUser, signIn } from '#test/factories.ts'
import type { ListedHost } from './calendar/calendar.ts'
import './host-notice.server.ts'

const app = await startEndpoints()
const TEN = on(1, '09:00')
const TWO = on(1, '13:00')
const GRACE = 'grace@winnow.example'
vi.useFakeTimers({ toFake: ['Date'], now: MONDAY })

beforeEach(async () => {
  vi.setSystemTime(MONDAY)
  server.received.splice(0)
  await forgetLimits()
  for (const table of ['bookings', 'bookingHosts', 'consultations', 'jobs', 'users'] as const) await db.deleteFrom(table).execute()
  const { id: userId } = await makeUser({ role: 'staff', email: GRACE })
  await makeHost({ userId, place: 'https://meet.example/grace' })
  startJobs()
})
afterEach(async () => stopJobs())
afterAll(async () => {
  vi.useRealTimers()
  closeTransport()
  await server.close()
})

const emailsTo = (address: string) => server.received.filter(({ to }) => to?.some((reader) => reader.address === address))

async function received(count: number): Promise<void> {
  await eventually(() => expect(server.received).toHaveLength(count))
}

/** The invitation of an email as a calendar reads it. */
function invitationIn(email: Email | undefined) {
  const part = email?.attachments.find(({ mimeType }) => mimeType === 'text/calendar' || mimeType === 'application/ics')
  const content = part?.content
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content)
  const calendar = new ICAL.Component(ICAL.parse(text))
  const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent') ?? calendar)
  return {
    method: calendar.getFirstPropertyValue('method'),
    uid: event.uid,
    sequence: event.sequence,
    startsAt: event.startDate.toJSDate().toISOString(),
    attendees: event.attendees.map((attendee) => String(attendee.getFirstValue())),
    organizer: event.organizer,
    text,
  }
}

test('a guest who was promised the link gets it as soon as the host has set it, and until then the host is reminded', async () => {
  await db.updateTable('bookingHosts').set({ place: '' }).execute()
  const receipt = (await book(bookingClient(app), TEN)).json()
  await received(2)
  const [toGuest] = emailsTo(guest.email)
  expect(toGuest?.text).toContain('You get the link before the call')
  expect(invitationIn(toGuest).text.replaceAll(/\r\n /g, '')).toContain('DESCRIPTION:You get the link before the call.')
  expect(emailsTo(GRACE)[0]?.text).toMatch(/Your guest was told: “You get the link before the call”/)
  const page = await bookingClient(app)('GET', apiOf(receipt))
  expect(page.json()).toMatchObject({ place: '', sequence: 0 })
  await insert(db, 'jobs', { kind: 'bookings.ask-for-place', payload: '{}' })
  await eventually(async () =>
    expect(await db.selectFrom('notifications').select('title').execute()).toContainEqual({ title: 'Say where your calls take place' }),
  )

  const owner = await signIn('owner')
  const { id, version, ...hours } = await hostFor(owner.headers)
  const save = await app.inject({
    method: 'PUT',
    url: `/api/staff/booking/hosts/${id}`,
    headers: { ...owner.headers, 'if-match': `"${version}"` },
    payload: { ...hours, place: 'https://meet.example/later' },
  })
  expect(save.statusCode).toBe(200)
  await eventually(() => expect(emailsTo(guest.email)).toHaveLength(2))
  const placed = emailsTo(guest.email)[1]
  expect(placed?.subject).toMatch(/^Where your call takes place: /)
  expect(placed?.text).toContain('https://meet.example/later')
  expect(invitationIn(placed)).toMatchObject({ method: 'REQUEST', sequence: 1, startsAt: TEN })
  expect(invitationIn(placed).text).toContain('LOCATION:https://meet.example/later')
})

/** The one host as the API lists them: what a save sends, with id and version. */
async function hostFor(headers: Record<string, string>) {
  const hosts: ListedHost[] = (await app.inject({ url: '/api/staff/booking/hosts', headers })).json()
  const found = hosts.find(({ isActive }) => isActive)
  if (!found) throw new Error('Nobody takes calls.')
  const { isYou: _you, mayChange: _may, hasAddress: _has, isConfirmed: _confirmed, ...host } = found
  return host
}

test('guest and host get one event that moves and ends in their calendars, with a number that rises', async () => {
  const receipt = (await book(bookingClient(app), TEN)).json()
  await received(2)
  const guests = bookingClient(app)
  await guests('PATCH', apiOf(receipt), { startsAt: TWO })
  await received(4)
  await guests('DELETE', apiOf(receipt))
  await received(6)

  for (const reader of [guest.email, GRACE]) {
    const invitations = emailsTo(reader).map(invitationIn)
    expect(invitations.map(({ method, sequence, startsAt }) => [method, sequence, startsAt])).toEqual([
      ['REQUEST', 0, TEN],
      ['REQUEST', 1, TWO],
      ['CANCEL', 2, TWO],
    ])
    expect(new Set(invitations.map(({ uid }) => uid))).toEqual(new Set([`${receipt.id}@localhost`]))
    expect(invitations.map(({ attendees, organizer }) => [attendees, organizer])).toEqual(
      Array.from({ length: 3 }, () => [[`mailto:${reader}`], 'mailto:hello@winnow.example']),
    )
  }
  const [first] = emailsTo(guest.email)
  expect(first?.subject).toMatch(/^Your call is booked: Tuesday.* at 04:00 \(America\/Bogota\)$/)
  expect(first?.text).toContain(receipt.manageUrl)
  expect(first?.text).toContain('https://meet.example/grace')
  expect(invitationIn(first).text).toContain('BEGIN:VTIMEZONE')
  const [toHost] = emailsTo(GRACE)
  expect(toHost?.text).toContain(guest.projectDescription)
  expect(toHost?.replyTo?.[0]?.address).toBe(guest.email)
})

test('an email to an address that anyone can type repeats nothing that was typed', async () => {
  await book(bookingClient(app), TEN, { name: 'Win at casino.example now', projectDescription: 'Visit casino.example for your prize.' })
  await received(2)
  const [toGuest] = emailsTo(guest.email)
  expect(JSON.stringify([toGuest?.html, toGuest?.text, invitationIn(toGuest).text])).not.toContain('casino')
})

/** Runs the planned reminders as if their time had come. */
async function comeDue() {
  await db
    .updateTable('jobs')
    .set({ runAt: new Date(0), doneAt: null })
    .where('kind', '=', 'bookings.remind')
    .execute()
  await eventually(async () =>
    expect(await db.selectFrom('jobs').select('id').where('kind', '=', 'bookings.remind').where('doneAt', 'is', null).execute()).toEqual(
      [],
    ),
  )
}

test('guest and host are reminded a day and an hour before, once each, however often the job runs', async () => {
  await book(bookingClient(app), on(2, '09:00'))
  await received(2)
  await comeDue()
  await comeDue()
  await received(6)
  await comeDue()
  expect(new Set(emailsTo(guest.email).map(({ subject }) => subject?.replace(/:.*/, '')))).toEqual(
    new Set(['Your call is booked', 'Your call is in an hour', 'Your call is tomorrow']),
  )
  expect(server.received).toHaveLength(6)
})

test('nobody is reminded of a call that was cancelled, or at the time of one that has moved', async () => {
  const cancelled = (await book(bookingClient(app), on(2, '09:00'))).json()
  const moved = (await book(bookingClient(app), on(2, '11:00'))).json()
  await bookingClient(app)('DELETE', apiOf(cancelled))
  await bookingClient(app)('PATCH', apiOf(moved), { startsAt: on(3, '11:00') })
  await received(8)
  await comeDue()
  await received(12)
  const reminders = emailsTo(guest.email).filter(({ subject }) => /tomorrow|hour/.test(subject ?? ''))
  expect(reminders.map(({ subject }) => /Thursday.* at 06:00/.test(subject ?? ''))).toEqual([true, true])
})

test('the former host is told to take a call out of the calendar when another one gets it', async () => {
  const { headers } = await signIn('staff')
  const jean = await makeUser({ role: 'staff', email: 'jean@winnow.example' })
  await makeHost({ userId: jean.id, name: 'Jean', dailyCap: 1, place: 'Room 2' })
  await db.updateTable('bookingHosts').set({ isActive: false }).where('userId', '=', jean.id).execute()
  const { id } = (await book(bookingClient(app), TEN)).json()
  await received(2)
  const staff = bookingClient(app, headers)
  expect((await staff('PATCH', `/api/staff/bookings/${id}`, { action: 'hand_over', hostId: jean.id })).statusCode).toBe(200)
  await received(5)
  expect(emailsTo(GRACE).map((email) => invitationIn(email).method)).toEqual(['REQUEST', 'CANCEL'])
  expect(emailsTo('jean@winnow.example').map((email) => invitationIn(email).method)).toEqual(['REQUEST'])
  expect(invitationIn(emailsTo(guest.email).at(-1))).toMatchObject({ method: 'REQUEST', sequence: 1 })
  expect(emailsTo(guest.email).at(-1)?.text).toContain('Room 2')
})
