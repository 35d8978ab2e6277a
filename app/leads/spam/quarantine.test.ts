import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { db, newId } from '#app/platform/database/db.server.ts'
import { issueFormToken } from '#app/leads/spam/form-token.server.ts'
import { solveProof } from '#app/platform/browser/solve-proof.ts'
import { startEndpoints } from '#test/app.ts'
import { ada, sendEnquiry } from '#test/enquiries.ts'
import { signIn } from '#test/factories.ts'

const spam = { ...ada, message: 'We sell high-quality backlinks and guest posts, <a href="https://spam.example">here</a>' }
const doubtful = { ...ada, message: 'Nice! <a href="https://spam.example">click</a> to see more' }

const app = await startEndpoints()
const staff = await signIn('staff')

const countEmails = async () =>
  (
    await db
      .selectFrom('jobs')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('kind', '=', 'letter')
      .executeTakeFirstOrThrow()
  ).count
const list = async (headers: Record<string, string>, query = '') => app.inject({ url: `/api/contacts/quarantine${query}`, headers })
const release = async (id: string, headers: Record<string, string>) =>
  app.inject({ method: 'POST', url: `/api/contacts/${id}/release`, headers: { ...headers, origin: 'http://localhost:3000' } })

describe('a doubtful enquiry', () => {
  test('is never dropped: its sender gets a receipt, staff find it with the reasons, and no email is sent', async () => {
    const emails = await countEmails()
    const sent = await sendEnquiry(app, spam)
    expect(sent.statusCode).toBe(201)
    const { id, reference, callUrl } = z.object({ id: z.string(), reference: z.string(), callUrl: z.string() }).strict().parse(sent.json())
    // As after any other enquiry.
    expect(callUrl).toMatch(/^\/book\?enquiry=/)

    const reply = await list(staff.headers)
    expect(reply.statusCode).toBe(200)
    expect(reply.json()[0]).toMatchObject({
      id,
      reference,
      ...spam,
      spamReasons: ['markup', 'known_pitch'],
      createdAt: expect.stringMatching(/Z$/),
    })
    expect(reply.headers['x-total-count']).toBe('1')
    expect(await countEmails()).toBe(emails)
  })

  test('becomes a lead by one click, with its emails, and only once', async () => {
    const { id } = (await sendEnquiry(app, spam)).json()
    const emails = await countEmails()

    const replies = await Promise.all([release(id, staff.headers), release(id, staff.headers)])
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 404]))
    expect(await countEmails()).toBe(emails + 2)
    expect((await list(staff.headers)).json().map((kept: { id: string }) => kept.id)).not.toContain(id)
    expect(await db.selectFrom('contacts').selectAll().where('id', '=', id).executeTakeFirst()).toMatchObject({
      quarantinedAt: null,
      releasedAt: expect.any(Date),
    })
  })

  test('is read page by page, newest first', async () => {
    const ids: string[] = []
    for (let sent = 0; sent < 3; sent += 1) ids.unshift((await sendEnquiry(app, { ...spam, country: `Country ${sent}` })).json().id)

    const first = (await list(staff.headers, '?limit=2')).json()
    const next = (await list(staff.headers, `?limit=2&before=${first[1].id}`)).json()
    expect([...first, ...next].slice(0, 3).map(({ id }) => id)).toEqual(ids.toSorted((one, other) => other.localeCompare(one)))
  })
})

describe('a doubtful enquiry from a browser with JavaScript', () => {
  const token = () => issueFormToken(Date.now() - 60_000)

  test('needs a proof of work, and becomes a lead after it', async () => {
    const asked = await sendEnquiry(app, { ...doubtful, token: token() }, { 'idempotency-key': 'worked' })
    expect(asked.statusCode).toBe(422)
    expect(asked.json()).toMatchObject({ code: 'proof_required', challenge: { parameters: expect.any(Object) } })
    expect(await db.selectFrom('contacts').select('id').where('idempotencyKey', '=', 'worked').execute()).toEqual([])

    const proof = await solveProof(asked.json().challenge)
    const sent = await sendEnquiry(app, { ...doubtful, token: token(), proof }, { 'idempotency-key': 'worked' })
    expect(sent.statusCode).toBe(201)
    const row = await db.selectFrom('contacts').selectAll().where('id', '=', sent.json().id).executeTakeFirst()
    expect(row).toMatchObject({ quarantinedAt: null, spamReasons: ['markup'] })
  })

  test('waits for staff when its machine cannot do the work', async () => {
    const sent = await sendEnquiry(app, { ...doubtful, token: token(), proof: null })

    expect(sent.statusCode).toBe(201)
    const row = await db.selectFrom('contacts').selectAll().where('id', '=', sent.json().id).executeTakeFirst()
    expect(row?.quarantinedAt).toBeInstanceOf(Date)
  })
})

describe('the token of a form', () => {
  test('is new each time, and no cache keeps it', async () => {
    const [one, other] = [await app.inject('/api/contact/token'), await app.inject('/api/contact/token')]

    expect(one.json().token).not.toBe(other.json().token)
    expect(one.headers['cache-control']).toBe('no-store')
  })

  test('that was made up is held against its bearer, but not enough to hide clean words', async () => {
    const sent = await sendEnquiry(app, { ...ada, token: 'made.up.token' })

    const row = await db.selectFrom('contacts').selectAll().where('id', '=', sent.json().id).executeTakeFirst()
    expect(row).toMatchObject({ quarantinedAt: null, spamReasons: ['unknown_token'] })
  })
})

describe('the quarantine is for staff', () => {
  test('a stranger is asked to sign in, a customer is turned away', async () => {
    const { id } = (await sendEnquiry(app, spam)).json()
    const customer = await signIn('customer')

    expect((await list({})).statusCode).toBe(401)
    expect((await release(id, {})).statusCode).toBe(401)
    expect((await list(customer.headers)).statusCode).toBe(403)
    expect((await release(id, customer.headers)).statusCode).toBe(403)
  })

  test('a page of another site cannot press the button', async () => {
    const { id } = (await sendEnquiry(app, spam)).json()
    const reply = await app.inject({
      method: 'POST',
      url: `/api/contacts/${id}/release`,
      headers: { cookie: staff.headers.cookie, origin: 'https://evil.example' },
    })

    expect(reply.statusCode).toBe(403)
  })

  test.each(['nothing', newId(), '../..'])('what is not there cannot be released: %s', async (id) => {
    expect((await release(encodeURIComponent(id), staff.headers)).statusCode).toBeOneOf([404, 422])
  })

  test.each(['?limit=0', '?limit=1000', '?limit=x', '?before=x'])('a list cannot be asked for with %s', async (query) => {
    expect((await list(staff.headers, query)).statusCode).toBe(422)
  })
})
