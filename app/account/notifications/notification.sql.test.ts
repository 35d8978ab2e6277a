import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { announceFailedJobs, enqueue, jobKinds } from '#app/platform/jobs.server.ts'
import { EMAIL_JOB } from '#app/mail/outbox.server.ts'
import { removeUser } from '#app/auth/directory/remove-user.server.ts'
import { db, insert, newId, transaction } from '#app/platform/database/db.server.ts'
import { ada, sendEnquiry } from '#test/enquiries.ts'
import { startApp } from '#test/app.ts'
import { makeApiKey, signIn, type SignedIn } from '#test/factories.ts'
import type { NotificationPage } from './notification.ts'
import { notificationJob, type NewNotification } from './notification.server.ts'
import { jobOf } from '#test/job.ts'

const app = await startApp()

/** Runs the enqueued jobs that tell people, as the worker would. */
async function tellAll() {
  const jobs = await db
    .selectFrom('jobs')
    .select(['id', 'payload'])
    .where('kind', '=', 'notifications.tell')
    .where('doneAt', 'is', null)
    .execute()
  for (const { id, payload } of jobs) {
    await jobOf('notifications.tell').run(payload, { id, attempt: 1, signal: new AbortController().signal })
    await db.updateTable('jobs').set({ doneAt: new Date() }).where('id', '=', id).execute()
  }
}

async function run(kind: string) {
  await jobOf(kind).run(null, { id: newId(), attempt: 1, signal: new AbortController().signal })
  await tellAll()
}

const tell = async (to: SignedIn, given: Partial<NewNotification> = {}) => {
  const id = newId()
  const notice: NewNotification = {
    kind: 'key_expiry',
    title: 'A key ends',
    link: '/account/keys',
    dedupeKey: id,
    to: { userIds: [to.user.id] },
    ...given,
  }
  await enqueue(db, notificationJob(notice))
  await tellAll()
}

const read = async ({ headers }: SignedIn, query = '') => {
  const response = await app.inject({ url: `/api/notifications${query}`, headers })
  return { status: response.statusCode, cache: response.headers['cache-control'], ...response.json<NotificationPage>() }
}
const mark = async ({ headers }: SignedIn, id: string, isRead: boolean) =>
  app.inject({ method: 'PATCH', url: `/api/notifications/${id}`, headers, payload: { read: isRead } })

describe('happy', () => {
  test('a new lead is told to all staff, once, and to no customer', async () => {
    const [staff, owner, customer] = [await signIn('staff'), await signIn('owner'), await signIn()]
    expect((await sendEnquiry(app, ada)).statusCode).toBe(201)
    await tellAll()
    await tellAll()
    for (const person of [staff, owner]) {
      const { items, unread } = await read(person)
      expect([unread, items.map(({ kind, title, readAt }) => [kind, title, readAt])]).toEqual([
        1,
        [['lead', `New enquiry from ${ada.name}`, null]],
      ])
      expect(items[0]?.link).toMatch(/^\/leads\/W-/)
    }
    expect(await read(customer)).toMatchObject({ items: [], unread: 0, nextCursor: null })
  })

  test('events that happen together are told by one job, and each person is told of each of them once', async () => {
    const [staff, customer] = [await signIn('staff'), await signIn()]
    const jobs = ['one', 'two', 'three'].map((title) =>
      notificationJob({ kind: 'lead', title, link: '/dashboard', dedupeKey: newId(), to: { roles: ['staff'] } }),
    )
    await enqueue(db, ...jobs)
    const [first, ...others] = await db
      .selectFrom('jobs')
      .selectAll()
      .where('kind', '=', 'notifications.tell')
      .where('doneAt', 'is', null)
      .execute()
    const run = async (payload: unknown, attempt: number) =>
      jobKinds()
        .get('notifications.tell')
        ?.run(payload, { id: first?.id ?? '', attempt, signal: new AbortController().signal })
    await db
      .updateTable('jobs')
      .set({ attempts: 1 })
      .where('id', '=', first?.id ?? '')
      .execute()
    await run(first?.payload, 1)
    await run([first?.payload, ...others.map(({ payload }) => payload)], 2)
    const { items } = await read(staff)
    expect(items.map(({ title }) => title).toSorted()).toEqual(['one', 'three', 'two'])
    expect((await read(customer)).items).toEqual([])
    const waiting = await db.selectFrom('jobs').select('id').where('kind', '=', 'notifications.tell').where('doneAt', 'is', null).execute()
    expect(waiting).toEqual([{ id: first?.id }])
    await db.deleteFrom('jobs').where('kind', '=', 'notifications.tell').execute()
  })

  test('a job that has failed before takes no others along', async () => {
    await signIn('staff')
    const bad = { kind: 'lead', title: 'Bad' }
    const good = notificationJob({ kind: 'lead', title: 'Good', link: '/dashboard', dedupeKey: newId(), to: { roles: ['staff'] } })
    await enqueue(db, { kind: 'notifications.tell', payload: bad }, good)
    const run = async (attempt: number) =>
      jobOf('notifications.tell').run(good.payload, { id: newId(), attempt, signal: new AbortController().signal })
    await expect(run(1)).rejects.toThrow('Invalid input')
    await run(2)
    const waiting = await db
      .selectFrom('jobs')
      .select('payload')
      .where('kind', '=', 'notifications.tell')
      .where('doneAt', 'is', null)
      .execute()
    expect(waiting).toHaveLength(2)
    await db.deleteFrom('jobs').where('kind', '=', 'notifications.tell').execute()
  })

  test('reading is each person’s own, can be undone, and is the same on every device', async () => {
    const [one, other] = [await signIn(), await signIn()]
    await tell(one)
    await tell(other)
    const [item] = (await read(one)).items
    expect((await mark(one, item?.id ?? '', true)).json()).toMatchObject({ id: item?.id, readAt: expect.any(String) })
    expect([(await read(one)).unread, (await read(other)).unread]).toEqual([0, 1])
    expect((await read(one, '?unread=true')).items).toEqual([])
    await mark(one, item?.id ?? '', false)
    expect((await read(one, '?unread=true')).items).toHaveLength(1)
  })

  test('a notification is read once its page is opened, by that person, with further parameters too', async () => {
    const [one, other] = [await signIn('staff'), await signIn('staff')]
    const opened = async (path: string) =>
      (await app.inject({ method: 'POST', url: '/api/notifications/opened', headers: one.headers, payload: { path } })).json()
    for (const to of [one, other]) await tell(to, { kind: 'lead', title: 'A reply', link: '/leads/W-AAAAAA' })
    await tell(one, { kind: 'lead', title: 'Of another lead', link: '/leads/W-AAAAAB' })
    await tell(one, { kind: 'access_request', title: 'A request', link: '/admin/users?tab=requests' })
    expect(await opened('/leads/W-AAAAAA?reply')).toEqual({ marked: 1 })
    expect(await opened('/leads/W-AAAAAA')).toEqual({ marked: 0 })
    expect(await opened('/admin/users')).toEqual({ marked: 0 })
    expect(await opened('/admin/users?q=ada&tab=requests')).toEqual({ marked: 1 })
    expect([(await read(one)).unread, (await read(other)).unread]).toEqual([1, 1])
  })

  test('nobody is told of an act of their own', async () => {
    const [one, other] = [await signIn('staff'), await signIn('staff')]
    await tell(one, { kind: 'lead', title: 'Cancelled', by: one.user.id, to: { userIds: [one.user.id, other.user.id] } })
    expect([(await read(one)).unread, (await read(other)).unread]).toEqual([0, 1])
  })

  test('all are marked up to the newest that was seen; one that arrives meanwhile stays unread', async () => {
    const person = await signIn()
    await tell(person)
    await tell(person)
    const [seen] = (await read(person)).items
    await tell(person, { title: 'Arrived meanwhile' })
    const reply = await app.inject({ method: 'POST', url: '/api/notifications/read', headers: person.headers, payload: { upTo: seen?.id } })
    expect(reply.json()).toEqual({ marked: 2 })
    expect((await read(person, '?unread=true')).items.map(({ title }) => title)).toEqual(['Arrived meanwhile'])
  })

  test('where a kind is chosen, all of that kind are marked and no other', async () => {
    const person = await signIn('staff')
    await tell(person, { kind: 'mention' })
    await tell(person, { kind: 'booking' })
    const [call] = (await read(person, '?kind=booking')).items
    const payload = { upTo: call?.id, kind: 'booking' }
    const reply = await app.inject({ method: 'POST', url: '/api/notifications/read', headers: person.headers, payload })
    expect([reply.json(), (await read(person, '?unread=true')).items.map(({ kind }) => kind)]).toEqual([{ marked: 1 }, ['mention']])
  })

  test('pages follow one another without a gap, and a kind can be chosen', async () => {
    const person = await signIn()
    for (let count = 0; count < 5; count += 1) await tell(person, { title: `Number ${count}` })
    await tell(person, { kind: 'dataset_version', title: 'Prices' })
    const first = await read(person, '?limit=4')
    const second = await read(person, `?limit=4&cursor=${first.nextCursor}`)
    expect([...first.items, ...second.items].map(({ title }) => title)).toEqual([
      'Prices',
      'Number 4',
      'Number 3',
      'Number 2',
      'Number 1',
      'Number 0',
    ])
    expect(second.nextCursor).toBeNull()
    expect((await read(person, '?kind=dataset_version')).items.map(({ title }) => title)).toEqual(['Prices'])
  })

  test('the owner of a key is told a week and a day before it ends, each once, and a short one only a day before', async () => {
    const person = await signIn()
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000)
    const { id } = await makeApiKey(person.user.id)
    await db
      .updateTable('apiKeys')
      .set({ expiresAt: hours(100) })
      .where('id', '=', id)
      .execute()
    await run('api-keys.expiring')
    await run('api-keys.expiring')
    await db
      .updateTable('apiKeys')
      .set({ expiresAt: hours(20) })
      .where('id', '=', id)
      .execute()
    const short = await makeApiKey(person.user.id)
    await db
      .updateTable('apiKeys')
      .set({ name: 'Short', expiresAt: hours(20) })
      .where('id', '=', short.id)
      .execute()
    await run('api-keys.expiring')
    const titles = (await read(person)).items.map(({ title }) => title)
    expect(titles.filter((title) => title.includes('Short'))).toEqual(['API key Short expires within a day'])
    await db.deleteFrom('apiKeys').where('id', '=', short.id).execute()
    expect(titles.filter((title) => title.includes('Nightly'))).toEqual([
      'API key Nightly expires within a day',
      'API key Nightly expires within 7 days',
    ])
  })

  test('staff are told of an email that failed, also of one that a killed process did not announce', async () => {
    const staff = await signIn('staff')
    const payload = JSON.stringify({ kind: 'x', to: 'a@b.example', messageId: '<1@b>', subject: 'Your enquiry' })
    await insert(db, 'jobs', { kind: EMAIL_JOB, payload, failedAt: new Date(), attempts: 12 })
    await announceFailedJobs(new Set([EMAIL_JOB]))
    await run('notifications.failed-emails')
    const told = (await read(staff, '?kind=email_failed')).items
    expect(told.map(({ title, body }) => [title, body])).toEqual([['Email to a@b.example could not be delivered', 'Your enquiry.']])
  })

  test('a notification is deleted after 90 days, and with its account', async () => {
    const [old, leaving] = [await signIn(), await signIn()]
    await tell(old)
    await tell(leaving)
    await sql`UPDATE notifications SET created_at = now() - interval '91 days' WHERE user_id = ${old.user.id}`.execute(db)
    await run('notifications.housekeeping')
    expect((await read(old)).items).toEqual([])
    await transaction(async (trx) => removeUser(trx, leaving.user, {}))
    expect(await db.selectFrom('notifications').select('id').where('userId', '=', leaving.user.id).execute()).toEqual([])
  })
})

describe('error', () => {
  test.each(['?cursor=1', '?limit=0', '?limit=1000', '?kind=other', '?unread=maybe'])('%s is refused', async (query) => {
    expect((await read(await signIn(), query)).status).toBe(422)
  })

  test('an unknown notification is 404', async () => {
    expect((await mark(await signIn(), newId(), true)).statusCode).toBe(404)
  })
})

describe('security', () => {
  test('strangers see nothing, and no answer is cached', async () => {
    expect((await app.inject({ url: '/api/notifications' })).statusCode).toBe(401)
    expect((await read(await signIn())).cache).toBe('no-store')
  })

  test('another person’s notification does not exist', async () => {
    const [one, other] = [await signIn(), await signIn()]
    await tell(one)
    const [item] = (await read(one)).items
    expect((await mark(other, item?.id ?? '', true)).statusCode).toBe(404)
    await app.inject({ method: 'POST', url: '/api/notifications/read', headers: other.headers, payload: { upTo: item?.id } })
    expect((await read(one)).unread).toBe(1)
  })

  test('staff without the right to manage billing are not told of its problems, and see none', async () => {
    const [owner, able, other] = [await signIn('owner'), await signIn('staff'), await signIn('staff')]
    await db.updateTable('users').set({ rights: '["billing.write"]' }).where('id', '=', able.user.id).execute()
    const problem: Partial<NewNotification> = { kind: 'payment_problem', title: 'A refund waits', link: '/admin/billing?tab=tasks' }
    await tell(owner, { ...problem, to: { roles: ['staff', 'owner'] } })
    for (const person of [owner, able]) expect(await read(person)).toMatchObject({ items: [{ title: 'A refund waits' }] })
    expect(await read(other)).toMatchObject({ items: [], unread: 0 })
    await tell(other, problem)
    expect(await read(other)).toMatchObject({ items: [], unread: 0 })
  })

  test('a person who loses the staff role no longer sees what was for staff', async () => {
    const staff = await signIn('staff')
    await tell(staff, { kind: 'lead', title: 'New enquiry from Ada' })
    await db.updateTable('users').set({ appMetadata: '{"role":"customer"}' }).where('id', '=', staff.user.id).execute()
    expect(await read(staff)).toMatchObject({ items: [], unread: 0 })
  })
})
