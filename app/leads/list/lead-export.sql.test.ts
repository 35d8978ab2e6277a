import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { db, openedDatabase } from '#app/platform/database/db.server.ts'
import { useReplica } from '#app/platform/database/replica.server.ts'
import { startEndpoints } from '#test/app.ts'
import { makeConsultation, makeContact, signIn } from '#test/factories.ts'

const app = await startEndpoints()
const staff = await signIn('staff')
beforeEach(async () => {
  await db.deleteFrom('consultations').execute()
  await db.deleteFrom('contacts').execute()
})

afterEach(() => useReplica(undefined))

const get = async (url: string, headers: Record<string, string> = staff.headers) => app.inject({ url, headers })
const createdAt = new Date('2026-10-03T09:08:07.654Z')

describe('happy', () => {
  test('the contacts file has its six columns, every field quoted, lines as RFC 4180 ends them', async () => {
    await makeContact({
      name: 'Ada',
      email: 'ada@example.com',
      company: 'Acme',
      serviceType: 'Data Extraction',
      message: 'Say "rows"\nplease',
      createdAt,
    })
    await makeContact({
      name: 'Bob',
      email: 'bob@example.com',
      message: 'Nothing else, really',
      createdAt: new Date('2026-10-02T00:00:00Z'),
    })

    const reply = await get('/api/contacts.csv')
    expect(reply.body).toBe(
      '"Name","Email","Company","Service Type","Message","Created At"\r\n' +
        '"Ada","ada@example.com","Acme","Data Extraction","Say ""rows""\nplease","2026-10-03T09:08:07.654Z"\r\n' +
        '"Bob","bob@example.com","","","Nothing else, really","2026-10-02T00:00:00.000Z"\r\n',
    )
  })

  test('the consultations file has its own six columns', async () => {
    await makeConsultation({ name: 'Ada', email: 'ada@example.com', phone: '020 7946 0000', projectDescription: 'A daily feed', createdAt })
    const reply = await get('/api/consultations.csv')
    expect(reply.body).toBe(
      '"Name","Email","Company","Phone","Project Description","Created At"\r\n' +
        '"Ada","ada@example.com","","020 7946 0000","A daily feed","2026-10-03T09:08:07.654Z"\r\n',
    )
  })

  test('the file carries the date in its name, and says in a header what was done to its cells', async () => {
    const today = new Date().toISOString().slice(0, 10)
    const contacts = await get('/api/contacts.csv')
    expect(contacts.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="contacts-${today}.csv"`,
      'cache-control': 'no-store',
    })
    expect(contacts.headers['csv-note']).toContain('leading apostrophe')
    expect((await get('/api/consultations.csv')).headers['content-disposition']).toBe(`attachment; filename="consultations-${today}.csv"`)
  })

  test('a byte order mark comes first on request', async () => {
    expect((await get('/api/contacts.csv')).body).toMatch(/^"Name"/)
    expect((await get('/api/contacts.csv?bom=1')).body).toMatch(/^\uFEFF"Name"/)
  })

  test('a search chooses what is in the file', async () => {
    await makeContact({ name: 'Grace' })
    await makeContact({ name: 'Ada', answeredAt: new Date() })
    expect((await get('/api/contacts.csv?q=grace')).body).toMatch(/"Grace".*\r\n$/)
    expect((await get('/api/contacts.csv?q=grace')).body).not.toContain('"Ada"')
    expect((await get('/api/contacts.csv?filter=answered')).body).not.toContain('"Grace"')
  })

  test.each([
    ['/api/contacts.csv', 'sort=company'],
    ['/api/contacts.csv', 'sort=company&q=example'],
    ['/api/leads.csv', 'sort=company'],
    ['/api/leads.csv', 'sort=company&q=example'],
    ['/api/consultations.csv', 'sort=company'],
    ['/api/consultations.csv', 'sort=company&q=example'],
  ])('%s has the order of the list: %s', async (url, query) => {
    for (const company of ['Bolt', 'Anvil', 'Crane']) {
      await makeContact({ company, email: `${company}@example.com` })
      await makeConsultation({ company, email: `${company}@example.com` })
    }
    const companies = (body: string) => Array.from(body.matchAll(/"(Anvil|Bolt|Crane)"/g), ([, company]) => company)
    expect(companies((await get(`${url}?${query}`)).body)).toEqual(['Anvil', 'Bolt', 'Crane'])
    expect(companies((await get(`${url}?${query.replace('=', '=-')}`)).body)).toEqual(['Crane', 'Bolt', 'Anvil'])
  })
})

describe('error', () => {
  test.each([
    ['bom=2', 422],
    ['sort=x', 422],
    ['filter=x', 422],
    ['q=%00', 400],
  ])('%s is refused', async (query, status) => {
    expect((await get(`/api/contacts.csv?${query}`)).statusCode).toBe(status)
  })

  test('a query that fails before the first row ends in an error, not in a broken file', async () => {
    const { kysely, ...opened } = openedDatabase()
    const slow = kysely.withPlugin({
      transformQuery() {
        throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
      },
      transformResult: async ({ result }) => result,
    })
    useReplica({ ...opened, kysely: slow })
    const { statusCode, headers } = await get('/api/contacts.csv')
    expect([statusCode, headers['content-type'], headers['content-disposition']]).toEqual([503, 'application/problem+json', undefined])
  })
})

describe('security', () => {
  test.each(['/api/contacts.csv', '/api/consultations.csv'])(
    '%s is closed to strangers and customers, open to staff and the owner',
    async (url) => {
      expect((await get(url, {})).statusCode).toBe(401)
      expect((await get(url, (await signIn('customer')).headers)).statusCode).toBe(403)
      expect((await get(url, (await signIn('owner')).headers)).statusCode).toBe(200)
    },
  )

  test.each(['=1+1', '+1+cmd', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', '="a"&cmd'])('%j cannot become a formula', async (message) => {
    await makeContact({ message })
    expect((await get('/api/contacts.csv')).body).toContain(`"'${message.replaceAll('"', '""')}"`)
  })

  test('a phone number is no formula', async () => {
    await makeConsultation({ phone: '+49 (30) 123-45.6' })
    expect((await get('/api/consultations.csv')).body).toContain(',"+49 (30) 123-45.6",')
  })

  test('what only holds such a sign further on stays as it was typed', async () => {
    await makeContact({ name: 'a=1', message: ' =1, then 1-2', company: "O'Hara \\ Söhne" })
    expect((await get('/api/contacts.csv')).body).toMatch(/^"a=1",.*,"O'Hara \\ Söhne",.*," =1, then 1-2",/m)
  })

  test.each(["' OR true --", String.raw`\' OR true --`, "$1 OR ''", '%'])('a search for %j means its letters', async (q) => {
    await makeContact({ name: 'Ada' })
    const { body, statusCode } = await get(`/api/contacts.csv?q=${encodeURIComponent(q)}&service=${encodeURIComponent(q)}`)
    expect([statusCode, body.split('\r\n')]).toEqual([200, [expect.stringMatching(/^"Name"/), '']])
  })

  test('quarantined enquiries are in no file', async () => {
    await makeContact({ name: 'Doubtful', quarantinedAt: new Date() })
    expect((await get('/api/contacts.csv')).body).not.toContain('Doubtful')
  })
})
