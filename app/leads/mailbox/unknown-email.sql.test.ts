import { beforeEach, describe, expect, test } from 'vitest'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { makeContact, signIn } from '#test/factories.ts'

const app = await startEndpoints()
const staff = await signIn('staff')
beforeEach(async () => {
  for (const table of ['leadMessages', 'contacts', 'people', 'jobs'] as const) await db.deleteFrom(table).execute()
})

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
const call = async (method: Method, path: string, payload?: object, headers: Record<string, string> = staff.headers) =>
  app.inject({ method, url: `/api/lead-inbox${path}`, headers, ...(payload && { payload }) })

const receive = (more: object = {}) =>
  insert(db, 'leadMessages', {
    direction: 'in',
    state: 'received',
    messageId: `<${newId()}@shop.example>`,
    fromName: 'Ada Lovelace',
    fromAddress: 'ada@shop.example',
    subject: 'Prices of 40 shops',
    text: 'Can you do it?\n\nOn Monday, Winnow <hello@localhost> wrote:\n> Hello.',
    ...more,
  })
const leadOf = async (id: string) =>
  await db.selectFrom('leadMessages').select(['contactId', 'matchedBy', 'state']).where('id', '=', id).executeTakeFirstOrThrow()
const list = async (query = '') => (await call('GET', query)).json()

describe('happy', () => {
  test('the list has unknown emails, newest first and page by page, and says that no mailbox is connected', async () => {
    const ids: string[] = []
    for (const day of [1, 2, 3]) ids.push((await receive({ createdAt: new Date(Date.UTC(2026, 10, day)) })).id)
    await receive({ contactId: (await makeContact()).id })
    const first = await list('?limit=2')
    expect(first).toMatchObject({
      waiting: 3,
      mailbox: { state: 'missing' },
      emails: [{ id: ids[2], preview: 'Can you do it?', files: 0 }, { id: ids[1] }],
    })
    expect((await list(`?limit=2&cursor=${first.nextCursor}`)).emails.map(({ id }: { id: string }) => id)).toEqual([ids[0]])
  })

  test('the next page is there also where the last email of the page before was deleted meanwhile', async () => {
    const ids: string[] = []
    for (const day of [1, 2, 3]) ids.push((await receive({ createdAt: new Date(Date.UTC(2026, 10, day)) })).id)
    const { nextCursor } = await list('?limit=2')
    await db
      .deleteFrom('leadMessages')
      .where('id', '=', ids[1] ?? '')
      .execute()
    expect((await list(`?limit=2&cursor=${nextCursor}`)).emails.map(({ id }: { id: string }) => id)).toEqual([ids[0]])
  })

  test('an email becomes a lead of its sender, and goes back with the lead', async () => {
    const { id } = await receive()
    const made = await call('POST', `/${id}/lead`)
    expect(made.statusCode).toBe(201)
    const lead = await db.selectFrom('contacts').selectAll().executeTakeFirstOrThrow()
    expect(lead).toMatchObject({
      reference: made.json().reference,
      email: 'ada@shop.example',
      company: null,
      problem: 'Prices of 40 shops',
      message: 'Can you do it?\n\nOn Monday, Winnow <hello@localhost> wrote:\n> Hello.',
      answeredAt: null,
    })
    expect(await leadOf(id)).toEqual({ contactId: lead.id, matchedBy: 'staff', state: 'received' })
    expect((await call('GET', `/${id}`)).json()).toMatchObject({ reference: lead.reference, suggestions: [{ reference: lead.reference }] })
    expect((await list()).waiting).toBe(0)
    expect((await call('DELETE', `/${id}/lead`)).statusCode).toBe(204)
    expect(await leadOf(id)).toMatchObject({ contactId: null, state: 'received' })
    expect((await db.selectFrom('contacts').select('deletedAt').executeTakeFirstOrThrow()).deletedAt).toBeInstanceOf(Date)
  })

  test('a lead that was made of an email and has a file since stays when the email goes back', async () => {
    const { id } = await receive()
    const { reference } = (await call('POST', `/${id}/lead`)).json()
    await app.inject({
      method: 'POST',
      url: `/api/leads/${reference}/files?name=brief.txt&type=text/plain`,
      headers: { ...staff.headers, 'content-type': 'application/octet-stream' },
      payload: Buffer.from('The brief.'),
    })
    expect((await call('DELETE', `/${id}/lead`)).statusCode).toBe(204)
    expect((await db.selectFrom('contacts').select('deletedAt').executeTakeFirstOrThrow()).deletedAt).toBeNull()
  })

  test('what the form says goes before what the email says, and the company of a signature is only offered', async () => {
    const { id } = await receive({ text: 'Can you do it?\n\nAda\nShop & Sons Ltd', fromAddress: '' })
    const { begin } = (await call('GET', `/${id}`)).json()
    expect(begin).toEqual({ name: 'Ada Lovelace', email: '', problem: 'Prices of 40 shops', company: 'Shop & Sons Ltd' })
    const given = { ...begin, email: 'ada@shop.example', phone: '+49 40 123', valueCents: 5000, problem: 'Prices' }
    const made = await call('POST', `/${id}/lead`, given)
    expect(made.statusCode).toBe(201)
    const lead = (await app.inject({ url: `/api/leads/${made.json().reference}`, headers: staff.headers })).json()
    expect(lead).toMatchObject({ ...given, message: 'Can you do it?\n\nAda\nShop & Sons Ltd', ownerId: staff.user.id, answeredAt: null })
  })

  test('the lead of a web form is the person whom the form names, and replies go there', async () => {
    const lead = await makeContact({ email: 'ada@customer.example' })
    const { id } = await receive({
      fromName: 'Website form',
      fromAddress: 'noreply@forms.example',
      replyToName: 'Ada Byron',
      replyToAddress: 'ada@customer.example',
    })
    expect((await list()).emails).toMatchObject([{ replyToName: 'Ada Byron', replyToAddress: 'ada@customer.example' }])
    expect((await call('GET', `/${id}`)).json().suggestions).toMatchObject([{ reference: lead.reference }])
    const { reference } = (await call('POST', `/${id}/lead`)).json()
    const made = await db.selectFrom('contacts').selectAll().where('reference', '=', reference).executeTakeFirstOrThrow()
    expect(made).toMatchObject({ name: 'Ada Byron', email: 'ada@customer.example', company: null, personId: lead.personId })
  })

  test('what is folded on the screen is stored in the lead all the same', async () => {
    const text = `Hello, here is our brief.\n\n______________________\nSites: 12 shops\nBudget: 8000 USD\n\n${'More. '.repeat(2000)}end`
    await call('POST', `/${(await receive({ text })).id}/lead`)
    expect((await db.selectFrom('contacts').select('message').executeTakeFirstOrThrow()).message).toBe(text)
  })

  test('an email is added to a lead, which stays when it is taken back', async () => {
    const { id } = await receive()
    const lead = await makeContact({ reference: 'W-7K3M9Q' })
    expect((await call('PUT', `/${id}/lead`, { reference: ' w-7k3m9q ' })).json()).toEqual({ reference: 'W-7K3M9Q' })
    expect(await leadOf(id)).toMatchObject({ contactId: lead.id })
    const events = () => db.selectFrom('leadEvents').select('kind').where('contactId', '=', lead.id).execute()
    expect(await events()).toEqual([{ kind: 'email_received' }])
    expect((await call('DELETE', `/${id}/lead`)).statusCode).toBe(204)
    expect(await events()).toEqual([])
    expect((await db.selectFrom('contacts').select('deletedAt').executeTakeFirstOrThrow()).deletedAt).toBeNull()
  })

  test('a dismissed email is in its own list, and comes back', async () => {
    const { id } = await receive()
    expect((await call('POST', `/${id}/dismiss`)).statusCode).toBe(204)
    expect([(await list()).emails, (await list('?state=dismissed')).emails.length]).toEqual([[], 1])
    expect((await call('POST', `/${id}/restore`)).statusCode).toBe(204)
    expect((await list()).emails).toHaveLength(1)
  })
})

describe('error', () => {
  test('two people act on one email: the second is told', async () => {
    const { id } = await receive()
    await call('POST', `/${id}/lead`)
    for (const reply of [
      await call('POST', `/${id}/lead`),
      await call('PUT', `/${id}/lead`, { reference: 'W-7K3M9Q' }),
      await call('POST', `/${id}/dismiss`),
    ])
      expect([reply.statusCode, reply.json().code]).toEqual([409, 'has_lead'])
    expect(await db.selectFrom('contacts').select('id').execute()).toHaveLength(1)
  })

  test('an unknown reference, an email without an address and an unknown email are refused, and nothing is lost', async () => {
    const { id } = await receive({ fromAddress: '' })
    expect((await call('PUT', `/${id}/lead`, { reference: 'W-222222' })).json()).toMatchObject({
      status: 422,
      errors: { reference: 'No lead has the reference W-222222.' },
    })
    expect((await call('POST', `/${id}/lead`)).json()).toMatchObject({ status: 422, code: 'no_sender' })
    expect((await call('DELETE', `/${id}/lead`)).statusCode).toBe(409)
    expect((await call('GET', `/${newId()}`)).statusCode).toBe(404)
    expect((await list()).waiting).toBe(1)
  })
})

describe('security', () => {
  test('emails of a deleted lead are gone with it', async () => {
    const { id: contactId } = await makeContact()
    const { id } = await receive({ contactId, html: '<p>Secret</p>' })
    const html = async () => (await app.inject({ url: `/api/lead-messages/${id}/html`, headers: staff.headers })).statusCode
    expect([await html(), (await call('GET', `/${id}`)).statusCode]).toEqual([200, 200])
    await db.updateTable('contacts').set({ deletedAt: new Date() }).execute()
    expect([await html(), (await call('GET', `/${id}`)).statusCode]).toEqual([404, 404])
  })

  test('strangers and customers reach nothing', async () => {
    const { id } = await receive()
    const { headers } = await signIn()
    const paths: [Method, string][] = [
      ['GET', ''],
      ['GET', `/${id}`],
      ['POST', `/${id}/lead`],
      ['PUT', `/${id}/lead`],
      ['DELETE', `/${id}/lead`],
      ['POST', `/${id}/dismiss`],
      ['POST', `/${id}/restore`],
    ]
    for (const [method, path] of paths) {
      const body = method === 'PUT' ? { reference: 'W-7K3M9Q' } : undefined
      expect([method, path, (await call(method, path, body, {})).statusCode, (await call(method, path, body, headers)).statusCode]).toEqual(
        [method, path, 401, 403],
      )
    }
  })

  test('what we wrote ourselves is no received email', async () => {
    const { id } = await receive({ direction: 'out', state: 'sent', contactId: (await makeContact()).id })
    expect((await call('GET', `/${id}`)).statusCode).toBe(404)
  })
})
