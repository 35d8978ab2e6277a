import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { db, newId } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { book, bookingClient, guest, MONDAY, on } from '#test/bookings.ts'
import { emailsTo } from '#test/emails.ts'
import { forgetLimits } from '#test/enquiries.ts'
import { makeContact, makeHost, signIn } from '#test/factories.ts'

const app = await startEndpoints()
vi.useFakeTimers({ toFake: ['Date'], now: MONDAY })
afterAll(() => void vi.useRealTimers())
beforeEach(async () => {
  vi.setSystemTime(MONDAY)
  await forgetLimits()
  for (const table of ['bookings', 'bookingHosts', 'consultations', 'contacts', 'jobs'] as const) await db.deleteFrom(table).execute()
})

const TEN = on(1, '09:00')
const ELEVEN = on(1, '10:00')
const SUNDAY = on(6, '20:00')

const staffClient = async () => bookingClient(app, (await signIn('staff')).headers)
const bookedId = async (startsAt = TEN, more: object = {}): Promise<string> => (await book(bookingClient(app), startsAt, more)).json().id
const kindsTo = async (address: string) => (await emailsTo(address)).map(({ kind }) => kind)

describe('staff', () => {
  test('see the calls of a range, of one host or of one enquiry, in order and without holds', async () => {
    const { userId } = await makeHost()
    const contact = await makeContact({ email: guest.email })
    const [later, sooner] = [await bookedId(ELEVEN), await bookedId(TEN)]
    await bookingClient(app)('POST', '/api/booking/holds', { startsAt: on(2, '09:00') })
    const staff = await staffClient()
    const list = async (query: string) => (await staff('GET', `/api/staff/bookings?${query}`)).json().map(({ id }: { id: string }) => id)
    expect(await list('')).toEqual([sooner, later])
    expect(await list(`from=${on(1, '10:00')}&to=${on(2, '00:00')}`)).toEqual([later])
    expect(await list(`hostId=${userId}&contactId=${contact.id}`)).toEqual([sooner, later])
    expect(await list(`hostId=${newId()}`)).toEqual([])
    const [first] = (await staff('GET', '/api/staff/bookings')).json()
    expect(first).toMatchObject({ host: { id: userId, name: 'Grace Hopper' }, name: guest.name, status: 'booked', contactId: contact.id })
  })

  test('see the calls with a person on each of their enquiries, also the cancelled ones, and a call leaves the clocks running', async () => {
    await makeHost()
    const [first, other] = [await makeContact({ email: guest.email }), await makeContact({ email: guest.email })]
    const stranger = await makeContact()
    const [sooner, later] = [await bookedId(TEN), await bookedId(ELEVEN)]
    await bookingClient(app)('POST', '/api/booking/holds', { startsAt: on(2, '09:00') })
    const staff = await staffClient()
    await staff('PATCH', `/api/staff/bookings/${sooner}`, { action: 'cancel' })
    for (const { id } of [first, other]) {
      expect((await staff('GET', `/api/contacts/${id}`)).json()).toMatchObject({
        answeredAt: null,
        calls: [
          { id: later, startsAt: ELEVEN, status: 'booked' },
          { id: sooner, startsAt: TEN, status: 'cancelled' },
        ],
      })
    }
    expect((await staff('GET', `/api/contacts/${stranger.id}`)).json().calls).toEqual([])
  })

  test('move a call also outside of the hours, but never onto another one', async () => {
    await makeHost()
    const id = await bookedId()
    await bookedId(ELEVEN)
    const staff = await staffClient()
    const move = async (startsAt: string) => staff('PATCH', `/api/staff/bookings/${id}`, { action: 'move', startsAt, reason: 'A funeral.' })
    expect((await move(SUNDAY)).json()).toMatchObject({ startsAt: SUNDAY, changedBy: 'staff', changeReason: 'A funeral.', sequence: 1 })
    const refused = await move(on(1, '10:15'))
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'slot_taken'])
    expect((await move(on(-1, '10:00'))).statusCode).toBe(422)
    expect(await kindsTo(guest.email)).toEqual(['call-booked', 'call-booked', 'call-changed'])
  })

  test('ask the guest by email whether another time suits, and nothing moves', async () => {
    await makeHost()
    const id = await bookedId()
    const asked = await (await staffClient())('PATCH', `/api/staff/bookings/${id}`, { action: 'ask', startsAt: ELEVEN })
    expect(asked.json()).toMatchObject({ startsAt: TEN, sequence: 0 })
    const [, proposal] = await emailsTo(guest.email)
    expect([proposal?.kind, proposal?.data.proposed]).toEqual(['call-proposal', ELEVEN])
  })

  test('ask no guest for a time that has passed, or for the one that they have', async () => {
    await makeHost()
    const id = await bookedId()
    const staff = await staffClient()
    const ask = async (startsAt: string) => (await staff('PATCH', `/api/staff/bookings/${id}`, { action: 'ask', startsAt })).statusCode
    expect([await ask(new Date(MONDAY.getTime() - 60_000).toISOString()), await ask(TEN)]).toEqual([422, 422])
    expect(await kindsTo(guest.email)).toEqual(['call-booked'])
  })

  test('hand a call over to another host who has nothing else, with their buffers', async () => {
    await makeHost()
    const id = await bookedId()
    const jean = await makeHost({ name: 'Jean', bufferAfterMinutes: 60 })
    const busy = await makeHost({ name: 'Busy', hours: JSON.stringify([[], [], [], [], [], [], []]) })
    await db
      .insertInto('bookings')
      .values({
        id: newId(),
        hostId: busy.userId,
        status: 'booked',
        startsAt: new Date(TEN),
        endsAt: new Date(ELEVEN),
        blockedFrom: new Date(TEN),
        blockedUntil: new Date(ELEVEN),
      })
      .execute()
    const staff = await staffClient()
    const handOver = async (hostId: string) => staff('PATCH', `/api/staff/bookings/${id}`, { action: 'hand_over', hostId })
    expect((await handOver(busy.userId)).statusCode).toBe(409)
    expect((await handOver(newId())).statusCode).toBe(422)
    expect((await handOver(jean.userId)).json().host).toEqual({ id: jean.userId, name: 'Jean' })
    const row = await db.selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ hostId: jean.userId, blockedUntil: new Date(on(1, '10:30')), sequence: 1 })
  })

  test('cancel with a reason, inside of the change window too; the enquiry is free for another call', async () => {
    await makeHost()
    const contact = await makeContact({ email: guest.email })
    const id = await bookedId()
    vi.setSystemTime(on(1, '08:30'))
    const cancelled = await (await staffClient())('PATCH', `/api/staff/bookings/${id}`, { action: 'cancel', reason: 'Ill.' })
    expect(cancelled.json()).toMatchObject({ status: 'cancelled', changeReason: 'Ill.' })
    vi.setSystemTime(MONDAY)
    const again = await bookedId(ELEVEN)
    const { consultationId } = await db.selectFrom('bookings').selectAll().where('id', '=', again).executeTakeFirstOrThrow()
    const consultation = await db.selectFrom('consultations').selectAll().where('contactId', '=', contact.id).executeTakeFirstOrThrow()
    expect(consultation.id).toBe(consultationId)
  })

  test('note after the call how it ended, and ask a guest who did not come for another time once', async () => {
    await makeHost()
    const id = await bookedId()
    const note = async (change: object) => (await staffClient())('PATCH', `/api/staff/bookings/${id}`, change)
    expect((await note({ action: 'complete' })).json().code).toBe('not_begun')
    vi.setSystemTime(on(1, '09:45'))
    expect((await note({ action: 'no_show' })).json().status).toBe('no_show')
    expect(await kindsTo(guest.email)).toEqual(['call-booked'])
    await note({ action: 'no_show', followUp: true })
    await note({ action: 'no_show', followUp: true })
    expect(await kindsTo(guest.email)).toEqual(['call-booked', 'call-missed'])
    expect((await note({ action: 'complete' })).json().status).toBe('completed')
    expect((await note({ action: 'cancel' })).json().code).toBe('not_booked')
    const actions = await db.selectFrom('auditEvents').select('action').where('subjectId', '=', id).orderBy('id').execute()
    expect(actions.map(({ action }) => action)).toEqual(['call_booked', 'call_missed', 'call_completed'])
  })
})

describe('from a lead, staff', () => {
  const timeZone = 'America/Bogota'
  const eventsOf = async (contactId: string) =>
    db.selectFrom('leadEvents').select(['kind', 'actorId', 'detail']).where('contactId', '=', contactId).orderBy('id').execute()

  test('see the free times of one host, and book one for the person: the emails, the timeline and the log are those of a booked call', async () => {
    const grace = await makeHost()
    const jean = await makeHost({ name: 'Jean', zone: 'UTC' })
    const contact = await makeContact({ email: guest.email, name: guest.name })
    const { user, headers } = await signIn('staff')
    const staff = bookingClient(app, headers)
    const slots = async (hostId: string) =>
      (await staff('GET', `/api/staff/bookings/slots?hostId=${hostId}&from=${on(1, '00:00')}&to=${on(2, '00:00')}`))
        .json()
        .slots.map(({ startsAt }: { startsAt: string }) => startsAt)
    // Lagos is an hour ahead.
    expect([(await slots(grace.userId))[0], (await slots(jean.userId))[0]]).toEqual([on(1, '08:00'), on(1, '09:00')])

    const call = { contactId: contact.id, hostId: jean.userId, startsAt: TEN, timeZone }
    const booked = await staff('POST', '/api/staff/bookings', call)
    expect(booked.statusCode).toBe(201)
    expect(booked.json()).toMatchObject({
      status: 'booked',
      startsAt: TEN,
      timeZone,
      contactId: contact.id,
      host: { id: jean.userId, name: 'Jean' },
      name: guest.name,
      email: guest.email,
      projectDescription: `See enquiry ${contact.reference}.`,
      changedBy: 'staff',
    })
    const [email] = await emailsTo(guest.email)
    expect([email?.kind, email?.data.guestZone, email?.data.startsAt]).toEqual(['call-booked', timeZone, TEN])
    expect(await eventsOf(contact.id)).toMatchObject([{ kind: 'call_booked', actorId: user.id }, { kind: 'stage_changed' }])
    const [noted] = await db.selectFrom('auditEvents').select(['action', 'actorId']).where('subjectId', '=', booked.json().id).execute()
    expect(noted).toEqual({ action: 'call_booked', actorId: user.id })

    // The same host has no second call then; others have.
    const again = await staff('POST', '/api/staff/bookings', call)
    expect([again.statusCode, again.json().code]).toEqual([409, 'slot_taken'])
    expect(again.json().alternatives.length).toBeGreaterThan(0)
    expect((await staff('POST', '/api/staff/bookings', { ...call, hostId: grace.userId })).statusCode).toBe(201)
  })

  test('propose up to three times by email: none is held, each link names its time, and the timeline keeps what was proposed', async () => {
    const { userId } = await makeHost()
    const contact = await makeContact({ email: guest.email })
    const { user, headers } = await signIn('staff')
    const staff = bookingClient(app, headers)
    const proposal = { contactId: contact.id, hostId: userId, timeZone, times: [ELEVEN, TEN], note: 'As we said on the phone.' }
    expect((await staff('POST', '/api/staff/bookings/proposals', proposal)).statusCode).toBe(204)
    const [email] = await emailsTo(guest.email)
    expect(email).toMatchObject({ kind: 'call-times', data: { host: 'Grace Hopper', zone: timeZone, note: proposal.note, minutes: 30 } })
    const links = email?.data.times.map(({ url }: { url: string }) => new URL(url))
    expect(links.map(({ searchParams }: URL) => [searchParams.get('at'), searchParams.get('host'), searchParams.get('zone')])).toEqual([
      [TEN, userId, timeZone],
      [ELEVEN, userId, timeZone],
    ])
    expect(await eventsOf(contact.id)).toEqual([
      {
        kind: 'call_proposed',
        actorId: user.id,
        detail: { text: expect.stringMatching(/Tuesday.* 04:00 \(America.Bogota\)\nTuesday.* 05:00 .*\n\nAs we said on the phone\.$/) },
      },
    ])
    const actions = await db.selectFrom('auditEvents').select(['action', 'actorId']).where('subjectId', '=', contact.id).execute()
    expect(actions).toEqual([{ action: 'call_proposed', actorId: user.id }])
    expect(await db.selectFrom('bookings').select('id').execute()).toEqual([])

    await bookedId(TEN)
    const refused = await staff('POST', '/api/staff/bookings/proposals', proposal)
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'slot_taken'])
    expect(await emailsTo(guest.email)).toHaveLength(2)
  })

  test('get a sentence for wrong input: no or four times, a stranger as host, an unknown lead, one in quarantine, a host who needs a number', async () => {
    await makeHost({ place: 'We call you' })
    const contact = await makeContact()
    const hidden = await makeContact({ quarantinedAt: MONDAY })
    const staff = await staffClient()
    const send = async (kind: 'book' | 'propose', more: object) => {
      const given = { contactId: contact.id, timeZone, ...(kind === 'book' ? { startsAt: TEN } : { times: [TEN] }), ...more }
      const reply = await staff('POST', kind === 'book' ? '/api/staff/bookings' : '/api/staff/bookings/proposals', given)
      return [reply.statusCode, reply.json()?.code]
    }
    for (const times of [[], [TEN, TEN, TEN, TEN], ['soon']]) expect((await send('propose', { times }))[0]).toBe(422)
    for (const kind of ['book', 'propose'] as const) {
      expect((await send(kind, { hostId: newId() }))[0]).toBe(422)
      expect((await send(kind, { contactId: newId() }))[0]).toBe(404)
      expect(await send(kind, { contactId: hidden.id })).toEqual([409, 'in_quarantine'])
      expect((await send(kind, { timeZone: 'Mars/Olympus' }))[0]).toBe(422)
    }
    expect(await send('propose', { times: [SUNDAY] })).toEqual([409, 'slot_taken'])
    expect(await send('book', { startsAt: SUNDAY })).toEqual([409, 'slot_taken'])
    expect(await send('book', {})).toEqual([422, 'validation_failed'])
    expect((await send('book', { phone: '+44 20 7946 0000' }))[0]).toBe(201)
  })
})

test('the host has a notification of each change, which leads to the call', async () => {
  const { userId } = await makeHost()
  const id = await bookedId()
  const jobs = await db.selectFrom('jobs').select('payload').where('kind', '=', 'notifications.tell').execute()
  expect(jobs.map(({ payload }) => payload)).toMatchObject([
    { kind: 'booking', title: 'Call booked: Ada Lovelace', link: `/admin/calendar?call=${id}`, to: { userIds: [userId] } },
  ])
})

test('a host who cancels a call is not told of it', async () => {
  await makeHost()
  const id = await bookedId()
  await db.deleteFrom('jobs').execute()
  const { user, headers } = await signIn('staff')
  await bookingClient(app, headers)('PATCH', `/api/staff/bookings/${id}`, { action: 'cancel', reason: 'Ill.' })
  const jobs = await db.selectFrom('jobs').select('payload').where('kind', '=', 'notifications.tell').execute()
  expect(jobs.map(({ payload }) => payload)).toMatchObject([{ title: 'Call cancelled: Ada Lovelace', by: user.id }])
})

describe('others', () => {
  test('read and change nothing: customers get 403, strangers 401', async () => {
    await makeHost()
    const id = await bookedId()
    const customer = bookingClient(app, (await signIn('customer')).headers)
    for (const [client, status] of [
      [customer, 403],
      [bookingClient(app), 401],
    ] as const) {
      expect((await client('GET', '/api/staff/bookings')).statusCode).toBe(status)
      expect((await client('PATCH', `/api/staff/bookings/${id}`, { action: 'cancel' })).statusCode).toBe(status)
      expect((await client('GET', '/api/staff/bookings/slots')).statusCode).toBe(status)
      expect((await client('POST', '/api/staff/bookings', {})).statusCode).toBe(status)
      expect((await client('POST', '/api/staff/bookings/proposals', {})).statusCode).toBe(status)
    }
  })

  test('with a wrong body or an unknown call get a sentence', async () => {
    await makeHost()
    const staff = await staffClient()
    expect((await staff('PATCH', `/api/staff/bookings/${newId()}`, { action: 'cancel' })).statusCode).toBe(404)
    expect((await staff('PATCH', `/api/staff/bookings/${newId()}`, { action: 'explode' })).statusCode).toBe(422)
    expect((await staff('PATCH', '/api/staff/bookings/none', { action: 'cancel' })).statusCode).toBe(422)
  })
})
