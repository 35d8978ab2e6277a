import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { askToMove } from '#app/booking/booking.server.ts'
import { announceBookings } from '#app/booking/booking-signal.server.ts'
import { NO_CALLS } from '#app/booking/rules/booking.ts'
import { sql } from 'kysely'
import { newReference } from '#app/platform/database/reference.server.ts'
import { replaceVisitorLink } from '#app/leads/visitor/visitor-page.server.ts'
import { callToken } from '#app/leads/lead/call-link.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { closeSignals, openSignals } from '#app/platform/database/signals.server.ts'
import { clearPages } from '#app/platform/page-cache/page-cache.server.ts'
import { startApp } from '#test/app.ts'
import { guest, resetCallTypes } from '#test/bookings.ts'
import { emailsTo } from '#test/emails.ts'
import { forgetLimits } from '#test/enquiries.ts'
import { makeContact, makeHost, makeOwner } from '#test/factories.ts'
import { textOf } from '#test/read-page.ts'

/** In winter, when Berlin is an hour ahead. */
const MONDAY = new Date('2026-11-30T06:00:00Z')

const app = await startApp()
vi.useFakeTimers({ toFake: ['Date'], now: MONDAY })
// Processes tell each other which cached pages have changed.
beforeAll(openSignals)
afterAll(closeSignals)
afterAll(() => void vi.useRealTimers())
beforeEach(async () => {
  vi.setSystemTime(MONDAY)
  await forgetLimits()
  for (const table of ['bookings', 'bookingHosts', 'consultations', 'jobs'] as const) await db.deleteFrom(table).execute()
  await resetCallTypes()
  await clearPages('free-times')
})

/** 10:00 in Berlin on Tuesday. */
const TEN = '2026-12-01T09:00:00.000Z'
const ELEVEN = '2026-12-01T10:00:00.000Z'
const { timeZone: _zone, ...details } = guest

/** A browser without script: it follows redirects and keeps cookies. */
function browser() {
  let cookie = ''
  async function visit(url: string, form?: Record<string, string>) {
    const reply = await app.inject({
      url,
      method: form ? 'POST' : 'GET',
      headers: { cookie, 'sec-fetch-site': 'same-origin', ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) },
      ...(form && { payload: new URLSearchParams(form).toString() }),
    })
    const given = reply.headers['set-cookie']
    if (typeof given === 'string') cookie = given.split(';')[0] ?? ''
    const { location } = reply.headers
    const html = reply.body
    const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'))
    return { status: reply.statusCode, location: location ?? '', headers: reply.headers, main, text: textOf(main) }
  }
  return visit
}

const hold = { intent: 'hold', startsAt: TEN }
const berlin = '/book?zone=Europe%2FBerlin'
const valueOf = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''

async function bookOf(visit: ReturnType<typeof browser>, more: Record<string, string> = {}) {
  await visit(berlin, hold)
  const { main } = await visit(berlin)
  return visit(berlin, { ...details, intent: 'book', holdId: valueOf(main, 'holdId'), startsAt: TEN, ...more })
}

test('a visitor without script chooses a day and a time, fills in the form and reads the exact time in both zones', async () => {
  await makeHost({ zone: 'Europe/Berlin' })
  const visit = browser()
  const days = await visit('/book?zone=America%2FNew_York&month=2026-12')
  expect(days.status).toBe(200)
  expect(days.text).toContain('Book a free 30-minute call')
  expect(days.text).toContain('We are in Europe/Berlin.')
  expect(days.text).toContain('Tuesday, December 1')
  expect(valueOf(days.main, 'startsAt')).toBe('2026-12-01T08:00:00.000Z')
  expect(days.text).toContain('03:00')

  const held = await visit(berlin, hold)
  expect(held).toMatchObject({ status: 303, location: `${berlin}#details` })
  const form = await visit(berlin)
  expect(form.text).toContain('Tue, Dec 1, 10:00')
  expect(form.text).toContain('Held for you until 07:10')
  // Others see it taken.
  expect((await browser()(`${berlin}&month=2026-12`)).main).not.toContain(`value="${TEN}"`)

  const booked = await bookOf(visit)
  expect(booked.status).toBe(303)
  expect(booked.location).toMatch(/^\/booking-success\?booking=[\w-]{32}$/)
  const success = await visit(booked.location)
  expect(success.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' })
  expect(success.text).toContain('Your Strategy Call is Confirmed!')
  expect(success.text).toContain('Tuesday, December 1, 2026 at 10:00 (Europe/Berlin)')
  expect(await db.selectFrom('bookings').select(['status', 'email', 'guestZone']).execute()).toEqual([
    { status: 'booked', email: guest.email, guestZone: 'Europe/Berlin' },
  ])
  expect(await emailsTo(guest.email)).toHaveLength(1)
})

test('the page of free times is one for all strangers, until a time is taken; a holder has a page of their own, which no cache stores', async () => {
  await makeHost({ zone: 'Europe/Berlin' })
  const december = `${berlin}&month=2026-12`
  const [ada, bob] = [browser(), browser()]
  const first = await bob(december)
  expect([first.headers['cache-control'], first.headers.etag]).toEqual(['no-cache', expect.any(String)])
  expect((await browser()(december)).headers.etag).toBe(first.headers.etag)
  await ada(berlin, hold)
  expect((await ada(december)).headers).toMatchObject({ 'cache-control': 'no-store' })
  expect((await ada(december)).text).toContain('Held for you until')
  const others = async () => {
    const { main, text } = await bob(december)
    return [main.includes(`value="${TEN}"`), text.includes('Held for you')]
  }
  // Within about a second, by the clock that each attempt moves on: a copy is at most a second late.
  await expect.poll(others).toEqual([false, false])
  await ada(berlin, { intent: 'release' })
  await expect.poll(others).toEqual([true, false])
  expect(Date.now() - MONDAY.getTime()).toBeLessThan(4000)

  const { id } = await makeContact({ name: 'Grace Hopper' })
  const prefilled = await browser()(`${berlin}&enquiry=${callToken(id)}`)
  expect([prefilled.headers['cache-control'], prefilled.headers.etag]).toEqual(['no-store', undefined])
})

test('a link is promised only where there is one: the page, the file and the calendar links say the same; a cancelled call has none', async () => {
  const promise = 'You get the link before the call'
  for (const [place, shown] of [
    ['', promise],
    ['https://meet.example/grace', 'https://meet.example/grace'],
    ['We call you', 'We call you'],
  ] as const) {
    await db.deleteFrom('bookings').execute()
    await db.deleteFrom('bookingHosts').execute()
    await makeHost({ zone: 'Europe/Berlin', place })
    const visit = browser()
    const { location } = await bookOf(visit)
    const success = await visit(location)
    const file = await app.inject(`${location.replace('/booking-success?booking=', '/book/manage/')}/call.ics`)
    expect(success.text).toContain(`Where ${shown}`)
    expect(success.text).not.toContain('with the link to the call')
    const links = [...success.main.matchAll(/href="(https:\/\/(?:calendar\.google|outlook\.live)[^"]*)"/g)].map(([, url = '']) =>
      decodeURIComponent(url),
    )
    expect(links).toHaveLength(2)
    for (const text of [success.text, file.body.replaceAll('\r\n ', ''), ...links.map((url) => url.replaceAll('+', ' '))])
      expect([text.includes(promise), text.includes(shown)]).toEqual([place === '', true])
    await db.updateTable('bookings').set({ status: 'cancelled' }).execute()
    const cancelled = await visit(location)
    expect(cancelled.main).not.toMatch(/calendar\.google|outlook\.live|call\.ics/)
    expect(cancelled.text).not.toContain(promise)
  }
})

test('where we call, the form asks for the telephone number, and keeps what is typed without it', async () => {
  await makeHost({ zone: 'Europe/Berlin', place: 'We call you' })
  const visit = browser()
  await visit(berlin, hold)
  expect((await visit(berlin)).text).toContain('We call you at this number.')
  const refused = await bookOf(visit, { phone: '' })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('We call you, so we need your telephone number')
  expect(valueOf(refused.main, 'email')).toBe(guest.email)
  expect((await bookOf(visit)).status).toBe(303)
})

test('a second press of the button makes no second booking', async () => {
  await makeHost({ zone: 'Europe/Berlin' })
  const visit = browser()
  await visit(berlin, hold)
  const holdId = valueOf((await visit(berlin)).main, 'holdId')
  const form = { ...details, intent: 'book', holdId, startsAt: TEN }
  const both = await Promise.all([visit(berlin, form), visit(berlin, form)])
  expect(new Set(both.map(({ location }) => location)).size).toBe(1)
  expect(await db.selectFrom('bookings').select('id').execute()).toHaveLength(1)
})

test('everything that is missing is named at once', async () => {
  await makeHost({ zone: 'Europe/Berlin' })
  await resetCallTypes({ questions: JSON.stringify([{ label: 'Which shops?', isRequired: true }]) })
  const refused = await bookOf(browser(), { name: '', email: '', projectDescription: '' })
  expect(refused.text).toContain('Please correct 4 things')
  expect(refused.text).toContain('Describe the project in at least 10 characters')
})

test('bad input is named at its field, and the typed text stays', async () => {
  await makeHost({ zone: 'Europe/Berlin' })
  const refused = await bookOf(browser(), { email: 'nobody', projectDescription: 'short' })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('Please correct 2 things')
  expect(refused.main).toContain('value="nobody"')
  expect(refused.main).toContain('value="Ada Lovelace"')
  expect(refused.text).toContain('Held for you until')
})

test('the details stay while another time is chosen, and the first time is free again', async () => {
  await makeHost({ zone: 'Europe/Berlin' })
  const visit = browser()
  await visit(berlin, hold)
  const again = await visit(berlin, { ...details, intent: 'another' })
  expect(again.status).toBe(200)
  expect(valueOf(again.main, 'email')).toBe(guest.email)
  const other = await visit(berlin, { ...details, intent: 'hold', startsAt: ELEVEN })
  expect(other.text).toContain('Tue, Dec 1, 11:00')
  expect(other.main).toContain('value="Ada Lovelace"')
  expect((await db.selectFrom('bookings').select('startsAt').execute()).map(({ startsAt }) => startsAt.toISOString())).toEqual([ELEVEN])
  expect(await visit(berlin, { intent: 'release' })).toMatchObject({ status: 303 })
  expect(await db.selectFrom('bookings').select('id').execute()).toEqual([])
})

test('an older tab gives up its own time, and not the one that was chosen in another tab since', async () => {
  await makeHost({ zone: 'Europe/Berlin' })
  const visit = browser()
  await visit(berlin, hold)
  const holdId = valueOf((await visit(berlin)).main, 'holdId')
  await visit(berlin, { intent: 'hold', startsAt: ELEVEN })
  expect(await visit(berlin, { intent: 'release', holdId })).toMatchObject({ status: 303 })
  expect((await db.selectFrom('bookings').select('startsAt').execute()).map(({ startsAt }) => startsAt.toISOString())).toEqual([ELEVEN])
  const later = valueOf((await visit(berlin)).main, 'holdId')
  await visit(berlin, { intent: 'release', holdId: later })
  expect(await db.selectFrom('bookings').select('id').execute()).toEqual([])
})

test('a time that someone else took meanwhile is refused with the nearest three, and the typed text stays', async () => {
  await makeHost({ zone: 'Europe/Berlin' })
  const [slow, quick] = [browser(), browser()]
  await slow(berlin, hold)
  const holdId = valueOf((await slow(berlin)).main, 'holdId')
  vi.setSystemTime(new Date(MONDAY.getTime() + 11 * 60_000))
  expect((await bookOf(quick, { email: 'quick@example.com' })).status).toBe(303)
  const late = await slow(berlin, { ...details, intent: 'book', holdId, startsAt: TEN })
  expect(late.status).toBe(409)
  expect(late.text).toContain('This time was just taken. These are the nearest free times:')
  expect(late.main.match(/Dec 1, (09:\d\d|1[01]:\d\d)</g)).toHaveLength(3)
  expect(valueOf(late.main, 'name')).toBe('Ada Lovelace')
})

test('a link from an enquiry fills in name and address, never the message, whose field is optional; another text fills in nothing', async () => {
  await makeHost({ zone: 'Europe/Berlin' })
  const { id, reference } = await makeContact({ name: 'Grace Hopper', email: 'grace@example.com', message: 'Forty secret shops.' })
  const visit = browser()
  const linked = `${berlin}&enquiry=${callToken(id)}`
  await visit(berlin, hold)
  const form = await visit(linked)
  expect(form.main).toContain('value="Grace Hopper"')
  expect(form.main).not.toContain('Forty secret shops.')
  expect(form.text).toContain('We have your message.')
  expect((await visit(`${berlin}&enquiry=${id}.${'a'.repeat(43)}`)).main).not.toContain('Grace Hopper')
  const holdId = valueOf(form.main, 'holdId')
  const typed = { intent: 'book', holdId, startsAt: TEN, name: 'Grace Hopper', email: 'grace@example.com' }
  expect((await visit(berlin, typed)).text).toContain('Describe the project in at least 10 characters')
  const booked = await visit(linked, { ...typed, enquiry: callToken(id) })
  expect(booked.status).toBe(303)
  const row = await db.selectFrom('bookings').select(['contactId', 'projectDescription']).executeTakeFirstOrThrow()
  expect(row).toEqual({ contactId: id, projectDescription: `See enquiry ${reference}.` })
})

test('a visitor whose first page is that of the link takes a time with one press, and keeps it', async () => {
  await makeHost({ zone: 'Europe/Berlin' })
  const { id } = await makeContact({ name: 'Grace Hopper', email: 'grace@example.com' })
  const visit = browser()
  const linked = `${berlin}&enquiry=${callToken(id)}`
  const found = { name: 'Grace Hopper', email: 'grace@example.com', enquiry: callToken(id) }
  expect((await visit(linked, { ...hold, ...found })).status).toBe(303)
  const form = await visit(linked)
  expect(form.main).toContain('value="Grace Hopper"')
  expect(valueOf(form.main, 'holdId')).toMatch(/^[\w-]{36}$/)
})

test('a time that staff have proposed is taken with one press, with its host; one that is gone says so and offers the nearest', async () => {
  await makeHost({ zone: 'Europe/Berlin' })
  const { userId } = await makeHost({ zone: 'Europe/Berlin', name: 'Jean' })
  announceBookings()
  const { id } = await makeContact({ name: 'Grace Hopper' })
  const link = `${berlin}&${new URLSearchParams({ enquiry: callToken(id), at: TEN, host: userId })}`
  const visit = browser()
  const shown = await visit(link)
  expect(shown.text).toContain('We proposed Tue, Dec 1, 10:00')
  expect(shown.headers['cache-control']).toBe('no-store')
  // Programs that follow links take nothing.
  expect(await db.selectFrom('bookings').select('id').execute()).toEqual([])
  await visit(berlin, { intent: 'hold', startsAt: TEN, host: valueOf(shown.main, 'host'), enquiry: callToken(id) })
  expect(await db.selectFrom('bookings').select(['hostId', 'status']).execute()).toEqual([{ hostId: userId, status: 'held' }])
  const again = await visit(link)
  expect([again.text.includes('We proposed'), again.text.includes('Held for you until')]).toEqual([false, true])
  // With a host, the time is free until the last of them has a call.
  const bob = browser()
  expect((await bob(link)).text).toContain('We proposed')
  await bob(berlin, hold)
  const late = await browser()(link)
  expect(late.text).toContain('The time that we proposed is no longer free. These are the nearest free times:')
  expect(late.main).toContain('value="2026-12-01T08:00:00.000Z"')
  for (const at of ['soon', '2020-01-01T09:00:00.000Z']) expect((await browser()(`${berlin}&at=${at}`)).status).toBe(200)
})

test('the link ends like the page of the enquiry: deleted, revoked, renewed or after a year it shows nothing', async () => {
  await makeHost({ zone: 'Europe/Berlin' })
  const visit = browser()
  await visit(berlin, hold)
  const ends: ((id: string) => Promise<unknown>)[] = [
    (id) => db.updateTable('contacts').set({ deletedAt: new Date() }).where('id', '=', id).execute(),
    (id) => replaceVisitorLink(id, false, { id, address: '127.0.0.1' }),
    (id) => replaceVisitorLink(id, true, { id, address: '127.0.0.1' }),
    // By the clock of the database, which a test does not set.
    (id) => sql`UPDATE contacts SET created_at = now() - interval '366 days' WHERE id = ${id}`.execute(db),
  ]
  for (const end of ends) {
    const { id, reference } = await makeContact({ name: 'Grace Hopper', message: 'Forty secret shops.', reference: newReference('W') })
    const [link, sent] = [`${berlin}&enquiry=${callToken(id)}`, `/contact?sent=${reference}&enquiry=${callToken(id)}`]
    expect((await visit(link)).main).toContain('Grace Hopper')
    expect((await visit(sent)).main).toContain('Forty secret shops.')
    await end(id)
    const after = await visit(link)
    expect([after.status, after.main.includes('Grace Hopper'), after.text.includes('We have your message')]).toEqual([200, false, false])
    expect((await visit(sent)).main).not.toContain('Forty secret shops.')
    const refused = await app.inject({
      method: 'POST',
      url: '/api/bookings',
      headers: { 'sec-fetch-site': 'same-origin' },
      payload: { ...guest, startsAt: ELEVEN, projectDescription: undefined, enquiry: callToken(id) },
    })
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['projectDescription']])
  }
})

test('while nobody has confirmed hours the page says so and leads to the contact form, or says that the message has arrived', async () => {
  const { id } = await makeOwner()
  const contact = await makeContact({ name: 'Grace Hopper' })
  const looks = async () => {
    await resetCallTypes()
    await clearPages('free-times')
    const page = await browser()('/book')
    expect(page.status).toBe(200)
    expect(page.text).toContain(NO_CALLS)
    expect(page.text).not.toContain('Choose a time')
    expect(page.main).toContain('href="/contact?wish=call#enquiry"')
    const known = await browser()(`/book?enquiry=${callToken(contact.id)}`)
    expect(known.text).toContain('We have your message, and will suggest a time when we reply.')
    expect(known.main).not.toContain('/contact?wish=call')
    expect((await browser()('/book', hold)).text).toContain(NO_CALLS)
  }
  await looks()
  await makeHost({ userId: id, confirmedAt: null })
  await looks()
  await db.updateTable('bookingHosts').set({ confirmedAt: new Date(), isActive: false }).execute()
  await looks()
})

test.each(['/book?zone=Mars%2FBase&month=1999-01&day=x', '/book?month=9999-12'])('%s shows a month that exists', async (url) => {
  await makeHost({ zone: 'Europe/Berlin' })
  expect((await browser()(url)).status).toBe(200)
})

test('the guest moves the call, gets it as a file, and cancels it by the link of the email', async () => {
  await makeHost({ zone: 'Europe/Berlin' })
  const visit = browser()
  const { location } = await bookOf(visit)
  const manage = location.replace('/booking-success?booking=', '/book/manage/')
  const page = await visit(manage)
  expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin', 'x-robots-tag': 'noindex' })
  expect(page.text).toContain('You can change or cancel it until Tue, Dec 1, 08:00')
  const file = await app.inject(`${manage}/call.ics`)
  expect(file.headers['content-type']).toBe('text/calendar; charset=utf-8')
  expect(file.body).toContain('BEGIN:VCALENDAR')

  // Each step leads to the place of the page where it goes on, and back.
  expect(page.main).toContain(`href="${manage}?move=1#change"`)
  const times = await visit(`${manage}?move=1&month=2026-12`)
  expect(times.main).toMatch(new RegExp(`href="[^"]*${encodeURIComponent(ELEVEN)}#change"`))
  expect([times.main, times.text]).toEqual([expect.stringContaining('id="change"'), expect.stringContaining('Keep the time')])
  const asked = await visit(`${manage}?move=1&to=${ELEVEN}`)
  expect([asked.main, asked.text]).toEqual([expect.stringContaining('id="change"'), expect.stringContaining('Tue, Dec 1, 11:00')])
  expect(await visit(manage, { intent: 'move', startsAt: ELEVEN })).toMatchObject({ status: 303, location: `${manage}?done=moved` })
  expect((await visit(`${manage}?done=moved`)).text).toContain('The call is moved.')

  expect(await visit(manage, { intent: 'cancel' })).toMatchObject({ status: 303, location: manage })
  const cancelled = await visit(manage)
  expect(cancelled.text).toContain('This call is cancelled')
  expect(cancelled.text).not.toContain('Add to your calendar')
  expect((await visit(`${manage}?done=moved`)).text).not.toContain('The call is moved.')
  expect(cancelled.main).not.toMatch(/call\.ics|calendar\.google|outlook\.live/)
})

test('the guest agrees to a time that staff propose, also outside of the hours; a proof of another time is worth nothing', async () => {
  await makeHost({ zone: 'Europe/Berlin' })
  const visit = browser()
  const { location } = await bookOf(visit)
  const manage = location.replace('/booking-success?booking=', '/book/manage/')
  const evening = '2026-12-01T19:10:00.000Z'
  const { id } = await db.selectFrom('bookings').select('id').executeTakeFirstOrThrow()
  await askToMove(id, { startsAt: new Date(evening) })
  const proposal = (await emailsTo(guest.email)).at(-1)?.data.proof
  const page = await visit(`${manage}?${new URLSearchParams({ to: evening, proposal })}`)
  expect(page.text).toContain('Tue, Dec 1, 20:10')
  expect(valueOf(page.main, 'proposal')).toBe(proposal)
  const refusable: Record<string, string>[] = [{ startsAt: evening }, { startsAt: '2026-12-01T19:20:00.000Z', proposal }]
  for (const form of refusable) {
    const refused = await visit(manage, { intent: 'move', ...form })
    expect([refused.status, refused.text.includes('This time was just taken.')]).toEqual([409, true])
  }
  expect((await visit(manage, { intent: 'move', startsAt: evening, proposal })).status).toBe(303)
  const moved = await db.selectFrom('bookings').select(['startsAt', 'changedBy']).executeTakeFirstOrThrow()
  expect(moved).toEqual({ startsAt: new Date(evening), changedBy: 'guest' })
})

test('a zone that does not exist changes nothing but the time, and an old tab of a cancelled call leads to its page', async () => {
  await makeHost({ zone: 'Europe/Berlin' })
  const visit = browser()
  const { location } = await bookOf(visit)
  const manage = location.replace('/booking-success?booking=', '/book/manage/')
  expect((await visit(manage, { intent: 'move', startsAt: ELEVEN, zone: 'Mars/Base' })).status).toBe(303)
  expect((await visit(manage)).status).toBe(200)
  expect((await db.selectFrom('bookings').select('guestZone').executeTakeFirstOrThrow()).guestZone).toBe('Europe/Berlin')
  await visit(manage, { intent: 'cancel' })
  expect(await visit(location)).toMatchObject({ status: 302, location: manage })
})

test('too close to the call, the page says how to reach us and refuses a change', async () => {
  await makeHost({ zone: 'Europe/Berlin' })
  const visit = browser()
  const manage = (await bookOf(visit)).location.replace('/booking-success?booking=', '/book/manage/')
  vi.setSystemTime(new Date('2026-12-01T07:30:00Z'))
  expect((await visit(manage)).text).toContain('It is too close to the call to change it here.')
  expect((await visit(manage, { intent: 'cancel' })).status).toBe(409)
  expect((await db.selectFrom('bookings').select('status').executeTakeFirstOrThrow()).status).toBe('booked')
})

test('a link that names no booking is not found, and a page of another site cannot book', async () => {
  expect((await browser()(`/book/manage/${'a'.repeat(32)}`)).status).toBe(404)
  expect((await browser()('/book/manage/x/call.ics')).status).toBe(404)
  const foreign = await app.inject({
    method: 'POST',
    url: '/book',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    payload: new URLSearchParams(hold).toString(),
  })
  expect(foreign.statusCode).toBe(403)
})
