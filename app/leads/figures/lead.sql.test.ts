import { beforeEach, describe, expect, test } from 'vitest'
import { db, newId } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { makeConsultation, makeContact, makePerson, signIn } from '#test/factories.ts'

const app = await startEndpoints()
const staff = await signIn('staff')
beforeEach(async () => {
  await db.deleteFrom('consultations').execute()
  await db.deleteFrom('contacts').execute()
})

type Headers = Record<string, string>

const get = async (url: string, headers: Headers = staff.headers) => app.inject({ url, headers })
const send = async (method: 'POST' | 'DELETE', url: string, payload?: object, headers: Headers = staff.headers) =>
  app.inject({ method, url, headers, ...(payload && { payload }) })
const summary = async () => (await get('/api/leads/summary')).json()
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)

describe('happy', () => {
  test('total leads are contacts and consultations together, and the conversion rate is their whole percentage', async () => {
    await makeContact()
    await makeContact()
    await makeContact()
    await makeConsultation()
    expect(await summary()).toMatchObject({ contacts: 3, consultations: 1, total: 4, conversionRate: 33 })
  })

  test('the conversion rate is 0 while there are no contacts', async () => {
    await makeConsultation()
    expect(await summary()).toMatchObject({ contacts: 0, consultations: 1, total: 1, conversionRate: 0 })
  })

  test('service types are counted, and what names none is Not specified', async () => {
    for (const serviceType of ['Data Extraction', null, 'Data Extraction', '']) await makeContact({ serviceType })
    await makeContact({ serviceType: 'Lead Generation' })
    expect((await summary()).serviceTypes).toEqual([
      { serviceType: 'Data Extraction', count: 2 },
      { serviceType: 'Not specified', count: 2 },
      { serviceType: 'Lead Generation', count: 1 },
    ])
  })

  test('enquiries are counted for each of the last ninety days, also where there are none', async () => {
    const today = new Date().toISOString().slice(0, 10)
    await makeContact()
    await makeContact()
    await makeContact({ createdAt: hoursAgo(24 * 89) })
    await makeContact({ createdAt: hoursAgo(24 * 91) })

    const { enquiriesPerDay } = await summary()
    expect(enquiriesPerDay).toHaveLength(90)
    expect(enquiriesPerDay.at(-1)).toEqual({ date: today, count: 2 })
    expect(enquiriesPerDay[0].count).toBe(1)
    expect(enquiriesPerDay.filter(({ count }: { count: number }) => count === 0)).toHaveLength(88)
  })

  test('the last five of each list come with the figures', async () => {
    for (let at = 0; at < 7; at += 1) {
      await makeContact({ name: `Contact ${at}`, createdAt: hoursAgo(10 - at) })
      await makeConsultation({ name: `Call ${at}`, createdAt: hoursAgo(10 - at) })
    }
    const { latestContacts, latestConsultations } = await summary()
    expect(latestContacts.map(({ name }: { name: string }) => name)).toEqual([6, 5, 4, 3, 2].map((at) => `Contact ${at}`))
    expect(latestConsultations.map(({ name }: { name: string }) => name)).toEqual([6, 5, 4, 3, 2].map((at) => `Call ${at}`))
  })

  test('elapsed hours decide which enquiries are overdue, until staff reply', async () => {
    await makeContact({ createdAt: hoursAgo(1) })
    await makeContact({ createdAt: hoursAgo(3) })
    const late = await makeContact({ createdAt: hoursAgo(25) })
    expect((await summary()).waiting).toEqual({ total: 3, overAcknowledgement: 2, overResponse: 1 })

    await send('POST', `/api/contacts/${late.id}/answer`)
    expect((await summary()).waiting).toEqual({ total: 2, overAcknowledgement: 1, overResponse: 0 })

    expect((await send('DELETE', `/api/contacts/${late.id}/answer`)).json()).toMatchObject({ answeredAt: null })
    expect((await summary()).waiting.total).toBe(3)
  })

  test('one enquiry is read whole, with what else its sender wrote', async () => {
    const earlier = await makeContact({ message: 'My first letter to you', createdAt: hoursAgo(50) })
    const { personId, email } = earlier
    const contact = await makeContact({ personId, email, budget: '1k-5k', timeframe: 'asap', serviceType: 'Data Extraction' })
    const call = await makeConsultation({ contactId: contact.id, personId, email })

    const whole = (await get(`/api/contacts/${contact.id}`)).json()
    expect(whole).toMatchObject({ id: contact.id, problem: contact.problem, budget: '1k-5k', consultationId: call.id, answeredAt: null })
    expect(whole.others).toEqual([
      { id: earlier.id, reference: earlier.reference, message: earlier.message, createdAt: earlier.createdAt.toISOString() },
    ])
    expect(whole).not.toHaveProperty('personId')
  })

  test('converting an enquiry makes one consultation, however often and by however many it is pressed', async () => {
    const contact = await makeContact({ name: 'Ada', company: 'Acme', message: 'Please call me about prices' })
    const presses = await Promise.all(Array.from({ length: 5 }, () => send('POST', `/api/contacts/${contact.id}/consultation`)))

    expect(presses.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([200, 200, 200, 200, 201])
    expect(new Set(presses.map((reply) => reply.json().id)).size).toBe(1)
    expect(presses[0]?.json()).toMatchObject({ name: 'Ada', company: 'Acme', projectDescription: 'Please call me about prices' })
    expect((await get(`/api/contacts/${contact.id}`)).json().answeredAt).not.toBeNull()
    expect((await get('/api/consultations')).json()).toHaveLength(1)
  })

  test('staff write down a consultation that came by telephone, for a person known or not', async () => {
    const email = 'grace@example.com'
    await makePerson({ email })
    const call = { name: 'Grace', email: email.toUpperCase(), phone: '+1 (555) 010-0199', projectDescription: 'Ship manifests of 12 ports' }
    const reply = await send('POST', '/api/consultations', call)

    expect(reply.statusCode).toBe(201)
    expect(reply.json()).toMatchObject({ name: 'Grace', phone: '+1 (555) 010-0199', company: null })
    expect((await get('/api/consultations')).json()).toHaveLength(1)
    expect(await db.selectFrom('people').selectAll().where('email', '=', email).execute()).toHaveLength(1)
  })

  test('customers read what they sent themselves, and how far it is', async () => {
    const customer = await signIn('customer', { email: 'ada@example.com' })
    const { personId, email, reference } = await makeContact({ email: 'Ada@Example.com', spamReasons: ['links'], answeredAt: new Date() })
    await makeContact({ personId, email, createdAt: hoursAgo(5) })
    await makeContact()

    const own = (await get('/api/me/enquiries', customer.headers)).json()
    expect(own).toHaveLength(2)
    expect(own[0]).toMatchObject({ reference, stage: 'answered' })
    expect(own[1].stage).toBe('received')
    expect(Object.keys(own[0]).toSorted()).toEqual([
      'createdAt',
      'deadlines',
      'id',
      'message',
      'owesProposal',
      'problem',
      'promisedFrom',
      'reference',
      'serviceType',
      'stage',
    ])
  })
})

describe('error', () => {
  const missing = newId()

  test.each([
    ['POST', `/api/contacts/${missing}/consultation`],
    ['POST', `/api/contacts/${missing}/answer`],
    ['DELETE', `/api/contacts/${missing}/answer`],
  ] as const)('%s %s: there is no such enquiry', async (method, url) => {
    expect((await send(method, url)).statusCode).toBe(404)
  })

  test('an enquiry that is not there is 404, and an id that is none is refused', async () => {
    expect((await get(`/api/contacts/${missing}`)).statusCode).toBe(404)
    expect((await get('/api/contacts/1')).statusCode).toBe(422)
  })

  test('a quarantined enquiry must be released before its conversion', async () => {
    const { id } = await makeContact({ quarantinedAt: new Date() })
    const reply = await send('POST', `/api/contacts/${id}/consultation`)
    expect(reply.statusCode).toBe(409)
    expect(reply.json().code).toBe('quarantined')
  })

  test.each([
    ['name', { name: ' ' }, 'Name is required'],
    ['email', { email: 'grace' }, 'Invalid email address'],
    ['phone', { phone: 'call me' }, 'A phone number has 4 to 40 digits, spaces and signs'],
    ['projectDescription', { projectDescription: 'short' }, 'Describe the project in at least 10 characters'],
  ])('a consultation with a wrong %s is refused at that field', async (field, wrong, sentence) => {
    const right = { name: 'Grace', email: 'grace@example.com', projectDescription: 'Ship manifests of 12 ports' }
    const reply = await send('POST', '/api/consultations', { ...right, ...wrong })
    expect(reply.statusCode).toBe(422)
    expect(reply.json().errors).toEqual({ [field]: sentence })
  })
})

describe('security', () => {
  test.each([
    ['GET', '/api/leads/summary'],
    ['GET', `/api/contacts/${newId()}`],
    ['POST', `/api/contacts/${newId()}/consultation`],
    ['POST', `/api/contacts/${newId()}/answer`],
    ['DELETE', `/api/contacts/${newId()}/answer`],
    ['POST', '/api/consultations'],
  ] as const)('%s %s is closed to strangers and customers', async (method, url) => {
    const customer = await signIn('customer')
    expect((await app.inject({ method, url, headers: { 'sec-fetch-site': 'same-origin' } })).statusCode).toBe(401)
    expect((await app.inject({ method, url, headers: customer.headers })).statusCode).toBe(403)
  })

  test('a write that another site sends with the cookies of staff is refused', async () => {
    const { id } = await makeContact()
    const headers = { ...staff.headers, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    expect((await send('POST', `/api/contacts/${id}/consultation`, undefined, headers)).statusCode).toBe(403)
  })

  test('an address that is not proved opens nothing of its owner', async () => {
    await makeContact({ email: 'victim@example.com' })
    const pretender = await signIn('customer', { email: 'victim@example.com', emailConfirmedAt: null })
    expect((await get('/api/me/enquiries', pretender.headers)).json()).toEqual([])
    expect((await get('/api/me/enquiries', {})).statusCode).toBe(401)
  })
})
