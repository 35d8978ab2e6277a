import { beforeEach, describe, expect, test } from 'vitest'
import { saveSection } from '#app/content/settings/settings.server.ts'
import { refreshServiceHours } from '#app/leads/lead/service-hours.server.ts'
import { db, insert } from '#app/platform/database/db.server.ts'
import { officeWeek } from '#app/platform/time/weekly-hours.ts'
import { startApp } from '#test/app.ts'
import { makeContact, signIn } from '#test/factories.ts'
import type { Attainment, MissedPromise, StageFunnel } from './attainment.ts'

const app = await startApp()
const staff = await signIn('staff')
beforeEach(async () => {
  await db.deleteFrom('contacts').execute()
})

const HOUR = 3_600_000
/** The Monday of last week, so that every deadline of its first days has passed. */
const monday = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000)
monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7) - 7)
const week = monday.toISOString().slice(0, 10)
const after = (hours: number) => new Date(monday.getTime() + hours * HOUR)
const read = async <Reply>(url: string) => (await app.inject({ url, headers: staff.headers })).json<Reply>()

describe('the promises by week', () => {
  test('have the share that was kept, the median and the slowest tenth, without imports, quarantine and what is not due', async () => {
    for (const [came, answered, settled] of [
      [0, 1, 20],
      [0, 2, undefined],
      [1, 4, 30],
      [2, undefined, undefined],
    ] as const) {
      const createdAt = after(came)
      await makeContact({
        createdAt,
        name: `Came ${came}`,
        answeredAt: answered === undefined ? null : after(answered),
        ...(settled !== undefined && { proposal: 'sent' as const, proposalSettledAt: after(settled) }),
      })
    }
    await makeContact({ createdAt: after(0), form: 'import' })
    await makeContact({ createdAt: after(0), quarantinedAt: after(0) })
    await makeContact({ createdAt: new Date() })
    const { promises } = await read<Attainment>('/api/leads/attainment')
    expect(promises).toEqual([
      { clock: 'acknowledgement', hours: 2, weeks: [{ week, due: 4, kept: 2, medianMinutes: 120, p90Minutes: 168 }] },
      { clock: 'response', hours: 24, weeks: [{ week, due: 4, kept: 3, medianMinutes: 120, p90Minutes: 168 }] },
      { clock: 'proposal', hours: 24, weeks: [{ week, due: 4, kept: 1, medianMinutes: 1470, p90Minutes: 1686 }] },
    ])

    const missed = await read<MissedPromise[]>(`/api/leads/attainment/missed?clock=acknowledgement&week=${week}`)
    expect(missed.map(({ name, isOpen }) => [name, isOpen])).toEqual([
      ['Came 2', true],
      ['Came 1', false],
    ])
    expect(missed[1]?.lateMinutes).toBe(60)
    expect(await read(`/api/leads/attainment/missed?clock=acknowledgement&week=2020-01-06`)).toEqual([])
  })

  test('count business hours where the settings do, and no withdrawn enquiry', async () => {
    const business = { counts: 'Business hours', zone: 'UTC', week: officeWeek, holidays: [] }
    await saveSection('hours', business, (await signIn('owner')).user.id, 0)
    try {
      // On the Monday, office hours are from 9:00 to 17:00: two of them after midnight end at 11:00.
      await makeContact({ createdAt: after(0), name: 'Kept', answeredAt: after(10.5) })
      await makeContact({ createdAt: after(0), name: 'Missed', answeredAt: after(11.5) })
      await makeContact({ createdAt: after(0), name: 'Withdrew', withdrawnAt: after(8) })
      await makeContact({ createdAt: after(0), name: 'Withdrew later', answeredAt: after(10.5), withdrawnAt: after(12) })
      const { promises } = await read<Attainment>('/api/leads/attainment')
      expect(promises[0]?.weeks).toMatchObject([{ week, due: 3, kept: 2 }])
      const missed = await read<MissedPromise[]>(`/api/leads/attainment/missed?clock=acknowledgement&week=${week}`)
      expect(missed).toMatchObject([{ name: 'Missed', isOpen: false, lateMinutes: 30 }])
    } finally {
      await db.deleteFrom('siteSettingRevisions').execute()
      await db.deleteFrom('siteSettings').execute()
      await refreshServiceHours()
    }
  })

  test.each(['clock=x&week=2026-01-05', 'clock=response&week=soon', 'clock=response'])('%s is refused', async (query) => {
    expect((await app.inject({ url: `/api/leads/attainment/missed?${query}`, headers: staff.headers })).statusCode).toBe(422)
  })
})

describe('the stages of a period', () => {
  test('have the enquiries that came at least that far, the median days, and the value of all leads', async () => {
    const daysAgo = (days: number) => new Date(Date.now() - days * 24 * HOUR)
    const move = async (contactId: string, from: number, to: number, createdAt: Date) => {
      await insert(db, 'leadEvents', { contactId, kind: 'stage_changed', detail: JSON.stringify({ from, to }), createdAt })
      await db.updateTable('leads').set({ stageId: to }).where('contactId', '=', contactId).execute()
    }
    const won = await makeContact({ createdAt: daysAgo(6) })
    await move(won.id, 1, 3, daysAgo(4))
    await move(won.id, 3, 6, daysAgo(1))
    const lost = await makeContact({ createdAt: daysAgo(6) })
    await move(lost.id, 1, 2, daysAgo(2))
    await move(lost.id, 2, 7, daysAgo(1))
    await makeContact({ createdAt: daysAgo(1) })
    const old = await makeContact({ createdAt: daysAgo(60) })
    await db.updateTable('leads').set({ stageId: 5, valueCents: 100_000 }).where('contactId', '=', old.id).execute()

    const { stages, lostReasons } = await read<StageFunnel>('/api/leads/funnel?days=7')
    expect(stages.map(({ name, reached, medianDays }) => [name, reached, medianDays])).toEqual([
      ['New', 3, 3],
      ['Acknowledged', 2, 1],
      ['Qualified', 1, 3],
      ['Call booked', 1, null],
      ['Proposal sent', 1, null],
      ['Won', 1, null],
      ['Lost', 1, null],
    ])
    expect(lostReasons).toEqual([{ reason: null, count: 1, valueCents: 0 }])
    expect(stages.map(({ now }) => now.count)).toEqual([1, 0, 0, 0, 1, 1, 1])
    expect(stages.find(({ name }) => name === 'Proposal sent')?.now.valueCents).toBe(100_000)
  })
})

test.each(['/api/leads/attainment', '/api/leads/funnel', `/api/leads/attainment/missed?clock=response&week=${week}`])(
  '%s is for staff',
  async (url) => {
    expect((await app.inject({ url, headers: staff.headers })).statusCode).toBe(200)
    expect((await app.inject({ url, headers: (await signIn('customer')).headers })).statusCode).toBe(403)
    expect((await app.inject({ url })).statusCode).toBe(401)
  },
)
