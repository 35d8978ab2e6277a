import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { saveSection } from '#app/content/settings/settings.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { officeWeek } from '#app/platform/time/weekly-hours.ts'
import { startEndpoints } from '#test/app.ts'
import { makeContact, signIn } from '#test/factories.ts'
import { tellClocks } from './clock-notice.server.ts'
import { refreshServiceHours } from '#app/leads/lead/service-hours.server.ts'
import { jobOf } from '#test/job.ts'

const app = await startEndpoints()
const staff = await signIn('staff')
const owner = await signIn('owner')
await signIn('customer')

const MINUTE = 60_000
const HOUR = 60 * MINUTE

beforeEach(async () => {
  await db.deleteFrom('jobs').execute()
  await db.deleteFrom('notifications').execute()
  await db.deleteFrom('contacts').execute()
  await db.deleteFrom('siteSettingRevisions').execute()
  await db.deleteFrom('siteSettings').execute()
  await refreshServiceHours()
})

const clocksOf = async (id: string) => {
  const rows = await db.selectFrom('leadClocks').selectAll().where('contactId', '=', id).orderBy('clock').execute()
  return { acknowledgement: rows[0], proposal: rows[1], response: rows[2] }
}

/** Runs the queued notices, and returns who was told what. */
async function told(): Promise<[string, string][]> {
  const jobs = await db.selectFrom('jobs').selectAll().where('kind', '=', 'notifications.tell').orderBy('id').execute()
  for (const { id, payload } of jobs)
    await jobOf('notifications.tell').run(payload, { id, attempt: 1, signal: new AbortController().signal })
  await db.deleteFrom('jobs').where('kind', '=', 'notifications.tell').execute()
  const rows = await db.deleteFrom('notifications').returning(['userId', 'title', 'kind']).execute()
  const names: Record<string, string> = { [staff.user.id]: 'staff', [owner.user.id]: 'owner' }
  return rows
    .map(({ userId, title }): [string, string] => [names[userId] ?? 'a stranger', title])
    .toSorted(([one], [other]) => one.localeCompare(other))
}

const everybody = (title: string) => [
  ['owner', title],
  ['staff', title],
]

describe('notices of clocks', () => {
  test('without an owner, everybody is told 15 minutes before and at the breach, each once, also by several processes', async () => {
    const { promisedFrom } = await makeContact({ name: 'Ada', createdAt: new Date() })
    const at = (ms: number) => new Date(promisedFrom.getTime() + ms)

    await tellClocks(at(2 * HOUR - 15 * MINUTE - 1))
    expect(await told()).toEqual([])
    await Promise.all([1, 2, 3].map(() => tellClocks(at(2 * HOUR - 15 * MINUTE))))
    expect(await told()).toEqual(everybody('Acknowledgement due in 15 minutes: Ada'))
    await tellClocks(at(2 * HOUR - 1))
    expect(await told()).toEqual([])
    await Promise.all([1, 2, 3].map(() => tellClocks(at(2 * HOUR))))
    await tellClocks(at(2 * HOUR + MINUTE))
    expect(await told()).toEqual(everybody('Acknowledgement overdue: Ada'))
    // Two promises for the same instant are one notice.
    await tellClocks(at(24 * HOUR))
    expect(await told()).toEqual(everybody('Answer and proposal overdue: Ada'))
  })

  test('the owner of the lead is warned alone, and everybody learns of the breach', async () => {
    const { id, promisedFrom } = await makeContact({ name: 'Ada', createdAt: new Date() })
    await db.updateTable('leads').set({ ownerId: staff.user.id }).where('contactId', '=', id).execute()
    await tellClocks(new Date(promisedFrom.getTime() + 110 * MINUTE))
    expect(await told()).toEqual([['staff', 'Acknowledgement due in 15 minutes: Ada']])
    await tellClocks(new Date(promisedFrom.getTime() + 120 * MINUTE))
    expect(await told()).toEqual(everybody('Acknowledgement overdue: Ada'))
  })

  test('where the owner of the lead is suspended, everybody else is warned', async () => {
    const suspended = await signIn('staff', { bannedUntil: new Date(Date.now() + HOUR) })
    const { id, promisedFrom } = await makeContact({ name: 'Ada', createdAt: new Date() })
    await db.updateTable('leads').set({ ownerId: suspended.user.id }).where('contactId', '=', id).execute()
    await tellClocks(new Date(promisedFrom.getTime() + 110 * MINUTE))
    const found = await told()
    await db.deleteFrom('users').where('id', '=', suspended.user.id).execute()
    expect(found).toEqual(everybody('Acknowledgement due in 15 minutes: Ada'))
  })

  test('an ended, deleted or quarantined enquiry tells nobody, and a reopened one tells what is still ahead', async () => {
    const answered = await makeContact()
    await app.inject({ method: 'POST', url: `/api/contacts/${answered.id}/answer`, headers: staff.headers })
    await makeContact({ deletedAt: new Date() })
    await makeContact({ quarantinedAt: new Date() })
    await tellClocks(new Date(Date.now() + 3 * HOUR))
    expect(await told()).toEqual([])

    await app.inject({ method: 'DELETE', url: `/api/contacts/${answered.id}/answer`, headers: staff.headers })
    await tellClocks(new Date(Date.now() + 3 * HOUR))
    expect((await told()).map(([, title]) => title)).toEqual(Array(2).fill('Acknowledgement overdue: Ada Lovelace'))
  })

  test('a lead that is won or lost has no running clock; reopened, it tells only what is still ahead', async () => {
    const { id } = await makeContact()
    const stages = await db.selectFrom('leadStages').select(['id', 'outcome']).orderBy('position').execute()
    const moveTo = async (outcome: string) => {
      const stageId = stages.find((stage) => stage.outcome === outcome)?.id ?? 0
      const payload = { choice: { ids: [id] }, change: { change: 'stage', stageId } }
      expect((await app.inject({ method: 'POST', url: '/api/leads/bulk', headers: staff.headers, payload })).statusCode).toBe(200)
    }
    const states = async () => Object.values(await clocksOf(id)).map((clock) => clock?.state)
    for (const outcome of ['won', 'lost']) {
      await moveTo(outcome)
      expect(await states()).toEqual(['void', 'void', 'void'])
      // A change of the enquiry itself does not start them either.
      await db.updateTable('contacts').set({ answeredAt: new Date() }).where('id', '=', id).execute()
      await db.updateTable('contacts').set({ answeredAt: null }).where('id', '=', id).execute()
      expect(await states()).toEqual(['void', 'void', 'void'])
      const waiting = await app.inject({ url: '/api/leads/summary', headers: staff.headers })
      expect(waiting.json().waiting.total).toBe(0)
    }
    await tellClocks(new Date(Date.now() + 1000 * HOUR))
    expect(await told()).toEqual([])
    await moveTo('open')
    expect(await states()).toEqual(['running', 'running', 'running'])
  })

  test('a release starts the clocks; an enquiry that begins late, and an imported one, tell nobody', async () => {
    const quarantined = await makeContact({ quarantinedAt: new Date(), createdAt: new Date(Date.now() - 30 * HOUR) })
    await app.inject({ method: 'POST', url: `/api/contacts/${quarantined.id}/release`, headers: staff.headers })
    await makeContact({ createdAt: new Date(Date.now() - 30 * HOUR) })
    await makeContact({ form: 'import' })
    await db.deleteFrom('jobs').execute()
    await tellClocks()
    expect(await told()).toEqual([])
    await tellClocks(new Date(Date.now() + 2 * HOUR + MINUTE))
    expect(await told()).toEqual(everybody('Acknowledgement overdue: Ada Lovelace'))
    expect(await db.selectFrom('leadClocks').selectAll().where('contactId', 'not in', [quarantined.id]).execute()).toHaveLength(3)
  })

  test('a process that was down tells of the breach, not of its warning', async () => {
    const { promisedFrom } = await makeContact({ name: 'Ada', createdAt: new Date() })
    await tellClocks(new Date(promisedFrom.getTime() + 5 * HOUR))
    expect(await told()).toEqual(everybody('Acknowledgement overdue: Ada'))
  })

  test('the jobs of the product tell without anyone asking', async () => {
    await makeContact({ name: 'Ada', createdAt: new Date(Date.now() - 2 * HOUR + 1500) })
    startJobs()
    const titles = async () => (await db.selectFrom('notifications').select('title').execute()).map(({ title }) => title)
    await expect.poll(titles, { timeout: 30_000, interval: 200 }).toEqual(Array(2).fill('Acknowledgement overdue: Ada'))
    await stopJobs()
  })

  test('a run plans the next one at the very instant', async () => {
    const { promisedFrom } = await makeContact({ createdAt: new Date() })
    const instant = promisedFrom.getTime() + 2 * HOUR
    await tellClocks(new Date(instant - 90_000))
    const planned = await db.selectFrom('jobs').select('runAt').where('kind', '=', 'leads.clock-notices').execute()
    expect(planned.map(({ runAt }) => runAt.getTime())).toEqual([instant + 1])
  })
})

describe('a change of the business hours', () => {
  const business = { counts: 'Business hours', zone: 'UTC', week: officeWeek, holidays: [] }

  test('moves the deadlines that are ahead; passed and ended ones stay; restoring it moves them back', async () => {
    const since = new Date(Date.now() - 3 * HOUR)
    const open = await makeContact({ createdAt: since })
    const ended = await makeContact({ createdAt: since, answeredAt: new Date(), proposal: 'sent', proposalSettledAt: new Date() })
    const before = { open: await clocksOf(open.id), ended: await clocksOf(ended.id) }
    await saveSection('hours', business, owner.user.id, 0)

    const after = await clocksOf(open.id)
    expect(after.acknowledgement).toEqual(before.open.acknowledgement)
    expect(after.response?.dueAt.getTime()).toBeGreaterThan(Date.now() + 24 * HOUR)
    expect(await clocksOf(ended.id)).toEqual(before.ended)
    const { rows } = await sql<{ due: Date }>`SELECT breach_instant_of(${since}::timestamptz, 24) AS due`.execute(db)
    expect(after.proposal?.dueAt).toEqual(rows[0]?.due)

    await saveSection('hours', null, owner.user.id, 1)
    expect(await clocksOf(open.id)).toEqual(before.open)
  })

  test('a start completes a save that was cut off, and a later deadline warns before that one', async () => {
    const contact = await makeContact({ name: 'Ada', createdAt: new Date() })
    const due = (await clocksOf(contact.id)).acknowledgement?.dueAt ?? new Date(0)
    await tellClocks(new Date(due.getTime() - MINUTE))
    await told()
    const value = JSON.stringify({ ...business, week: laterToday(due) })
    await db.insertInto('siteSettings').values({ section: 'hours', value, version: 1 }).execute()
    await refreshServiceHours()
    const moved = (await clocksOf(contact.id)).acknowledgement
    expect(moved?.dueAt.getTime()).toBeGreaterThan(due.getTime() + 24 * HOUR)
    expect(moved?.warnedAt).toBeNull()
  })

  test('hours without openings are refused, with the field; zones, times and dates too', async () => {
    const save = async (value: object) =>
      app.inject({ method: 'PUT', url: '/api/settings/sections/hours', headers: { ...owner.headers, 'if-match': '"0"' }, payload: value })
    const closed = Array.from({ length: 7 }, () => [])
    expect((await save({ ...business, week: closed })).json().errors).toEqual({
      week: 'Deadlines in business hours need at least 5 open hours per week.',
    })
    expect((await save({ ...business, zone: 'Mars/Olympus' })).json().errors).toHaveProperty('zone')
    expect((await save({ ...business, holidays: ['2026-02-30'] })).statusCode).toBe(422)
    expect((await save({ ...business, week: [[{ from: '17:00', until: '09:00' }], ...officeWeek.slice(1)] })).statusCode).toBe(422)
    expect((await save({ ...business, counts: 'All hours', week: closed })).statusCode).toBe(200)
  })
})

/** Open only on another weekday than a deadline, five hours. */
function laterToday(due: Date) {
  const day = (due.getUTCDay() + 6 + 2) % 7
  return Array.from({ length: 7 }, (_, at) => (at === day ? [{ from: '10:00', until: '15:00' }] : []))
}
