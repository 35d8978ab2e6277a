import { beforeEach, describe, expect, test, vi } from 'vitest'
import { db, insert } from '#app/platform/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { authClient, forgetLimits, signUpAndConfirm } from '#test/auth.ts'
import { makePost, signIn, type SignedIn } from '#test/factories.ts'

const app = await startEndpoints()
const call = authClient(app)
beforeEach(forgetLimits)

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

const send = ({ headers }: SignedIn, method: Method, url: string, payload?: object) =>
  app.inject({ method, url, headers, ...(payload && { payload }) })
const eventsOf = async (person: Pick<SignedIn, 'user'>, action: string) =>
  db
    .selectFrom('auditEvents')
    .selectAll()
    .where((event) => event.or([event('actorId', '=', person.user.id), event('subjectId', '=', person.user.id)]))
    .where('action', '=', action)
    .orderBy('id')
    .execute()
/** Refusals are written after the answer. */
const soon = (person: Pick<SignedIn, 'user'>, action: string, count: number) =>
  vi.waitFor(async () => expect(await eventsOf(person, action)).toHaveLength(count), 3000)

describe('happy', () => {
  test('each export is in the log before it leaves: who, when, from where and which part', async () => {
    const owner = await signIn('owner')
    const exports: [url: string, action: string, filter?: string[]][] = [
      ['/api/contacts.csv?q=prices', 'leads_exported', ['q']],
      ['/api/consultations.csv', 'consultations_exported'],
      ['/api/admin/audit.csv', 'audit_exported'],
      ['/api/redirects/export?format=csv', 'redirects_exported'],
    ]
    for (const [url, action, filter] of exports) {
      expect([url, (await send(owner, 'GET', url)).statusCode]).toEqual([url, 200])
      const [event] = await eventsOf(owner, action)
      expect(event).toMatchObject({ actorId: owner.user.id, address: '127.0.0.1', createdAt: expect.any(Date) })
      if (filter) expect(event?.detail['filter']).toEqual(expect.arrayContaining(filter))
      expect(JSON.stringify(event?.detail)).not.toContain('prices')
    }
  })

  test('posts and redirects say what was done to which of them', async () => {
    const staff = await signIn('staff')
    const redirect = { fromPath: '/old-prices', toPath: '/services', statusCode: 301 }
    const { id } = (await send(staff, 'POST', '/api/redirects', redirect)).json()
    expect(await eventsOf(staff, 'redirect_created')).toMatchObject([{ actorId: staff.user.id, detail: { object: id } }])
    await send(staff, 'DELETE', `/api/redirects/${id}`)
    expect(await eventsOf(staff, 'redirect_removed')).toMatchObject([{ detail: { object: id } }])
    const post = await makePost()
    expect((await send(staff, 'DELETE', `/api/blog/${post.id}`)).statusCode).toBe(204)
    expect(await eventsOf(staff, 'post_removed')).toMatchObject([{ detail: { object: post.id } }])
  })
})

describe('error', () => {
  test('what is refused or not found is no event', async () => {
    const staff = await signIn('staff')
    await send(staff, 'DELETE', `/api/redirects/${staff.user.id}`)
    expect(await eventsOf(staff, 'redirect_removed')).toEqual([])
  })
})

describe('security', () => {
  test('failed sign-ins are in the log by account, at most twenty an hour however many are tried', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const person = { user: { id: session.user.id } } as Pick<SignedIn, 'user'>
    expect((await call('POST', '/token?grant_type=password', { email, password: 'wrong horse' })).statusCode).toBe(400)
    await soon(person, 'login_failed', 1)
    expect(await eventsOf(person, 'login_failed')).toMatchObject([
      { subjectId: session.user.id, actorId: null, address: '127.0.0.1', detail: { method: 'password', reason: 'invalid_credentials' } },
    ])
    // The pause between guesses would take an hour; what bounds the log is what is tried here.
    const { noteRefusal } = await import('#app/identity/refused.server.ts')
    for (let attempt = 0; attempt < 60; attempt += 1) {
      noteRefusal({ action: 'login_failed', account: 'one', subjectId: session.user.id, address: '127.0.0.1', detail: {} })
    }
    await soon(person, 'login_failed', 21)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await eventsOf(person, 'login_failed')).toHaveLength(21)
  })

  test('so is everything that an account asked for and may not have, and a session without its second factor', async () => {
    const customer = await signIn()
    expect((await send(customer, 'GET', '/api/contacts')).statusCode).toBe(403)
    await soon(customer, 'access_refused', 1)
    expect(await eventsOf(customer, 'access_refused')).toMatchObject([
      { actorId: customer.user.id, detail: { permission: 'leads.read', path: '/api/contacts', reason: 'role' } },
    ])
    const half = await signIn('staff')
    await insert(db, 'mfaFactors', { userId: half.user.id, factorType: 'phone', phone: '4915112345678', status: 'verified' })
    expect((await send(half, 'GET', '/api/contacts')).statusCode).toBe(403)
    await soon(half, 'access_refused', 1)
    expect((await eventsOf(half, 'access_refused'))[0]?.detail).toMatchObject({ reason: 'insufficient_aal' })
  })
})
