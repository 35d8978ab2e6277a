import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { makeConsultation, makeContact, signIn } from '#test/factories.ts'

const app = await startEndpoints()
const staff = await signIn('staff')
beforeEach(async () => {
  await db.deleteFrom('consultations').execute()
  await db.deleteFrom('contacts').execute()
  await db.deleteFrom('jobs').execute()
})

const home = async (headers: Record<string, string> = staff.headers) => app.inject({ url: '/api/workspace', headers })
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
const settled = { proposal: 'not_needed', proposalSettledAt: new Date() } as const

describe('happy', () => {
  test.each(['staff', 'owner'] as const)('the %s reads that nothing waits while nothing does', async (role) => {
    expect((await home((await signIn(role)).headers)).json()).toEqual({
      view: 'staff',
      overdue: { acknowledgement: 0, proposal: 0, inTime: 0, nextInSeconds: null, leads: [] },
      quarantined: 0,
      failedLetters: 0,
      accessRequests: 0,
      datasetRequests: 0,
      paymentTasks: 0,
      failedImports: 0,
      lastDay: { contacts: 0, consultations: 0, newest: [] },
      conversion: { conversionRate: null },
    })
  })

  test('two clocks run apart, in elapsed hours: two for the acknowledgement by a person, twenty-four for the proposal', async () => {
    await makeContact({ name: 'In time', createdAt: hoursAgo(1.9) })
    await makeContact({ name: 'Unread', createdAt: hoursAgo(2.1) })
    await makeContact({ name: 'Answered', createdAt: hoursAgo(23.9), answeredAt: new Date() })
    await makeContact({ name: 'Unproposed', createdAt: hoursAgo(24.1), answeredAt: hoursAgo(24) })
    await makeContact({ name: 'Forgotten', createdAt: hoursAgo(70) })
    await makeContact({ name: 'Settled', createdAt: hoursAgo(99), answeredAt: new Date(), ...settled })
    await makeContact({ name: 'Doubtful', createdAt: hoursAgo(99), quarantinedAt: new Date() })

    const { overdue } = (await home()).json()
    expect(overdue).toMatchObject({ acknowledgement: 2, proposal: 2, inTime: 1 })
    expect(overdue.leads.map(({ name, acknowledgement, proposal }: Record<string, unknown>) => [name, acknowledgement, proposal])).toEqual([
      ['Forgotten', true, true],
      ['Unproposed', false, true],
      ['Unread', true, false],
    ])
  })

  test('it is known when the next one is overdue, by whichever clock is first', async () => {
    const next = async () => (await home()).json().overdue.nextInSeconds
    await makeContact({ createdAt: hoursAgo(23), answeredAt: new Date() })
    expect(Math.round((await next()) / 60)).toBe(60)
    await makeContact({ createdAt: hoursAgo(1.5) })
    expect(Math.round((await next()) / 60)).toBe(30)
    await makeContact({ createdAt: hoursAgo(99) })
    expect(Math.round((await next()) / 60)).toBe(30)
  })

  test('an automatic email stops no clock; a person does', async () => {
    const ada = {
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      country: 'United Kingdom',
      problem: 'Prices',
      message: 'Prices of 40 shops.',
    }
    const { id } = (await app.inject({ method: 'POST', url: '/api/contact', payload: ada })).json()
    await sql`UPDATE contacts SET created_at = ${hoursAgo(3)} WHERE id = ${id}`.execute(db)
    expect(await db.selectFrom('jobs').select('id').where('kind', '=', 'letter').execute()).toHaveLength(2)
    expect((await home()).json().overdue.acknowledgement).toBe(1)

    await app.inject({ method: 'POST', url: `/api/contacts/${id}/answer`, headers: staff.headers })
    expect((await home()).json().overdue.acknowledgement).toBe(0)
  })

  test('the six that have waited longest are named, and all are counted', async () => {
    for (let hour = 0; hour < 9; hour += 1) await makeContact({ name: `Lead ${hour}`, createdAt: hoursAgo(30 - hour) })
    const { overdue } = (await home()).json()
    expect(overdue.acknowledgement).toBe(9)
    expect(overdue.leads.map(({ name }: { name: string }) => name)).toEqual([0, 1, 2, 3, 4, 5].map((hour) => `Lead ${hour}`))
  })

  test('open decisions and the changes since yesterday are counted', async () => {
    await makeContact({ name: 'Yesterday', createdAt: hoursAgo(25) })
    const today = await makeContact({ name: 'Today', createdAt: hoursAgo(20) })
    await makeContact({ quarantinedAt: new Date() })
    await makeConsultation({ contactId: today.id, personId: today.personId, email: today.email })
    await makeConsultation({ createdAt: hoursAgo(30) })
    const email = { to: 'ada@example.com', kind: 'acknowledgement', messageId: '<1@localhost>' }
    const values = { id: today.id, kind: 'letter', payload: JSON.stringify(email), failedAt: new Date() }
    await db.insertInto('jobs').values(values).execute()

    const { quarantined, failedLetters: failedEmails, lastDay, conversion } = (await home()).json()
    expect({ quarantined, failedLetters: failedEmails }).toEqual({ quarantined: 1, failedLetters: 1 })
    expect(lastDay).toMatchObject({ contacts: 1, consultations: 1, newest: [{ name: 'Today' }] })
    expect(conversion).toEqual({ conversionRate: 100 })
  })

  test('a customer reads what they have sent and how far it is', async () => {
    const customer = await signIn('customer', { email: 'grace@example.com' })
    const { reference } = await makeContact({ email: 'grace@example.com' })
    await makeContact()
    const { view, enquiries } = (await home(customer.headers)).json()
    expect(view).toBe('customer')
    expect(enquiries).toMatchObject([{ reference, stage: 'received' }])
    expect(enquiries).toHaveLength(1)
  })
})

describe('security', () => {
  test('a stranger is refused, and responses are never cached', async () => {
    expect((await home({})).statusCode).toBe(401)
    expect((await home()).headers['cache-control']).toBe('no-store')
  })

  test('a customer learns nothing of anyone else', async () => {
    await makeContact({ name: 'Confidential Person', createdAt: hoursAgo(30) })
    const reply = await home((await signIn('customer')).headers)
    expect(reply.json()).toEqual({ view: 'customer', enquiries: [], requests: [] })
  })
})
