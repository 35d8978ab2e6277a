import { beforeEach, describe, expect, test } from 'vitest'
import { db, newId } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { forgetAllEvents } from '#test/audit.ts'
import { makeContact, signIn } from '#test/factories.ts'

const app = await startEndpoints()
const staff = await signIn('staff')
const colleague = await signIn('staff')
beforeEach(async () => {
  await db.deleteFrom('contacts').execute()
  await db.deleteFrom('people').execute()
  await db.deleteFrom('jobs').execute()
  await forgetAllEvents()
})

const given = { name: 'Grace Hopper', email: 'grace@navy.example', problem: 'Prices of compilers' }
const add = async (body: object = {}) =>
  app.inject({ method: 'POST', url: '/api/leads', headers: staff.headers, payload: { ...given, ...body } })
const detail = async (reference: string) => (await app.inject({ url: `/api/leads/${reference}`, headers: staff.headers })).json()
const people = async (query: string) => (await app.inject({ url: `/api/lead-people?${query}`, headers: staff.headers })).json().people
const jobs = async () => db.selectFrom('jobs').select(['kind', 'payload']).execute()
const sent = async () => JSON.stringify(await jobs())
const runningClocks = async (id: string) =>
  (await db.selectFrom('leadClocks').select('clock').where('contactId', '=', id).where('state', '=', 'running').execute()).length

describe('a lead that staff add', () => {
  test('belongs to whoever adds it, who is named in its timeline and the audit log; nobody gets an email or a notification, no clock runs', async () => {
    const reply = await add({ company: 'Navy', phone: '+1 202', country: 'United States', valueCents: 250_000 })
    expect(reply.statusCode).toBe(201)
    const { id, reference } = reply.json()
    expect(await detail(reference)).toMatchObject({
      ...given,
      message: given.problem,
      company: 'Navy',
      phone: '+1 202',
      valueCents: 250_000,
      form: 'staff',
      stageId: 1,
      ownerId: staff.user.id,
    })
    const { entries } = (await app.inject({ url: `/api/leads/${reference}/timeline`, headers: staff.headers })).json()
    expect(entries).toContainEqual(expect.objectContaining({ kind: 'added', actorId: staff.user.id }))
    const log = await db.selectFrom('auditEvents').select(['action', 'actorId', 'subjectId']).execute()
    expect(log).toContainEqual({ action: 'lead_made', actorId: staff.user.id, subjectId: id })
    expect(await jobs()).toEqual([])
    expect(await runningClocks(id)).toBe(0)
  })

  test('with the acknowledgement, the person gets it and the clocks run; another owner is told', async () => {
    const { id } = (await add({ acknowledge: true, ownerId: colleague.user.id })).json()
    expect(await runningClocks(id)).toBe(3)
    expect(await sent()).toContain('grace@navy.example')
    expect(await sent()).toContain(`"userIds":["${colleague.user.id}"]`)
  })

  test('becomes one more lead of the person who has the address, who is found by it and by words', async () => {
    const known = await makeContact({ email: 'grace@navy.example', name: 'Grace', company: 'Navy', problem: 'Older question' })
    expect(await people('email=GRACE%40navy.example')).toEqual([
      expect.objectContaining({ id: known.personId, name: 'Grace', leads: [expect.objectContaining({ problem: 'Older question' })] }),
    ])
    expect(await people('email=nobody%40navy.example')).toEqual([])
    const { reference } = (await add()).json()
    expect((await detail(reference)).person.id).toBe(known.personId)
    expect((await people('q=compilers')).map(({ id }: { id: string }) => id)).toEqual([known.personId])
    expect((await people('q=navy'))[0].leads).toHaveLength(2)
    expect(await people('q=nothing-of-this')).toEqual([])
  })

  test('needs no email address where there is a phone number or a company; replies say so, until one is added', async () => {
    const { email: _none, ...person } = given
    for (const wrong of [person, { ...person, email: '' }, { ...person, phone: '+1 202', acknowledge: true }]) {
      const refused = await app.inject({ method: 'POST', url: '/api/leads', headers: staff.headers, payload: wrong })
      expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['email']])
    }
    const one = (await add({ email: '', phone: '+1 202 555 0100' })).json()
    const other = (await add({ email: '', company: 'Navy', phone: '0202 555 0100' })).json()
    expect(await detail(one.reference)).toMatchObject({ email: '', person: { name: given.name, email: '' } })
    expect((await people('q=compilers')).map(({ email }: { email: string }) => email)).toEqual(['', ''])
    const get = async (url: string) => app.inject({ url, headers: staff.headers })
    expect((await get('/api/leads.csv?sort=email')).body).toContain(`"${one.reference}","Grace Hopper","",`)
    expect((await get('/api/contacts?limit=5')).json().items).toMatchObject([{ email: '' }, { email: '' }])

    // Two people without an address share a number, not a missing address.
    const { pairs } = (await get(`/api/lead-duplicates?reference=${one.reference}`)).json()
    expect(pairs).toMatchObject([{ because: ['phone'] }])

    const post = async (url: string, payload: object) => app.inject({ method: 'POST', url, headers: staff.headers, payload })
    const reply = { id: newId(), subject: 'Prices', text: 'Here they are.', fileIds: [], sendAt: null }
    const refused = await post(`/api/leads/${one.reference}/replies`, reply)
    expect([refused.statusCode, refused.json()]).toEqual([409, expect.objectContaining({ code: 'no_address' })])
    expect((await post(`/api/leads/${one.reference}/move`, { email: 'grace@nvay.example' })).json()).toEqual({ email: null })
    expect((await post(`/api/leads/${one.reference}/move`, { email: given.email })).json()).toEqual({ email: 'grace@nvay.example' })
    expect(await detail(one.reference)).toMatchObject({ email: given.email, person: { email: given.email } })
    expect((await post(`/api/leads/${one.reference}/replies`, reply)).statusCode).toBe(201)
    const personId = (await detail(other.reference)).person.id
    expect((await post(`/api/leads/${one.reference}/merge`, { personId })).statusCode).toBe(200)
    expect((await detail(other.reference)).person.email).toBe(given.email)
  })

  test('a missing name, an address that is none and an owner who is no staff are refused at their fields', async () => {
    for (const [wrong, field] of [
      [{ name: ' ' }, 'name'],
      [{ email: 'grace' }, 'email'],
      [{ problem: '' }, 'problem'],
      [{ ownerId: newId() }, 'ownerId'],
    ] as const) {
      const refused = await add(wrong)
      expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, [field]])
    }
    expect(await db.selectFrom('contacts').select('id').execute()).toEqual([])
  })
})
