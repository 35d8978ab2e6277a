import ICAL from 'ical.js'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { db, insert } from '#app/platform/database/db.server.ts'
import { FetchFailure } from '#app/platform/http/fetch-bounded.server.ts'
import { announceBookings } from '#app/booking/booking-signal.server.ts'
import { defaultRules } from '#app/booking/rules/hours.ts'
import { startEndpoints } from '#test/app.ts'
import { book, bookingClient, dateOf, MONDAY, on, resetCallTypes } from '#test/bookings.ts'
import { signIn } from '#test/factories.ts'
import { CALENDAR } from './calendar.ts'
import { addFeed, readFeed } from './feed.server.ts'

vi.useFakeTimers({ now: MONDAY, toFake: ['Date'] })
const app = await startEndpoints()
const owner = await signIn('owner')
const [staff, other, customer] = [await signIn('staff'), await signIn('staff'), await signIn('customer')]
type Person = typeof owner

afterAll(() => vi.useRealTimers())
afterEach(async () => {
  for (const table of ['bookings', 'bookingBusy', 'bookingFeeds', 'bookingOverrides', 'bookingHosts'] as const)
    await db.deleteFrom(table).execute()
  await db.deleteFrom('jobs').execute()
  await resetCallTypes()
})

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
const ask = (method: Method, path: string, { as = owner, body, headers = {} }: { as?: Person; body?: object; headers?: object } = {}) =>
  app.inject({
    method,
    url: path.startsWith('/') ? path : `${CALENDAR}/${path}`,
    headers: { ...as.headers, ...headers },
    ...(body && { payload: body }),
  })
const hostPath = ({ user }: Person, rest = '') => `hosts/${user.id}${rest}`
const version = (number: number) => ({ 'if-match': `"${number}"` })
const { hours: _weekdays, ...defaults } = defaultRules
const lagos = {
  ...defaults,
  isActive: true,
  name: 'Grace Hopper',
  zone: 'Africa/Lagos',
  noticeMinutes: 0,
  bufferAfterMinutes: 0,
  place: 'Room 5',
}
/** A date as calendars write it. */
const compact = (day: number) => dateOf(day).replaceAll('-', '')
const mornings = { ...lagos, hours: [[{ from: '09:00', until: '10:00' }], [], [], [], [], [], []] }
const saveHours = (as: Person, body: object = mornings, at = 0) => ask('PUT', hostPath(as), { as, body, headers: version(at) })
const slotsOn = async (date: string) => {
  // Rows that the test deletes itself.
  announceBookings()
  const reply = await app.inject(`/api/booking/slots?from=${date}T00:00:00Z&to=${date}T23:59:59Z`)
  return reply.json().slots.map(({ startsAt }: { startsAt: string }) => startsAt.slice(11, 16))
}

describe('hours', () => {
  test('the owner of a new installation is offered weekdays from 9 to 17, and takes calls from the moment they confirm them', async () => {
    const hosts = (await ask('GET', 'hosts')).json()
    const {
      id: _id,
      isYou: _you,
      mayChange: _may,
      hasAddress: _has,
      isConfirmed: _confirmed,
      version: at,
      ...offered
    } = hosts.find(({ isActive }: { isActive: boolean }) => isActive)
    expect(hosts).toContainEqual(
      expect.objectContaining({ id: owner.user.id, isYou: true, isActive: true, isConfirmed: false, version: 0 }),
    )
    expect(offered.hours).toEqual(expect.arrayContaining([[{ from: '09:00', until: '17:00' }], []]))
    expect(await slotsOn(dateOf(1))).toEqual([])
    expect((await saveHours(owner, { ...offered, zone: 'Africa/Lagos' }, at)).json()).toMatchObject({ isConfirmed: true, version: 1 })
    expect(await slotsOn(dateOf(1))).toHaveLength(16)
  })

  test('a private address alone confirms no hours', async () => {
    expect((await ask('POST', hostPath(owner, '/address'))).statusCode).toBe(201)
    expect(await slotsOn(dateOf(1))).toEqual([])
  })

  test('saved hours decide what visitors can book, and a second save from an older version is refused', async () => {
    expect((await saveHours(staff)).json()).toMatchObject({ version: 1, name: 'Grace Hopper', isYou: true })
    expect(await slotsOn(dateOf(7))).toEqual(['08:00', '08:30'])
    expect(await slotsOn(dateOf(8))).toEqual([])
    const late = await saveHours(staff, { ...mornings, name: 'Late' })
    expect([late.statusCode, late.json().code, late.json().current.name]).toEqual([409, 'edit_conflict', 'Grace Hopper'])
    expect((await saveHours(staff, { ...mornings, dailyCap: 1 }, 1)).json()).toMatchObject({ version: 2, dailyCap: 1 })
    const [event] = await db
      .selectFrom('auditEvents')
      .select(['actorId', 'detail'])
      .where('action', '=', 'call_hours_saved')
      .where('actorId', '=', staff.user.id)
      .execute()
    expect(event).toMatchObject({ actorId: staff.user.id, detail: { object: staff.user.id } })
  })

  test('a preview shows the free times of the next 14 days, and saves nothing', async () => {
    const preview = (await ask('POST', hostPath(staff, '/preview'), { as: staff, body: mornings })).json()
    expect(preview).toEqual({
      zone: 'Africa/Lagos',
      slots: [on(0, '08:00'), on(0, '08:30'), on(7, '08:00'), on(7, '08:30')].map((startsAt) => ({
        startsAt,
        endsAt: expect.any(String),
      })),
    })
    expect(await db.selectFrom('bookingHosts').selectAll().execute()).toEqual([])
  })

  test('one date has other hours or none, until it returns to its weekly ones', async () => {
    await saveHours(staff)
    const spans = [
      { from: '11:00', until: '11:30' },
      { from: '14:00', until: '15:00' },
    ]
    await ask('PUT', hostPath(staff, `/overrides/${dateOf(8)}`), { as: staff, body: { spans } })
    await ask('PUT', hostPath(staff, `/overrides/${dateOf(7)}`), { as: staff, body: { spans: [] } })
    expect(await slotsOn(dateOf(8))).toEqual(['10:00', '13:00', '13:30'])
    expect(await slotsOn(dateOf(7))).toEqual([])
    expect((await ask('GET', hostPath(staff, '/overrides'))).json()).toEqual([
      { date: dateOf(7), spans: [] },
      { date: dateOf(8), spans },
    ])
    expect((await ask('DELETE', hostPath(staff, `/overrides/${dateOf(7)}`), { as: staff })).statusCode).toBe(204)
    expect(await slotsOn(dateOf(7))).toEqual(['08:00', '08:30'])
    expect((await ask('DELETE', hostPath(staff, `/overrides/${dateOf(7)}`), { as: staff })).statusCode).toBe(404)
  })

  test('a blocked span takes no calls until it is freed', async () => {
    await saveHours(staff)
    const body = { startsAt: on(7, '08:15'), endsAt: on(7, '08:30'), reason: 'Dentist' }
    const block = (await ask('POST', hostPath(staff, '/blocks'), { as: staff, body })).json()
    expect(await slotsOn(dateOf(7))).toEqual(['08:30'])
    expect((await ask('GET', `busy?from=${on(7, '00:00')}&to=${on(8, '00:00')}`)).json()).toEqual([
      { ...block, source: 'block', reason: 'Dentist', hostId: staff.user.id },
    ])
    expect((await ask('DELETE', hostPath(staff, `/blocks/${block.id}`), { as: staff })).statusCode).toBe(204)
    expect(await slotsOn(dateOf(7))).toEqual(['08:00', '08:30'])
  })

  test.each([
    [
      'spans that overlap',
      {
        ...mornings,
        hours: [
          [
            { from: '09:00', until: '11:00' },
            { from: '10:00', until: '12:00' },
          ],
          [],
          [],
          [],
          [],
          [],
          [],
        ],
      },
      'hours.0',
    ],
    ['six days', { ...mornings, hours: mornings.hours.slice(1) }, 'hours'],
    ['a zone that is none', { ...mornings, zone: '+02:00' }, 'zone'],
    ['a notice of a fraction', { ...mornings, noticeMinutes: 1.5 }, 'noticeMinutes'],
    ['no name', { ...mornings, name: ' ' }, 'name'],
  ])('%s is refused at its field', async (_what, body, field) => {
    const reply = await saveHours(staff, body)
    expect([reply.statusCode, Object.keys(reply.json().errors)]).toEqual([422, [field]])
  })
})

describe('settings of the first call type', () => {
  test('the owner saves title, length and questions, and visitors get them at the next request', async () => {
    await saveHours(staff)
    const body = {
      title: 'First call',
      lengthMinutes: 20,
      stepMinutes: 20,
      changeWindowMinutes: 60,
      questions: [{ label: 'Which shops?', isRequired: true }],
    }
    expect((await ask('GET', 'settings')).json()).toMatchObject({ version: 0, title: 'Free consultation', mayChange: true })
    expect((await ask('PUT', 'settings', { body, headers: version(0) })).json()).toEqual({
      ...body,
      id: 'settings',
      version: 1,
      mayChange: true,
    })
    expect(await slotsOn(dateOf(7))).toEqual(['08:00', '08:20', '08:40'])
    expect((await ask('PUT', 'settings', { body, headers: version(0) })).statusCode).toBe(409)
    expect((await ask('PUT', 'settings', { body, headers: version(1) })).json().version).toBe(2)
  })
})

const calendar = (...lines: string[]) => ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const dentist = [
  'BEGIN:VEVENT',
  'UID:1@x',
  `DTSTART;TZID=Africa/Lagos:${compact(7)}T090000`,
  `DTEND;TZID=Africa/Lagos:${compact(7)}T093000`,
  'SUMMARY:Dentist',
  'END:VEVENT',
]
const feedOf = async (as: Person) => addFeed(as.user.id, { label: 'Private', url: 'https://calendar.example.com/secret/basic.ics' })

describe('subscriptions', () => {
  test('busy times of a calendar take no calls, its events stay unknown, and its address is sealed', async () => {
    await saveHours(staff)
    const id = await feedOf(staff)
    expect(await readFeed(id, async () => calendar(...dentist))).toMatchObject({ state: 'ok', note: null, server: 'calendar.example.com' })
    expect(await slotsOn(dateOf(7))).toEqual(['08:30'])
    const stored = JSON.stringify([
      await db.selectFrom('bookingFeeds').selectAll().execute(),
      await db.selectFrom('bookingBusy').selectAll().execute(),
    ])
    expect(stored).not.toMatch(/Dentist|secret/)
    expect((await ask('GET', hostPath(staff, '/feeds'))).body).not.toContain('secret')
    await readFeed(id, async () => calendar())
    expect(await slotsOn(dateOf(7))).toEqual(['08:00', '08:30'])
  })

  test('a calendar that fails keeps its last busy times, tells its host once, and is stale after 24 hours', async () => {
    await saveHours(staff)
    const id = await feedOf(staff)
    await readFeed(id, async () => calendar(...dentist))
    const fail = async () => readFeed(id, () => Promise.reject(new FetchFailure('The server answered 404.')))
    expect(await fail()).toMatchObject({ state: 'failing', note: 'The server answered 404.', isStale: false })
    await fail()
    expect(await slotsOn(dateOf(7))).toEqual(['08:30'])
    const told = await db.selectFrom('jobs').select('payload').where('kind', '=', 'notifications.tell').execute()
    expect(told.map(({ payload }) => payload)).toEqual([expect.objectContaining({ kind: 'booking', to: { userIds: [staff.user.id] } })])
    const dayAgo = new Date(Date.now() - 25 * 3_600_000)
    await db.updateTable('bookingFeeds').set({ lastSuccessAt: dayAgo }).execute()
    expect((await ask('GET', hostPath(staff, '/feeds'))).json()).toMatchObject([{ id, isStale: true }])
    expect(await readFeed(id, async () => calendar(...dentist))).toMatchObject({ state: 'ok', isStale: false })
  })

  test('a page in place of a calendar, and an event that cannot be read, are said', async () => {
    const id = await feedOf(staff)
    expect(await readFeed(id, async () => '<!doctype html>')).toMatchObject({
      state: 'failing',
      note: 'The address doesn’t lead to a calendar.',
    })
    expect(await readFeed(id, async () => calendar('BEGIN:VEVENT', 'SUMMARY:x', 'END:VEVENT'))).toMatchObject({
      state: 'ok',
      note: '1 event can’t be read: “x”. Calls may be booked at the same time.',
    })
  })

  test('an event of a zone that nobody knows is busy in both readings, and one without end does not cost the others their times', async () => {
    await saveHours(staff, { ...mornings, hours: mornings.hours.with(0, [{ from: '08:00', until: '12:00' }]) })
    const id = await feedOf(staff)
    const feed = calendar(
      ...dentist.map((line) => line.replace(/^(DTSTART|DTEND)[^:]*:/, '$1;TZID=Nowhere:')),
      'BEGIN:VEVENT',
      'UID:2@x',
      'SUMMARY:Sabbatical',
      `DTSTART:${compact(1)}T080000Z`,
      'DURATION:P99999999999D',
      'END:VEVENT',
    )
    const { note } = (await readFeed(id, async () => feed)) ?? {}
    expect(note).toBe(
      `1 event can’t be read: “Sabbatical”, ${dateOf(1)}. Calls may be booked at the same time. Unknown time zone: Nowhere. ` +
        'Its events are busy both in your time zone and in UTC, or with and without summer time.',
    )
    // 08:00 in Lagos, and in UTC.
    expect(await slotsOn(dateOf(7))).toEqual(['07:00', '07:30', '08:30', '09:30', '10:00', '10:30'])
  })

  test('calls of our own that come back in another calendar can still be moved next to themselves', async () => {
    await saveHours(staff)
    const id = await feedOf(staff)
    const call = (await book(bookingClient(app), on(7, '08:00'))).json()
    const uid = `${call.id}@localhost`
    await readFeed(id, async () => calendar(...dentist.map((line) => line.replace('1@x', uid))))
    expect(await db.selectFrom('bookingBusy').selectAll().execute()).toEqual([])
  })

  test('an address in a private network is never fetched, and the host reads why', async () => {
    const body = { label: 'Inside', url: 'webcal://127.0.0.1/calendar.ics' }
    const reply = await ask('POST', hostPath(staff, '/feeds'), { as: staff, body })
    expect([reply.statusCode, reply.json().state, reply.json().note]).toEqual([201, 'failing', 'The address leads into a private network.'])
    expect((await ask('POST', hostPath(staff, `/feeds/${reply.json().id}/read`), { as: staff })).json().state).toBe('failing')
    expect((await ask('DELETE', hostPath(staff, `/feeds/${reply.json().id}`), { as: staff })).statusCode).toBe(204)
  })

  test('a host has at most five calendars, each once, and only by https', async () => {
    const add = (url: string) => addFeed(staff.user.id, { label: 'x', url })
    await add('https://example.com/1')
    await expect(add('https://example.com/1')).rejects.toMatchObject({ extra: { code: 'feed_exists' } })
    const added = await Promise.allSettled([2, 3, 4, 5, 6, 7].map((number) => add(`https://example.com/${number}`)))
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
    const plain = await ask('POST', hostPath(staff, '/feeds'), { as: staff, body: { label: 'x', url: 'http://example.com/' } })
    expect([plain.statusCode, Object.keys(plain.json().errors)]).toEqual([422, ['url']])
  })
})

describe('the private address', () => {
  test('a calendar program reads the calls of its host, until the address is renewed or revoked', async () => {
    await saveHours(staff)
    await book(bookingClient(app), on(7, '08:00'))
    const first = (await ask('POST', hostPath(staff, '/address'), { as: staff })).json().url.replace(/^.*(?=\/calendar\/)/, '')
    const read = await app.inject(first)
    expect([read.statusCode, read.headers['content-type'], read.headers['cache-control']]).toEqual([
      200,
      'text/calendar; charset=utf-8',
      'no-store',
    ])
    const event = new ICAL.Event(new ICAL.Component(ICAL.parse(read.body)).getFirstSubcomponent('vevent') ?? undefined)
    expect([event.summary, event.startDate.toString(), event.location]).toEqual([
      'Free consultation: Ada Lovelace',
      `${dateOf(7)}T09:00:00`,
      lagos.place,
    ])
    expect(event.description).toContain('ada@analytical.example')
    const stored = JSON.stringify(await db.selectFrom('bookingHosts').selectAll().execute())
    expect(stored).not.toContain(first.slice(10, 42))
    const second = (await ask('POST', hostPath(staff, '/address'), { as: staff })).json().url.replace(/^.*(?=\/calendar\/)/, '')
    expect([(await app.inject(first)).statusCode, (await app.inject(second)).statusCode]).toEqual([404, 200])
    await ask('DELETE', hostPath(staff, '/address'), { as: staff })
    expect((await app.inject(second)).statusCode).toBe(404)
    expect((await app.inject(`/calendar/${'x'.repeat(32)}.ics`)).statusCode).toBe(404)
  })

  test('a colleague who only wants the address leaves the calls with the owner', async () => {
    await ask('POST', hostPath(staff, '/address'), { as: staff })
    const hosts = (await ask('GET', 'hosts')).json()
    expect(hosts.flatMap(({ id, isActive }: { id: string; isActive: boolean }) => (isActive ? id : []))).toEqual([owner.user.id])
  })

  test('it ends with the role of its host', async () => {
    const leaver = await signIn('staff')
    const url = (await ask('POST', hostPath(leaver, '/address'), { as: leaver })).json().url.replace(/^.*(?=\/calendar\/)/, '')
    await db
      .updateTable('users')
      .set({ appMetadata: JSON.stringify({ role: 'customer' }) })
      .where('id', '=', leaver.user.id)
      .execute()
    expect((await app.inject(url)).statusCode).toBe(404)
  })
})

describe('security', () => {
  const writes: [Method, string, object?][] = [
    ['PUT', '', mornings],
    ['PUT', `/overrides/${dateOf(8)}`, { spans: [] }],
    ['DELETE', `/overrides/${dateOf(8)}`],
    ['POST', '/blocks', { startsAt: on(7, '08:15'), endsAt: on(7, '08:30') }],
    ['POST', '/feeds', { label: 'x', url: 'https://127.0.0.1/' }],
    ['POST', '/address'],
    ['DELETE', '/address'],
  ]

  test.each(writes)('%s %s of a host is for that host and, but for the address, the owner', async (method, path, body) => {
    const headers = version(0)
    for (const [as, status] of [
      [customer, 403],
      [other, 403],
    ] as const)
      expect((await ask(method, hostPath(staff, path), { as, headers, ...(body && { body }) })).statusCode).toBe(status)
    expect(
      (await app.inject({ method, url: `${CALENDAR}/${hostPath(staff, path)}`, headers, ...(body && { payload: body }) })).statusCode,
    ).toBe(401)
    const byOwner = await ask(method, hostPath(staff, path), { headers, ...(body && { body }) })
    expect(byOwner.statusCode === 403).toBe(path === '/address')
  })

  test('reading is for staff, and the settings are written by the owner', async () => {
    for (const path of ['hosts', 'settings', 'types', `busy?from=${on(7, '00:00')}&to=${on(8, '00:00')}`, hostPath(staff, '/feeds')]) {
      const statuses = await Promise.all([customer, staff, owner].map(async (as) => (await ask('GET', path, { as })).statusCode))
      expect([path, ...statuses, (await app.inject(`${CALENDAR}/${path}`)).statusCode]).toEqual([path, 403, 200, 200, 401])
    }
    const body = { title: 'x', lengthMinutes: 30, stepMinutes: 30, changeWindowMinutes: 0, questions: [] }
    expect((await ask('PUT', 'settings', { as: staff, body, headers: version(0) })).statusCode).toBe(403)
  })

  test('nobody frees the spans of another host, or of a calendar, by hand', async () => {
    const span = { startsAt: new Date(), endsAt: new Date(Date.now() + 1000) }
    const block = await insert(db, 'bookingBusy', { ...span, hostId: other.user.id })
    const busy = await insert(db, 'bookingBusy', { ...span, hostId: staff.user.id, feedId: await feedOf(staff) })
    for (const { id } of [block, busy]) expect((await ask('DELETE', hostPath(staff, `/blocks/${id}`), { as: staff })).statusCode).toBe(404)
  })
})
