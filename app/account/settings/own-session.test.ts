import { describe, expect, test } from 'vitest'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { startApp } from '#test/app.ts'
import { signIn, type SignedIn } from '#test/factories.ts'

const app = await startApp()
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'

const list = ({ headers }: SignedIn) => app.inject({ url: '/api/account/sessions', headers })
const end = ({ headers }: SignedIn, id: string) => app.inject({ method: 'DELETE', url: `/api/account/sessions/${id}`, headers })
const another = ({ user }: SignedIn) => insert(db, 'sessions', { userId: user.id, userAgent: FIREFOX, address: '192.0.2.7' })

describe('happy', () => {
  test('the device one sits at comes first; each has a name, an address and its last use', async () => {
    const person = await signIn()
    const other = await another(person)
    const reply = await list(person)
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.json()).toEqual([
      expect.objectContaining({ id: person.session.id, device: 'Unknown device', address: null, isCurrent: true }),
      {
        id: other.id,
        device: 'Firefox on Windows',
        address: '192.0.2.7',
        lastUsedAt: other.refreshedAt.toISOString(),
        createdAt: other.createdAt.toISOString(),
        isCurrent: false,
      },
    ])
  })

  test('one that is signed out is out with its next request, and the log says who did it', async () => {
    const here = await signIn()
    const there = await signIn('customer')
    await db.updateTable('sessions').set({ userId: here.user.id }).where('id', '=', there.session.id).execute()
    expect((await end(here, there.session.id)).statusCode).toBe(204)
    expect((await list(there)).statusCode).toBe(401)
    expect((await list(here)).json()).toHaveLength(1)
    const event = await db.selectFrom('auditEvents').selectAll().where('subjectId', '=', here.user.id).executeTakeFirstOrThrow()
    expect(event).toMatchObject({ action: 'logout', actorId: here.user.id })
  })
})

describe('error', () => {
  test('an unknown session cannot be signed out', async () => {
    const person = await signIn()
    expect((await end(person, newId())).statusCode).toBe(404)
    expect((await end(person, 'mine')).statusCode).toBe(422)
  })
})

describe('security', () => {
  test('no role sees or ends the sessions of others here', async () => {
    const victim = await signIn()
    for (const role of ['customer', 'staff', 'owner'] as const) {
      const person = await signIn(role)
      expect((await list(person)).json()).toHaveLength(1)
      expect((await end(person, victim.session.id)).statusCode).toBe(404)
    }
    expect((await list(victim)).statusCode).toBe(200)
  })

  test('strangers get 401, and a foreign page ends nothing', async () => {
    const { session, headers } = await signIn()
    expect((await app.inject('/api/account/sessions')).statusCode).toBe(401)
    const url = `/api/account/sessions/${session.id}`
    expect((await app.inject({ method: 'DELETE', url })).statusCode).toBe(401)
    const foreign = await app.inject({ method: 'DELETE', url, headers: { ...headers, 'sec-fetch-site': 'cross-site' } })
    expect(foreign.statusCode).toBe(403)
  })
})
