import { beforeEach, describe, expect, test } from 'vitest'
import { listStages } from '#app/leads/lead/stage.server.ts'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { forgetAllEvents } from '#test/audit.ts'
import { startApp } from '#test/app.ts'
import { makeApiKey, makeContact, makeUser, signIn, type SignedIn } from '#test/factories.ts'
import type { AuditEvent } from './audit-log.ts'

const app = await startApp()
let owner: SignedIn
beforeEach(async () => {
  await forgetAllEvents()
  owner = await signIn('owner')
})

type Headers = Record<string, string>
const list = (query = '', headers: Headers = owner.headers) => app.inject({ url: `/api/admin/audit${query}`, headers })
const csv = (query = '', headers: Headers = owner.headers) => app.inject({ url: `/api/admin/audit.csv${query}`, headers })
const note = (given: { action: string; actorId?: string; subjectId?: string; address?: string; detail?: string; createdAt?: Date }) =>
  insert(db, 'auditEvents', given)
const actionsOf = (reply: { json: () => { events: { action: string }[] } }) => reply.json().events.map(({ action }) => action)

describe('happy', () => {
  test('events are listed, newest first, with their people and all actions', async () => {
    const { id, email } = await makeUser()
    const gone = newId()
    await note({
      action: 'login',
      actorId: id,
      subjectId: id,
      address: '192.0.2.7',
      detail: '{"method":"password"}',
      createdAt: new Date('2026-10-03'),
    })
    await note({ action: 'user_deleted', subjectId: gone, createdAt: new Date('2026-10-04') })
    const reply = await list()
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.json()).toMatchObject({
      events: [
        { action: 'user_deleted', actor: null, subject: { id: gone, email: null } },
        { action: 'login', actor: { id, email }, subject: { id, email }, address: '192.0.2.7', detail: { method: 'password' } },
      ],
      actions: ['login', 'user_deleted'],
      nextCursor: null,
    })
  })

  test('ids are shown as names, ids without a name are left out, and the detail keeps them all', async () => {
    const { id } = await makeUser()
    const key = await makeApiKey(id)
    const contact = await makeContact()
    const [first, second] = await listStages()
    const detail = { key: key.id, replaces: newId(), area: 'blog', changed: ['name', 'email'], count: 3 }
    await note({ action: 'api_key_renamed', actorId: id, subjectId: contact.id, detail: JSON.stringify(detail) })
    const stages = { from: [first?.id, 999_999], to: second?.id }
    await note({ action: 'lead_stage_changed', subjectId: newId(), detail: JSON.stringify(stages) })
    const events: AuditEvent[] = (await list()).json().events
    const [moved, renamed] = [
      events.find(({ action }) => action === 'lead_stage_changed'),
      events.find(({ action }) => action === 'api_key_renamed'),
    ]
    expect(renamed).toMatchObject({ detail, subject: { id: contact.id, email: null, name: contact.reference } })
    expect(renamed?.facts).toEqual({
      key: 'Nightly (wn_1…)',
      area: 'Blog Management',
      changed: ['name', 'email'],
      count: 3,
    })
    expect(Object.keys(renamed?.facts ?? {})[0]).toBe('key')
    expect(moved).toMatchObject({ detail: stages, subject: { email: null, name: null } })
    expect(moved?.facts).toEqual({ from: [first?.name], to: second?.name })
    expect((await csv('?action=api_key_renamed')).body).toContain(key.id)
  })

  test('it is chosen by action, by person, and by whole days', async () => {
    const [grace, ada] = [await makeUser({ email: `grace-${newId()}@navy.example` }), await makeUser()]
    await note({ action: 'login', actorId: grace.id, subjectId: grace.id, createdAt: new Date('2026-10-03T23:59:59.999Z') })
    await note({ action: 'logout', actorId: grace.id, subjectId: grace.id, createdAt: new Date('2026-10-05T00:00:00Z') })
    await note({ action: 'role_changed', actorId: owner.user.id, subjectId: ada.id, createdAt: new Date('2026-10-04T12:00:00Z') })
    expect(actionsOf(await list('?action=login'))).toEqual(['login'])
    expect(actionsOf(await list('?person=navy.example'))).toEqual(['logout', 'login'])
    expect(actionsOf(await list(`?person=${ada.id}`))).toEqual(['role_changed'])
    expect(actionsOf(await list('?person=nobody-at-all'))).toEqual([])
    expect(actionsOf(await list('?from=2026-10-04&to=2026-10-04'))).toEqual(['role_changed'])
    expect(actionsOf(await list('?from=2026-10-04'))).toEqual(['logout', 'role_changed'])
    expect(actionsOf(await list('?to=2026-10-03&person=navy&action=login'))).toEqual(['login'])
  })

  test('page follows page without a gap, also where many things happened at the same moment', async () => {
    const at = new Date('2026-10-03T10:00:00.123Z')
    const rows = Array.from({ length: 25 }, () => ({ id: newId(), action: 'login', createdAt: at }))
    await db.insertInto('auditEvents').values(rows).execute()
    const seen: string[] = []
    for (let cursor = ''; cursor !== null;) {
      const page = (await list(`?limit=10${cursor && `&cursor=${cursor}`}`)).json()
      seen.push(...page.events.map(({ id }: { id: string }) => id))
      cursor = page.nextCursor
    }
    expect(seen).toEqual(
      rows
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    )
  })

  test('the filtered events are exported as CSV, complete, and no spreadsheet runs a cell', async () => {
    const rows = Array.from({ length: 2300 }, () => ({ id: newId(), action: 'login' }))
    for (let start = 0; start < rows.length; start += 500)
      await db
        .insertInto('auditEvents')
        .values(rows.slice(start, start + 500))
        .execute()
    const hostile = await makeUser({ email: `=cmd|calc${newId()}@example.com` })
    await note({ action: 'user_banned', actorId: owner.user.id, subjectId: hostile.id, detail: '{"reason":"a, \\"b\\""}' })
    const reply = await csv()
    expect(reply.headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8; header=present', 'cache-control': 'no-store' })
    expect(reply.headers['content-disposition']).toMatch(/^attachment; filename="audit-\d{4}-\d\d-\d\d\.csv"$/)
    const lines = reply.body.trimEnd().split('\r\n')
    // The export itself is the newest event.
    expect(lines).toHaveLength(2303)
    expect(lines[1]).toContain('"audit_exported"')
    expect(lines[0]).toBe('"Action","By","About","Address","Detail","At"')
    expect(lines[2]).toContain(`"'=cmd|calc`)
    expect(lines[2]).toContain(`"${owner.user.email}"`)
    expect(lines[2]).toContain(',"{""reason"": ""a, \\""b\\""""}",')
    expect((await csv('?action=user_banned')).body.trimEnd().split('\r\n')).toHaveLength(2)
    expect((await csv('?action=nothing')).body).toBe('"Action","By","About","Address","Detail","At"\r\n')
  })
})

describe('error', () => {
  test.each([
    '?from=yesterday',
    '?to=2026-13-01',
    '?from=2026-02-30',
    '?from=0000-00-00',
    '?action=DROP%20TABLE',
    '?limit=1000',
    `?person=${'a'.repeat(201)}`,
  ])('%s is refused in words', async (query) => expect((await list(query)).statusCode).toBe(422))

  test('a page that is not ours is none', async () => expect((await list('?cursor=e30')).statusCode).toBe(400))
})

describe('security', () => {
  test('only the owner reads and exports it', async () => {
    await note({ action: 'login', address: '192.0.2.7' })
    for (const read of [list, csv]) {
      expect((await read('', {})).statusCode).toBe(401)
      for (const role of ['customer', 'staff'] as const) {
        const reply = await read('', (await signIn(role)).headers)
        expect(reply.statusCode).toBe(403)
        expect(reply.body).not.toContain('192.0.2.7')
      }
    }
  })

  test('a search is a text and never a part of a statement', async () => {
    await note({ action: 'login' })
    for (const person of ["' OR 1=1 --", '%', '_', String.raw`\'; DROP TABLE users; --`]) {
      expect(actionsOf(await list(`?person=${encodeURIComponent(person)}`))).toEqual([])
      expect((await csv(`?person=${encodeURIComponent(person)}`)).body.trimEnd().split('\r\n')).toHaveLength(1)
    }
  })
})
