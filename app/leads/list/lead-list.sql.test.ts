import { assert, asyncProperty, constantFrom, oneof, string } from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { makeConsultation, makeContact, makeContacts, signIn } from '#test/factories.ts'

const app = await startEndpoints()
const staff = await signIn('staff')
beforeEach(async () => {
  await db.deleteFrom('consultations').execute()
  await db.deleteFrom('contacts').execute()
})

const get = async (url: string, headers: Record<string, string> = staff.headers) => app.inject({ url, headers })
const names = (items: { name: string }[]) => items.map(({ name }) => name)
const day = (date: number) => new Date(Date.UTC(2026, 9, date))

describe('happy', () => {
  test('asked without parameters, the enquiries are an array, newest first, with exactly what a list shows', async () => {
    await makeContact({ name: 'First', createdAt: day(1) })
    const last = await makeContact({ name: 'Last', createdAt: day(2), company: 'Acme', serviceType: 'Data Extraction', spamScore: 3 })

    const reply = await get('/api/contacts')
    expect(reply.statusCode).toBe(200)
    expect(reply.headers).toMatchObject({ 'x-total-count': '2', 'cache-control': 'no-store' })
    expect(names(reply.json())).toEqual(['Last', 'First'])
    expect(reply.json()[0]).toEqual({
      id: last.id,
      reference: last.reference,
      name: 'Last',
      email: last.email,
      company: 'Acme',
      serviceType: 'Data Extraction',
      message: last.message,
      createdAt: '2026-10-02T00:00:00.000Z',
    })
  })

  test('asked without parameters, the consultations are an array, newest first', async () => {
    await makeConsultation({ name: 'First', createdAt: day(1) })
    const last = await makeConsultation({ name: 'Last', createdAt: day(2), phone: '+44 20 7946 0000' })

    const reply = await get('/api/consultations')
    expect(names(reply.json())).toEqual(['Last', 'First'])
    expect(reply.json()[0]).toEqual({
      id: last.id,
      name: 'Last',
      email: last.email,
      company: null,
      phone: '+44 20 7946 0000',
      projectDescription: last.projectDescription,
      createdAt: '2026-10-02T00:00:00.000Z',
    })
  })

  test('more than a thousand: the array ends there, says how many there are, and where the rest begins', async () => {
    await makeContact({ createdAt: day(1), name: 'Oldest' })
    await makeContacts(1_000, () => ({ createdAt: day(2) }))

    const reply = await get('/api/contacts')
    expect(reply.json()).toHaveLength(1_000)
    expect(reply.headers['x-total-count']).toBe('1001')
    const [, next = ''] = /^<https?:\/\/[^/]+(.*)>; rel="next"$/.exec(String(reply.headers['link'])) ?? []
    expect(names((await get(next)).json().items)).toEqual(['Oldest'])
  })

  test.each(['-createdAt', 'createdAt', 'name', '-name', 'email', '-company', 'serviceType', '-serviceType'])(
    'pages by %s show every enquiry once, forwards and back',
    async (sort) => {
      const services = ['Data Extraction', null, 'Lead Generation']
      // Many share a time, a company or a service, so the order must not depend on chance.
      for (let at = 0; at < 11; at += 1) {
        await makeContact({
          name: `Name ${at % 4}`,
          company: at % 2 ? 'Acme' : null,
          serviceType: services[at % 3] ?? null,
          createdAt: day(1 + (at % 3)),
        })
      }
      const whole = (await get(`/api/contacts?limit=100&sort=${sort}`)).json()
      expect(whole).toMatchObject({ total: 11, isTotalExact: true, previousCursor: null, nextCursor: null })

      const forward = await readPages(`/api/contacts?limit=3&sort=${sort}`, 'nextCursor')
      expect(forward.flatMap(({ items }) => items)).toEqual(whole.items)

      const back = await readPages(`/api/contacts?limit=3&sort=${sort}&cursor=${forward.at(-1)?.previousCursor}`, 'previousCursor')
      expect(back.toReversed().flatMap(({ items }) => items)).toEqual(whole.items.slice(0, 9))
    },
  )

  test('names are ordered without regard to case, and the empty company comes first', async () => {
    for (const [name, company] of [
      ['bob', 'zeta'],
      ['Alice', null],
      ['Carol', 'Acme'],
    ] as const)
      await makeContact({ name, company })
    expect(names((await get('/api/contacts?sort=name')).json().items)).toEqual(['Alice', 'bob', 'Carol'])
    expect(names((await get('/api/contacts?sort=company')).json().items)).toEqual(['Alice', 'Carol', 'bob'])
  })

  test('a search finds every word in any field, whatever its case', async () => {
    await makeContact({ name: 'Grace Hopper', company: 'Navy', message: 'Ship manifests from 12 ports.' })
    await makeContact({ name: 'Ada Lovelace', serviceType: 'Price Monitoring' })
    const found = async (q: string) => names((await get(`/api/contacts?q=${encodeURIComponent(q)}`)).json().items)

    expect(await found('HOPPER')).toEqual(['Grace Hopper'])
    expect(await found('manifest navy')).toEqual(['Grace Hopper'])
    expect(await found('price monitor')).toEqual(['Ada Lovelace'])
    expect(await found('gr')).toEqual(['Grace Hopper'])
    expect(await found('hopper monitoring')).toEqual([])

    await makeContact({ name: 'AMÉLIE ØSTERGÅRD' })
    expect(await found('amélie øster')).toEqual(['AMÉLIE ØSTERGÅRD'])
  })

  test('signs that mean something to the database mean themselves in a search', async () => {
    await makeContact({ name: 'Percent', message: 'We need 100% of the rows.' })
    await makeContact({ name: 'Other', message: 'We need 100 of the rows.' })
    expect(names((await get('/api/contacts?q=100%25')).json().items)).toEqual(['Percent'])
    expect((await get('/api/contacts?q=r_ws')).json().items).toEqual([])
    expect((await get('/api/contacts?q=%25')).json()).toMatchObject({ items: [], total: 0 })
  })

  test('filters tell who still waits, who was answered, who agreed a call, and who asked for what', async () => {
    const agreed = await makeContact({ name: 'Agreed', answeredAt: new Date(), serviceType: 'Data Extraction' })
    await makeConsultation({ contactId: agreed.id, personId: agreed.personId, email: agreed.email })
    await makeContact({ name: 'Waiting' })
    const found = async (choice: string) => names((await get(`/api/contacts?${choice}`)).json().items)

    expect(await found('filter=waiting')).toEqual(['Waiting'])
    expect(await found('filter=answered')).toEqual(['Agreed'])
    expect(await found('filter=consultation')).toEqual(['Agreed'])
    expect(await found('service=Data%20Extraction')).toEqual(['Agreed'])
    expect(await found('service=')).toEqual(['Waiting'])
  })

  test('quarantined enquiries are in no list', async () => {
    await makeContact({ name: 'Doubtful', quarantinedAt: new Date() })
    expect((await get('/api/contacts')).json()).toEqual([])
    expect((await get('/api/contacts?q=doubtful')).json()).toMatchObject({ items: [], total: 0 })
  })
})

describe('error', () => {
  test.each([
    ['limit=0', 422],
    ['limit=201', 422],
    ['limit=1.5', 422],
    ['limit=many', 422],
    ['sort=message', 422],
    ['sort=name;DROP', 422],
    ['filter=all', 422],
    ['q=a&q=b', 422],
    [`q=${'x'.repeat(201)}`, 422],
    ['q=%00', 400],
    ['cursor=', 400],
    ['cursor=nonsense', 400],
    [
      `cursor=${Buffer.from('["-createdAt","after","2026-02-31T00:00:00.000000Z","01936000-0000-7000-8000-000000000000"]').toString('base64url')}`,
      400,
    ],
    [`cursor=${Buffer.from('["name","after","x","01936000-0000-7000-8000-000000000000"]').toString('base64url')}`, 400],
    [`cursor=${Buffer.from('["-createdAt","after","x","1"]').toString('base64url')}`, 400],
  ])('%s is refused', async (query, status) => {
    const reply = await get(`/api/contacts?${query}`)
    expect(reply.statusCode).toBe(status)
    expect(reply.headers['content-type']).toContain('application/problem+json')
  })

  test('no query makes the server fail', async () => {
    await makeContact()
    await assert(
      asyncProperty(
        constantFrom('q', 'cursor', 'limit', 'sort', 'filter', 'service'),
        oneof(string({ unit: 'binary', maxLength: 50 }), string({ unit: 'grapheme', maxLength: 50 })),
        async (key, value) => {
          const reply = await get(`/api/contacts?${new URLSearchParams({ [key]: value.toWellFormed() }).toString()}`)
          expect(reply.statusCode).toBeLessThan(500)
        },
      ),
      { numRuns: 150 },
    )
  })
})

describe('security', () => {
  test.each(['/api/contacts', '/api/consultations', '/api/contacts?q=x&limit=-1'])(
    '%s is closed to strangers and customers',
    async (url) => {
      const customer = await signIn('customer')
      expect((await get(url, {})).statusCode).toBe(401)
      expect((await get(url, customer.headers)).statusCode).toBe(403)
      expect((await get(url, { cookie: 'winnow-access=forged' })).statusCode).toBe(401)
    },
  )

  test('the owner reads the same as staff', async () => {
    expect((await get('/api/contacts', (await signIn('owner')).headers)).statusCode).toBe(200)
  })
})

type Paged = { items: { id: string }[]; previousCursor: string | null; nextCursor: string | null }

async function readPages(url: string, way: 'nextCursor' | 'previousCursor'): Promise<Paged[]> {
  const pages: Paged[] = []
  let next: string | null = url
  while (next) {
    const page: Paged = (await get(next)).json()
    pages.push(page)
    next = page[way] && `${url.replace(/&cursor=.*/, '')}&cursor=${page[way]}`
  }
  return pages
}
