import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { db, newId } from '#app/platform/database/db.server.ts'
import { forgetAllEvents } from '#test/audit.ts'
import { startApp } from '#test/app.ts'
import { forgetLimits } from '#test/auth.ts'
import { signIn, type SignedIn } from '#test/factories.ts'
import { emailsTo } from '#test/emails.ts'

const app = await startApp()
let owner: SignedIn
beforeEach(async () => {
  await forgetLimits()
  await forgetAllEvents()
  owner = await signIn('owner')
})

type Headers = Record<string, string>
const request = ({ headers }: SignedIn, area = 'blog') =>
  app.inject({ method: 'POST', url: '/api/access-requests', headers, payload: { area } })
const list = async (headers: Headers = owner.headers) => app.inject({ url: '/api/admin/access-requests', headers })
const decide = (id: string, decision: string, headers: Headers = owner.headers) =>
  app.inject({ method: 'POST', url: `/api/admin/access-requests/${id}`, headers, payload: { decision } })
const kindsTo = async ({ user }: SignedIn) => (await emailsTo(user.email ?? '')).map(({ kind }) => kind)

/** A requester and the id of their request. */
async function asker(area?: string) {
  const person = await signIn()
  await request(person, area)
  const id: string = (await list()).json().find(({ userId }: { userId: string }) => userId === person.user.id).id
  return { person, id }
}

describe('happy', () => {
  test('pending requests are listed, the oldest first', async () => {
    const [first, second] = [await asker(), await asker('redirects')]
    expect((await list()).json()).toEqual([
      {
        id: first.id,
        userId: first.person.user.id,
        email: first.person.user.email,
        name: 'Ada',
        area: 'blog',
        requestedAt: expect.any(String),
        isProven: true,
      },
      expect.objectContaining({ id: second.id, area: 'redirects' }),
    ])
  })

  test('a grant makes the requester staff with the next request, sends an email, and clears all their requests', async () => {
    const { person, id } = await asker()
    await request(person, 'redirects')
    expect((await decide(id, 'grant')).statusCode).toBe(204)
    expect((await app.inject({ url: '/api/contacts', headers: person.headers })).statusCode).toBe(200)
    expect(await kindsTo(person)).toEqual(['access-granted'])
    expect((await list()).json()).toEqual([])
    const actions = await db
      .selectFrom('auditEvents')
      .select(['action', 'actorId'])
      .where('subjectId', '=', person.user.id)
      .orderBy('id')
      .execute()
    expect(actions).toEqual([
      { action: 'access_requested', actorId: person.user.id },
      { action: 'access_requested', actorId: person.user.id },
      { action: 'access_granted', actorId: owner.user.id },
      { action: 'role_changed', actorId: owner.user.id },
    ])
  })

  test('a declined request only sends an email; other requests stay pending', async () => {
    const { person, id } = await asker()
    await request(person, 'redirects')
    expect((await decide(id, 'decline')).statusCode).toBe(204)
    expect((await app.inject({ url: '/api/contacts', headers: person.headers })).statusCode).toBe(403)
    expect(await kindsTo(person)).toEqual(['access-declined'])
    expect((await list()).json()).toMatchObject([{ area: 'redirects' }])
  })
})

describe('error', () => {
  test('a person with an unconfirmed address does not become staff, and the request stays pending', async () => {
    const { person, id } = await asker()
    await db.updateTable('users').set({ emailConfirmedAt: null }).where('id', '=', person.user.id).execute()
    const refused = await decide(id, 'grant')
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'address_not_proven'])
    expect((await list()).json()).toMatchObject([{ id, isProven: false }])
    expect(await kindsTo(person)).toEqual([])
  })

  test('a grant whose role cannot be stored decides nothing, and can be tried again', async () => {
    const { person, id } = await asker()
    await sql`CREATE FUNCTION no_role() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no role'; END $$`.execute(db)
    await sql`CREATE TRIGGER no_role BEFORE UPDATE OF app_metadata ON users FOR EACH ROW EXECUTE FUNCTION no_role()`.execute(db)
    try {
      expect((await decide(id, 'grant')).statusCode).toBe(500)
    } finally {
      await sql`DROP FUNCTION no_role CASCADE`.execute(db)
    }
    expect([(await list()).json().length, await kindsTo(person)]).toEqual([1, []])
    expect((await decide(id, 'grant')).statusCode).toBe(204)
    expect((await app.inject({ url: '/api/contacts', headers: person.headers })).statusCode).toBe(200)
  })

  test('a request is answered once', async () => {
    const { person, id } = await asker()
    await decide(id, 'decline')
    expect((await decide(id, 'grant')).statusCode).toBe(404)
    expect(await kindsTo(person)).toEqual(['access-declined'])
  })

  test('an unknown request and an unknown decision are errors', async () => {
    expect((await decide(newId(), 'grant')).statusCode).toBe(404)
    expect((await decide('first', 'grant')).statusCode).toBe(422)
    expect((await decide((await asker()).id, 'perhaps')).statusCode).toBe(422)
  })

  test('a request of a deleted account is not listed', async () => {
    const { person, id } = await asker()
    await db.deleteFrom('users').where('id', '=', person.user.id).execute()
    expect((await list()).json()).toEqual([])
    expect((await decide(id, 'grant')).statusCode).toBe(404)
  })
})

describe('security', () => {
  test('only the owner reads and decides requests; no one grants their own', async () => {
    const { person, id } = await asker()
    for (const headers of [person.headers, (await signIn('staff')).headers]) {
      expect((await list(headers)).statusCode).toBe(403)
      expect((await decide(id, 'grant', headers)).statusCode).toBe(403)
    }
    expect((await list({})).statusCode).toBe(401)
    expect((await decide(id, 'grant', {})).statusCode).toBe(401)
    expect((await decide(id, 'grant', { ...owner.headers, 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403)
    expect((await app.inject({ url: '/api/contacts', headers: person.headers })).statusCode).toBe(403)
  })

  test('of two simultaneous decisions one counts, and one email is sent', async () => {
    const { person, id } = await asker()
    const statuses = (await Promise.all([decide(id, 'grant'), decide(id, 'decline'), decide(id, 'grant')])).map(
      ({ statusCode }) => statusCode,
    )
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
    expect(await kindsTo(person)).toHaveLength(1)
  })
})
