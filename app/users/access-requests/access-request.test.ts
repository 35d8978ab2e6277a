import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { areas } from '#app/content/areas.ts'
import { forgetAllEvents } from '#test/audit.ts'
import { startApp } from '#test/app.ts'
import { forgetLimits } from '#test/enquiries.ts'
import { makeUser, signIn, type SignedIn } from '#test/factories.ts'
import { emailsTo } from '#test/emails.ts'
import { textOf } from '#test/read-page.ts'

const OWNER = 'olive@example.com'

let customer: SignedIn

const app = await startApp()

beforeAll(async () => {
  const { id } = await makeUser({ email: OWNER, role: 'owner' })
  await db.updateTable('installation').set({ ownerId: id }).execute()
})
beforeEach(async () => {
  await forgetLimits()
  await db.deleteFrom('jobs').execute()
  customer = await signIn('customer')
})

type Headers = Record<string, string>

const ask = async (area: string, headers: Headers = customer.headers) =>
  app.inject({ method: 'POST', url: '/api/access-requests', headers, payload: { area } })
const asked = async (headers: Headers = customer.headers) => app.inject({ url: '/api/access-requests', headers })
const open = async (url: string, { headers }: SignedIn) => {
  const { statusCode, body } = await app.inject({ url, headers })
  return { status: statusCode, text: textOf(body.slice(body.indexOf('<main'), body.indexOf('</main>'))) }
}
const places = [
  ['/admin/blog', areas.blog],
  ['/admin/redirects', areas.redirects],
  ['/admin/products', areas.products],
] as const

describe('happy', () => {
  test.each(places)(
    '%s tells a customer what it is for, what it needs, and lets them ask',
    async (url, { title, purpose, uses, needs }) => {
      const { status, text } = await open(url, customer)
      expect(status).toBe(200)
      for (const words of [title, purpose, ...uses, needs, 'Request access']) expect(text).toContain(words)
    },
  )

  test.each([
    ['/admin/blog', areas.blog.title, 'New Post'],
    ['/admin/redirects', areas.redirects.title, 'New Redirect'],
    ['/admin/products', areas.products.title, 'New Product'],
  ])('%s lets staff in, and asks for nothing', async (url, title, words) => {
    const { text } = await open(url, await signIn('staff'))
    expect(text).toContain(title)
    expect(text).toContain(words)
    expect(text).not.toContain('Request access')
  })

  test('a request reaches the owner by mail and stands in the audit log, and its sender reads when it was sent', async () => {
    const sent = await ask('blog')
    expect(sent.statusCode).toBe(200)
    expect((await asked()).json()).toEqual([{ area: 'blog', requestedAt: expect.any(String) }])
    expect(await emailsTo(OWNER)).toEqual([
      { kind: 'access-request', data: { area: 'blog', email: customer.user.email, firstName: 'Ada' } },
    ])
    const events = await db.selectFrom('auditEvents').selectAll().where('actorId', '=', customer.user.id).execute()
    expect(events).toMatchObject([{ action: 'access_requested', detail: { area: 'blog' } }])
  })

  test('repeated and simultaneous requests are one request with one email', async () => {
    const replies = await Promise.all([1, 2, 3, 4].map(async () => ask('blog')))
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    expect(await emailsTo(OWNER)).toHaveLength(1)
    await ask('redirects')
    expect(await emailsTo(OWNER)).toHaveLength(2)
  })

  test('after a week the request can be repeated', async () => {
    await ask('blog')
    await forgetAllEvents()
    const eightDaysAgo = new Date(Date.now() - 8 * 24 * 3_600_000)
    const values = { id: customer.user.id, action: 'access_requested', actorId: customer.user.id, createdAt: eightDaysAgo }
    await db
      .insertInto('auditEvents')
      .values({ ...values, detail: JSON.stringify({ area: 'blog' }) })
      .execute()
    expect((await asked()).json()).toEqual([])
    await ask('blog')
    expect(await emailsTo(OWNER)).toHaveLength(2)
  })
})

describe('error', () => {
  test('staff have the access that they ask for', async () => {
    expect((await ask('blog', (await signIn('staff')).headers)).statusCode).toBe(409)
    expect(await emailsTo(OWNER)).toEqual([])
  })

  test('an unknown area is refused', async () => {
    const reply = await ask('everything')
    expect(reply.statusCode).toBe(422)
    expect(reply.json().errors).toEqual({ area: 'must be blog, redirects, marketplace or products' })
  })
})

describe('security', () => {
  test('a name that a customer gave themselves reaches the owner in one line, with nothing invisible', async () => {
    await db
      .updateTable('users')
      .set({ userMetadata: JSON.stringify({ first_name: ' Ada\n\nOwner:\u202Epress\u0007 here ' }) })
      .where('id', '=', customer.user.id)
      .execute()
    await ask('blog')
    expect(await emailsTo(OWNER)).toMatchObject([{ data: { firstName: 'Ada Owner:press here' } }])
  })

  test('strangers and other sites cannot request, and people read only their own requests', async () => {
    expect((await ask('blog', { 'sec-fetch-site': 'same-origin' })).statusCode).toBe(401)
    expect((await ask('blog', { ...customer.headers, 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403)
    expect((await asked({})).statusCode).toBe(401)
    await ask('blog')
    expect((await asked((await signIn('customer')).headers)).json()).toEqual([])
  })

  test('one account can press twenty times an hour; others are not concerned', async () => {
    const codes = []
    for (let press = 0; press < 21; press += 1) codes.push((await ask('blog')).statusCode)
    expect(codes.filter((code) => code === 200)).toHaveLength(20)
    expect(codes.at(-1)).toBe(429)
    expect((await ask('blog', (await signIn('customer')).headers)).statusCode).toBe(200)
  })

  test('asking gives nothing', async () => {
    await ask('blog')
    expect((await app.inject({ url: '/api/contacts', headers: customer.headers })).statusCode).toBe(403)
    expect((await open('/admin/blog', customer)).text).toContain(areas.blog.needs)
  })
})
