import { beforeEach, describe, expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { ada, forgetLimits, sampleEnquiries, sendEnquiry } from '#test/enquiries.ts'
import { makeOwner } from '#test/factories.ts'

const app = await startEndpoints()
beforeEach(forgetLimits)

const count = async (table: 'contacts' | 'people' | 'jobs') =>
  (
    await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count

describe('an invalid enquiry', () => {
  test('is answered with a problem that names its fields in the order of the form', async () => {
    const reply = await sendEnquiry(app, { message: 'short', email: 'ada' })

    expect(reply.statusCode).toBe(422)
    expect(reply.headers['content-type']).toContain('application/problem+json')
    expect(Object.entries(reply.json().errors)).toEqual([
      ['name', 'Name is required'],
      ['email', 'Invalid email address'],
      ['country', 'Please select your country'],
      ['problem', 'Please describe your problem'],
      ['message', 'Message must be at least 10 characters'],
    ])
    expect(reply.json()).toMatchObject({ status: 422, detail: 'Name is required', code: 'validation_failed' })
  })

  test.each([
    ['home', 'message', 'Message must be at least 10 characters'],
    ['landing', 'problem', 'Please select a problem type'],
    ['landing', 'country', 'Country is required'],
    ['hire', 'name', 'Name must be at least 2 characters'],
    ['hire', 'problem', 'Please describe your data challenges (minimum 10 characters)'],
  ] as const)('hears it from the %s form about its %s', async (form, field, sentence) => {
    const reply = await sendEnquiry(app, { ...sampleEnquiries[form], form, [field]: '' })

    expect(reply.statusCode).toBe(422)
    expect(reply.json().errors).toEqual({ [field]: sentence })
  })

  test.each([
    ['no JSON', '{"name":', 400],
    ['nothing', '', 400],
    ['null', 'null', 422],
    ['an array', '[]', 422],
    ['a number', '7', 422],
    ['text', '"hello"', 422],
    ['fields of other types', JSON.stringify({ name: 1, email: {}, country: [], problem: null, message: true }), 422],
    ['a prototype', '{"__proto__":{"name":"x"}}', 400],
    ['something far too long', JSON.stringify({ ...ada, message: 'x'.repeat(1_100_000) }), 413],
  ])('that is %s', async (_what, body, status) => {
    const before = await count('contacts')
    const reply = await sendEnquiry(app, body)

    expect(reply.statusCode).toBe(status)
    expect(reply.json()).toMatchObject({ status, detail: expect.any(String) })
    expect(await count('contacts')).toBe(before)
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'multipart/form-data; boundary=x'])(
    'sent as %s',
    async (type) => {
      const reply = await sendEnquiry(app, ada, { 'content-type': type })

      expect([415, 422]).toContain(reply.statusCode)
    },
  )

  test('leaves nothing behind when its emails cannot be stored', async () => {
    const before = [await count('contacts'), await count('people'), await count('jobs')]
    await db.schema.alterTable('jobs').renameTo('jobs_away').execute()
    const reply = await sendEnquiry(app, { ...ada, email: 'unlucky@analytical.example' })
    await db.schema.alterTable('jobs_away').renameTo('jobs').execute()

    expect(reply.statusCode).toBe(500)
    expect(reply.body).not.toMatch(/jobs|relation|at .*\.ts/)
    expect([await count('contacts'), await count('people'), await count('jobs')]).toEqual(before)
  })
})

describe('one attempt', () => {
  test('that is sent again gets the same receipt and makes one lead', async () => {
    const key = { 'idempotency-key': 'attempt-1' }
    const [first, again] = [await sendEnquiry(app, ada, key), await sendEnquiry(app, ada, key)]

    expect([first.statusCode, again.statusCode]).toEqual([201, 201])
    expect(again.json()).toEqual(first.json())
    expect(await db.selectFrom('contacts').select('id').where('idempotencyKey', '=', 'attempt-1').execute()).toHaveLength(1)
  })

  test('that is sent 20 times simultaneously makes one lead, one pair of emails and one notification', async () => {
    const before = await count('jobs')
    const replies = await Promise.all(Array.from({ length: 20 }, () => sendEnquiry(app, ada, { 'idempotency-key': 'attempt-2' })))

    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([201]))
    expect(new Set(replies.map(({ body }) => body)).size).toBe(1)
    expect(await db.selectFrom('contacts').select('id').where('idempotencyKey', '=', 'attempt-2').execute()).toHaveLength(1)
    expect(await count('jobs')).toBe(before + 3)
  })

  test('may carry its key in the body', async () => {
    const [first, again] = [
      await sendEnquiry(app, { ...ada, idempotencyKey: 'in-body' }),
      await sendEnquiry(app, ada, { 'idempotency-key': 'in-body' }),
    ]

    expect(again.json()).toEqual(first.json())
  })

  test('cannot lend its key to other words', async () => {
    await sendEnquiry(app, ada, { 'idempotency-key': 'attempt-3' })
    const reply = await sendEnquiry(app, { ...ada, message: 'Something else altogether.' }, { 'idempotency-key': 'attempt-3' })

    expect(reply.statusCode).toBe(422)
    expect(reply.json()).toMatchObject({ code: 'idempotency_key_reused' })
  })

  test.each(['', 'x'.repeat(201), 'with space', 'ünicode'])('with the key %j is refused', async (key) => {
    const reply = await sendEnquiry(app, { ...ada, idempotencyKey: key })

    expect(reply.statusCode).toBe(422)
    expect(reply.json().errors).toHaveProperty('idempotencyKey')
  })

  test('of the same person 20 times at once makes one person and 20 enquiries', async () => {
    const email = 'busy@analytical.example'
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => sendEnquiry(app, { ...ada, email, message: `Enquiry number ${index}` })),
    )

    expect(replies.every(({ statusCode }) => statusCode === 201)).toBe(true)
    expect(await db.selectFrom('people').select('id').where('email', '=', email).execute()).toHaveLength(1)
    expect(await db.selectFrom('contacts').select('id').where('email', '=', email).execute()).toHaveLength(20)
  })
})

describe('against abuse', () => {
  test('a page of another site cannot send', async () => {
    const reply = await sendEnquiry(app, ada, { origin: 'https://evil.example' })

    expect(reply.statusCode).toBe(403)
    expect(reply.json()).toMatchObject({ code: 'foreign_origin' })
  })

  test('one visitor cannot send without limit, and the response says when to try again', async () => {
    const replies = []
    for (let sent = 0; sent < 61; sent += 1) replies.push(await sendEnquiry(app, {}))

    expect(replies.slice(0, 60).every(({ statusCode }) => statusCode === 422)).toBe(true)
    expect(replies[60]?.statusCode).toBe(429)
    expect(Number(replies[60]?.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('the form cannot be used to flood a mailbox: every enquiry is stored, but the emails to one address are limited', async () => {
    const email = 'victim@analytical.example'
    for (let sent = 0; sent < 22; sent += 1) {
      const { statusCode } = await sendEnquiry(app, { ...ada, email, message: `Message number ${sent}` })
      expect(statusCode).toBe(201)
    }

    const emails = await db.selectFrom('jobs').select('payload').where('kind', '=', 'letter').execute()
    expect(emails.filter(({ payload }) => JSON.stringify(payload).includes(`"to":"${email}"`))).toHaveLength(10)
    expect(await db.selectFrom('contacts').select('id').where('email', '=', email).execute()).toHaveLength(22)
  })

  test('a stranger’s text is not sent to an address that anyone may have typed', async () => {
    const { json } = await sendEnquiry(app, {
      ...ada,
      email: 'third@analytical.example',
      name: 'Win 1000 dollars at evil.example',
      message: 'Visit evil.example today!',
    })
    expect(json()).toHaveProperty('reference')

    const { writeEmail } = await import('#app/mail/email.server.ts')
    const jobs = await db.selectFrom('jobs').select('payload').where('kind', '=', 'letter').execute()
    const email = jobs.map(({ payload }) => asEmail(payload)).find(({ to }) => to === 'third@analytical.example')
    const { renderToStaticMarkup } = await import('react-dom/server')
    const html = renderToStaticMarkup(writeEmail('acknowledgement', JSON.stringify(email?.data)).body)
    expect(html).toContain(json().reference)
    expect(html).not.toMatch(/evil|1000/)
  })

  test('emails about new leads go to the owner once there is one', async () => {
    await makeOwner({ email: 'owner@analytical.example' })
    const { json } = await sendEnquiry(app, { ...ada, email: 'late@analytical.example' })

    const jobs = await db.selectFrom('jobs').select('payload').where('kind', '=', 'letter').execute()
    const notice = jobs
      .map(({ payload }) => asEmail(payload))
      .find(({ kind, data }) => kind === 'new-lead' && data.reference === json().reference)
    expect(notice?.to).toBe('owner@analytical.example')
  })
})

function asEmail(payload: unknown): { kind: string; to: string; data: { reference: string } } {
  return JSON.parse(JSON.stringify(payload))
}
