import { describe, expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { startApp } from '#test/app.ts'
import { makeConsultation, makeContact, signIn } from '#test/factories.ts'
import type { LeadInsights } from './lead-insights.ts'

const app = await startApp()

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)

async function read(query = '', role: 'staff' | 'customer' = 'staff') {
  const response = await app.inject({ url: `/api/leads/insights${query}`, headers: (await signIn(role)).headers })
  return { status: response.statusCode, insights: response.json<LeadInsights>() }
}

/** An enquiry that came so many hours ago, and was answered so many minutes later. */
async function enquire(
  hours: number,
  { minutes, ...given }: { minutes?: number; form?: 'hire' | 'home' | 'import'; countryCode?: string; quarantinedAt?: Date } = {},
) {
  const createdAt = hoursAgo(hours)
  const answeredAt = minutes === undefined ? null : new Date(createdAt.getTime() + minutes * 60_000)
  return makeContact({ createdAt, answeredAt, ...given })
}

describe('happy', () => {
  test('counts the enquiries of the period, how far they got, how fast replies were, and where they came from', async () => {
    await db.deleteFrom('contacts').execute()
    const { id, personId } = await enquire(1, { minutes: 20, form: 'hire', countryCode: 'DE' })
    await makeConsultation({ contactId: id, personId, source: 'contact' })
    await enquire(2, { minutes: 119, form: 'home', countryCode: 'DE' })
    await enquire(30, { minutes: 121, form: 'home', countryCode: 'FR' })
    await enquire(40, { form: 'home', countryCode: 'FR' })
    await enquire(24 * 8, { form: 'home' })
    await enquire(1, { quarantinedAt: new Date() })
    const { insights } = await read('?days=7')
    expect(insights).toMatchObject({
      days: 7,
      contacts: { count: 4, before: 1 },
      consultations: { count: 1, before: 0 },
      funnel: { received: 4, replied: 3, proposed: 0, consulted: 1 },
      replies: { inTime: 2, total: 3, open: 1, medianMinutes: 119 },
      sources: [
        { name: 'home', count: 3 },
        { name: 'hire', count: 1 },
      ],
      countries: [
        { name: 'DE', count: 2 },
        { name: 'FR', count: 2 },
      ],
    })
    expect(insights.contacts.line).toHaveLength(7)
    expect(insights.contacts.line.reduce((sum, count) => sum + count, 0)).toBe(4)
    expect(insights.replies.times.map(({ count }) => count)).toEqual([1, 1, 1, 0, 0])
  })

  test('imported leads count as received, and not as replied here within 0 minutes', async () => {
    await db.deleteFrom('consultations').execute()
    await db.deleteFrom('contacts').execute()
    await enquire(3, { minutes: 0, form: 'import' })
    await enquire(2, { minutes: 50, form: 'home' })
    await enquire(1, { form: 'home' })
    const { insights } = await read('?days=7')
    expect(insights.contacts.count).toBe(3)
    expect(insights.replies).toMatchObject({ inTime: 1, total: 1, open: 1, medianMinutes: 50 })
    expect(insights.replies.times.map(({ count }) => count)).toEqual([0, 1, 0, 0, 0])
  })

  test('a year is drawn in parts of several days', async () => {
    const { insights } = await read('?days=365')
    expect(insights.contacts.line.length).toBeLessThanOrEqual(45)
    expect(insights.contacts.line.reduce((sum, count) => sum + count, 0)).toBe(insights.contacts.count)
  })
})

test.each(['?days=0', '?days=8', '?days=x'])('%s is refused', async (query) => {
  expect((await read(query)).status).toBe(422)
})

test('customers and strangers see none of it', async () => {
  expect((await read('', 'customer')).status).toBe(403)
  expect((await app.inject({ url: '/api/leads/insights' })).statusCode).toBe(401)
})
