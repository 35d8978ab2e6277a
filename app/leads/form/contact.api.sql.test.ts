import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { ada, forgetLimits, sampleEnquiries, sendEnquiry } from '#test/enquiries.ts'

const app = await startEndpoints()
beforeEach(forgetLimits)

const contact = async (id: string) => db.selectFrom('contacts').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('an enquiry that is right', () => {
  test('is answered with 201, its id and a reference number', async () => {
    const reply = await sendEnquiry(app, ada)

    expect(reply.statusCode).toBe(201)
    expect(reply.headers['content-type']).toContain('application/json')
    expect(reply.json()).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      reference: expect.stringMatching(/^W-[2-9A-HJKMNP-TV-Z]{6}$/),
      callUrl: expect.stringMatching(/^\/book\?enquiry=[\w.-]+$/),
    })
    expect(await contact(reply.json().id)).toMatchObject({ ...ada, form: 'contact', countryCode: 'GB', company: 'analytical.example' })
  })

  test.each(Object.entries(sampleEnquiries))('comes from the %s form', async (form, enquiry) => {
    const reply = await sendEnquiry(app, { ...enquiry, form })

    expect(reply.statusCode).toBe(201)
    expect(await contact(reply.json().id)).toMatchObject({ ...enquiry, form, quarantinedAt: null })
  })

  test('brings budget and timeframe without naming a form', async () => {
    const reply = await sendEnquiry(app, { ...ada, budget: '10k-plus', timeframe: 'flexible' })

    expect(await contact(reply.json().id)).toMatchObject({ form: 'contact', budget: '10k-plus', timeframe: 'flexible' })
  })

  test('may leave optional fields empty or null, and keys that no form has are ignored', async () => {
    const reply = await sendEnquiry(app, { ...ada, budget: '', timeframe: null, company: null, id: 'mine', spamScore: 99, isAdmin: true })

    expect(reply.statusCode).toBe(201)
    expect(await contact(reply.json().id)).toMatchObject({ budget: null, timeframe: null, spamScore: 0 })
    expect(reply.json().id).not.toBe('mine')
  })

  test('has a service type only when its problem was chosen from a list', async () => {
    const chosen = await sendEnquiry(app, { ...sampleEnquiries.home, form: 'home' })
    const told = await sendEnquiry(app, ada)
    const guided = await sendEnquiry(app, { ...sampleEnquiries.landing, form: 'landing' })

    expect(await contact(chosen.json().id)).toMatchObject({ serviceType: 'Price Monitoring' })
    expect(await contact(told.json().id)).toMatchObject({ serviceType: null, problem: ada.problem })
    expect(await contact(guided.json().id)).toMatchObject({ serviceType: 'Competitor Price Monitoring' })
  })

  test.each([
    ['contact', 'Other'],
    ['contact', 'Price Monitoring'],
    ['hire', 'Competitor Price Monitoring'],
    ['home', 'Competitor Price Monitoring'],
  ] as const)('has none when the %s form brings %j in words of its own', async (form, problem) => {
    const reply = await sendEnquiry(app, { ...sampleEnquiries[form], form, problem })

    expect(await contact(reply.json().id)).toMatchObject({ serviceType: null, problem })
  })

  test('speaks for the company that it names, else for the domain of its address, never for a free mailbox', async () => {
    const named = await sendEnquiry(app, { ...ada, company: 'Analytical Engines Ltd' })
    const free = await sendEnquiry(app, { ...ada, email: 'ada@gmail.com' })

    expect(await contact(named.json().id)).toMatchObject({ company: 'Analytical Engines Ltd' })
    expect(await contact(free.json().id)).toMatchObject({ company: null })
  })

  test('from the hire form keeps its message as received, and its last two lines are read into columns', async () => {
    const message = 'Please compare all our prices.\n\nBudget Range: 5k-10k\nTimeframe: Not specified'
    const reply = await sendEnquiry(app, { ...sampleEnquiries.hire, form: 'hire', message })

    expect(await contact(reply.json().id)).toMatchObject({ message, budget: '5k-10k', timeframe: null })
  })

  test('stores a person and two emails, all in one transaction', async () => {
    const email = 'grace@navy.example'
    const reply = await sendEnquiry(app, { ...ada, email })

    const { rows: jobs } = await jobsAbout(reply.json().reference)
    expect(Object.fromEntries(jobs.map(({ payload }) => [payload.kind, payload.to]))).toEqual({
      acknowledgement: email,
      'new-lead': 'hello@localhost',
    })
    const people = await db.selectFrom('people').selectAll().where('email', '=', email).execute()
    expect(people).toHaveLength(1)
    expect(await contact(reply.json().id)).toMatchObject({ personId: people[0]?.id })
  })

  test('of a known person is one more enquiry of that person, whose name stays', async () => {
    await sendEnquiry(app, { ...ada, email: 'twice@analytical.example' })
    const reply = await sendEnquiry(app, { ...ada, email: 'TWICE@analytical.example', name: 'Somebody Else' })

    expect(reply.statusCode).toBe(201)
    const people = await db.selectFrom('people').selectAll().where('email', '=', 'twice@analytical.example').execute()
    expect(people).toMatchObject([{ name: 'Ada Lovelace' }])
    const enquiries = await db
      .selectFrom('contacts')
      .select('name')
      .where('personId', '=', people[0]?.id ?? '')
      .execute()
    expect(enquiries).toHaveLength(2)
  })
})

async function jobsAbout(reference: string) {
  // Ids of the same millisecond have no order.
  const rows = await db
    .selectFrom('jobs')
    .select('payload')
    .where('kind', '=', 'letter')
    .orderBy(sql`payload ->> 'kind'`)
    .execute()
  const posted = rows.map(({ payload }) => ({ payload: asEmail(payload) }))
  return { rows: posted.filter(({ payload }) => payload.data.reference === reference) }
}

function asEmail(payload: unknown): { kind: string; to: string; data: { reference: string } } {
  return JSON.parse(JSON.stringify(payload))
}
