import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { forgetAllEvents } from '#test/audit.ts'
import { ada, sendEnquiry } from '#test/enquiries.ts'
import { makeConsultation, makeContact, makeProduct, signIn } from '#test/factories.ts'
import { jobOf } from '#test/job.ts'

const app = await startEndpoints()
const staff = await signIn('staff')
const colleague = await signIn('staff')
beforeEach(async () => {
  await db.deleteFrom('personMerges').execute()
  await db.deleteFrom('consultations').execute()
  await db.deleteFrom('contacts').execute()
  await db.deleteFrom('people').execute()
  await db.deleteFrom('jobs').execute()
  await db.deleteFrom('notifications').execute()
  await forgetAllEvents()
})

type Headers = Record<string, string>
type Method = 'POST' | 'PATCH' | 'DELETE'
const get = async (url: string, headers: Headers = staff.headers) => app.inject({ url, headers })
const send = async (method: Method, url: string, payload?: object, headers: Headers = staff.headers) =>
  app.inject({ method, url, headers, ...(payload && { payload }) })
const patch = async (reference: string, changes: object, headers?: Headers) =>
  send('PATCH', `/api/leads/${reference}`, { changes }, headers)
const timeline = async (reference: string, query = '') => (await get(`/api/leads/${reference}/timeline?${query}`)).json().entries
const kinds = async (reference: string, query = '') => (await timeline(reference, query)).map(({ kind }: { kind: string }) => kind)
const actions = async () => (await db.selectFrom('auditEvents').select('action').orderBy('id').execute()).map(({ action }) => action)
const runJobs = async (kind: string) => {
  const jobs = await db.selectFrom('jobs').selectAll().where('kind', '=', kind).orderBy('id').execute()
  for (const { id, payload } of jobs) await jobOf(kind).run(payload, { id, attempt: 1, signal: new AbortController().signal })
}
const personOf = async (id: string) =>
  (await db.selectFrom('contacts').select('personId').where('id', '=', id).executeTakeFirstOrThrow()).personId

describe('a lead', () => {
  test('is read by its reference with its facts, its person, its clocks and the person’s other leads', async () => {
    const one = await makeContact({ email: 'ada@example.com', name: 'Ada', problem: 'Prices' })
    const two = await makeContact({ email: 'ada@example.com', problem: 'Stocks', personId: one.personId })
    const reply = await get(`/api/leads/${one.reference}`)
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.json()).toMatchObject({
      id: one.id,
      problem: 'Prices',
      stageId: 1,
      ownerId: null,
      tags: [],
      tasks: [],
      promisedFrom: one.promisedFrom.toISOString(),
      person: { id: one.personId, name: 'Ada', email: 'ada@example.com', merged: [] },
      otherLeads: [{ reference: two.reference, problem: 'Stocks', stageId: 1 }],
    })
  })

  test('each fact is changed in place, with an event that has both values, and one audit entry without texts', async () => {
    const { reference, company } = await makeContact({ company: 'Acme' })
    const changes = {
      name: { from: 'Ada Lovelace', to: 'Ada King' },
      company: { from: company, to: 'Analytical' },
      phone: { from: null, to: '+44 20 7946 0000' },
      country: { from: 'United Kingdom', to: 'Germany' },
      serviceType: { from: null, to: 'Data Extraction' },
      stageId: { from: 1, to: 3 },
      ownerId: { from: null, to: staff.user.id },
      valueCents: { from: null, to: 250_000 },
      nextStep: { from: null, to: 'Call back' },
      nextStepAt: { from: null, to: '2026-12-01T09:00:00+01:00' },
      tags: { from: [], to: ['vip', 'vip'] },
      isStarred: { from: false, to: true },
      lostReason: { from: null, to: '' },
    }
    const reply = await patch(reference, changes)
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toMatchObject({
      name: 'Ada King',
      company: 'Analytical',
      phone: '+44 20 7946 0000',
      country: 'Germany',
      serviceType: 'Data Extraction',
      stageId: 3,
      ownerId: staff.user.id,
      valueCents: 250_000,
      nextStep: 'Call back',
      nextStepAt: '2026-12-01T08:00:00.000Z',
      tags: ['vip'],
      isStarred: true,
      lostReason: null,
    })
    const entries = await timeline(reference)
    expect(entries).toHaveLength(13)
    expect(entries.find(({ kind }: { kind: string }) => kind === 'stage_changed')).toMatchObject({
      actorId: staff.user.id,
      actorName: 'Ada',
      detail: { from: 1, to: 3 },
    })
    expect(await actions()).toEqual(['lead_changed'])
    expect((await get('/api/leads?country=germany')).json().leads).toHaveLength(1)
    const [event] = await db.selectFrom('auditEvents').select('detail').execute()
    expect(JSON.stringify(event)).not.toContain('Call back')
  })

  test('of two people who edit it, the second is told field by field, and nothing of theirs is stored', async () => {
    const { reference } = await makeContact({ company: 'Acme' })
    await patch(reference, { company: { from: 'Acme', to: 'First' }, nextStep: { from: null, to: 'Call' } }, colleague.headers)
    const reply = await patch(reference, {
      company: { from: 'Acme', to: 'Second' },
      nextStep: { from: null, to: 'Write' },
      valueCents: { from: null, to: 100 },
    })
    expect(reply.statusCode).toBe(409)
    expect(reply.json()).toMatchObject({
      code: 'fields_changed',
      detail: 'Someone else has changed: Next step, Company.',
      current: { company: 'First', nextStep: 'Call' },
    })
    expect((await get(`/api/leads/${reference}`)).json()).toMatchObject({ company: 'First', nextStep: 'Call', valueCents: null })
    // Both wanted the same, or different facts: no conflict.
    expect((await patch(reference, { company: { from: 'Acme', to: 'First' } })).statusCode).toBe(200)
    expect((await patch(reference, { valueCents: { from: null, to: 100 } })).statusCode).toBe(200)
  })

  test('has at most 20 tags, also by a bulk change, and stays editable', async () => {
    const [full, free] = [await makeContact(), await makeContact()]
    const tags = Array.from({ length: 20 }, (_, at) => `tag ${at}`)
    await patch(full.reference, { tags: { from: [], to: tags } })
    const choice = { ids: [full.id, free.id] }
    expect((await send('POST', '/api/leads/bulk', { choice, change: { change: 'tag', tag: 'vip' } })).json().changed).toBe(1)
    expect((await get(`/api/leads/${full.reference}`)).json().tags).toEqual(tags)
    expect((await patch(full.reference, { tags: { from: tags, to: ['vip'] } })).statusCode).toBe(200)
  })

  test('two changes of one fact at the same moment: one is stored, the other is told', async () => {
    const { reference } = await makeContact()
    const replies = await Promise.all(['Call', 'Write', 'Visit'].map((to) => patch(reference, { nextStep: { from: null, to } })))
    expect(replies.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([200, 409, 409])
    expect(await kinds(reference)).toEqual(['fact_changed', 'received'])
  })
})

describe('the timeline', () => {
  test('has the enquiry and all that followed, newest first, page by page, also of the whole person', async () => {
    const one = await makeContact({ email: 'ada@example.com', createdAt: new Date('2026-10-01T08:00:00Z') })
    const two = await makeContact({ email: 'ada@example.com', personId: one.personId, createdAt: new Date('2026-10-02T08:00:00Z') })
    await send('POST', `/api/contacts/${one.id}/answer`)
    await send('POST', `/api/leads/${two.reference}/notes`, { text: 'Called **twice**.' })
    expect(await kinds(one.reference)).toEqual(['stage_changed', 'answered', 'received'])
    const whole = await timeline(one.reference, 'scope=person')
    expect(whole.map(({ kind, reference }: { kind: string; reference: string }) => [kind, reference])).toEqual([
      ['note_added', two.reference],
      ['stage_changed', one.reference],
      ['answered', one.reference],
      ['received', two.reference],
      ['received', one.reference],
    ])
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const url = `/api/leads/${one.reference}/timeline?scope=person&limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
      const page: { entries: { id: string }[]; nextCursor: string | null } = (await get(url)).json()
      seen.push(...page.entries.map(({ id }) => id))
      cursor = page.nextCursor
    }
    expect(seen).toEqual(whole.map(({ id }: { id: string }) => id))
  })

  test('of the whole person has what they did with an account of a proven address, and nothing of another account', async () => {
    const one = await makeContact({ email: 'ida@work.example' })
    await makeContact({ email: 'ida@home.example' })
    const { user } = await signIn('customer', { email: 'ida@home.example' })
    const unproven = await signIn('customer', { email: 'ida@work.example', emailConfirmedAt: null })
    const product = await makeProduct({ name: 'Daily prices' })
    const about = { productId: product.id, type: 'file' as const }
    for (const userId of [user.id, unproven.user.id]) await insert(db, 'downloads', { ...about, userId, organizationId: userId })
    await insert(db, 'entitlements', { productId: product.id, userId: user.id, organizationId: user.id, grantedBy: staff.user.id })
    const account = async () => (await timeline(one.reference, 'scope=person')).filter(({ kind }: { kind: string }) => kind !== 'received')
    expect(await account()).toEqual([])
    expect((await get(`/api/leads/${one.reference}`)).json().person.accountSince).toBeNull()

    await send('POST', `/api/leads/${one.reference}/merge`, { email: 'ida@home.example' })
    const shown = (await account()).map(({ kind, detail }: { kind: string; detail: object }) => [kind, detail])
    expect(shown).toEqual(
      expect.arrayContaining([
        ['downloaded', { title: 'Daily prices' }],
        ['access_granted', { title: 'Daily prices' }],
        ['account_created', {}],
      ]),
    )
    expect(shown.filter(([kind]: [string]) => kind !== 'merged')).toHaveLength(3)
    expect((await get(`/api/leads/${one.reference}`)).json().person.accountSince).toEqual(expect.any(String))
    // One lead has only its own events.
    expect(await kinds(one.reference)).not.toContain('downloaded')

    // Both accounts are in the organization that got access.
    await db.updateTable('users').set({ emailConfirmedAt: new Date() }).where('id', '=', unproven.user.id).execute()
    await db.insertInto('organizationMembers').values({ organizationId: user.id, userId: unproven.user.id, role: 'member' }).execute()
    expect((await account()).filter(({ kind }: { kind: string }) => kind === 'access_granted')).toHaveLength(1)
  })
})

describe('notes', () => {
  test('are Markdown without raw HTML, pictures or scripts; their author edits and deletes them', async () => {
    const { reference } = await makeContact()
    const text = '**Bold** <script>alert(1)</script> [a](javascript:alert(1)) ![x](https://evil.example/x.png)\n- one'
    const note = (await send('POST', `/api/leads/${reference}/notes`, { text })).json()
    expect(note.html).toContain('<strong>Bold</strong>')
    expect(note.html).toContain('<li>one</li>')
    expect(note.html).not.toMatch(/<script|<img|javascript:|evil/)
    const other = await send('PATCH', `/api/lead-notes/${note.id}`, { text: 'Mine', base: note.updatedAt }, colleague.headers)
    expect(other.statusCode).toBe(404)
    const changed = (await send('PATCH', `/api/lead-notes/${note.id}`, { text: 'Better', base: note.updatedAt })).json()
    expect(changed.html).toBe('<p>Better</p>')
    expect((await send('PATCH', `/api/lead-notes/${note.id}`, { text: 'Old tab', base: note.updatedAt })).json()).toMatchObject({
      code: 'note_changed',
      current: { text: 'Better' },
    })
    expect((await timeline(reference))[0]).toMatchObject({ kind: 'note_added', note: { text: 'Better' } })
    expect((await send('DELETE', `/api/lead-notes/${note.id}`)).json()).toMatchObject({ text: 'Better' })
    expect((await timeline(reference))[0]).toMatchObject({ kind: 'note_added', note: null })
  })

  test('one that comes back by an undo tells nobody again whom it names', async () => {
    const { reference } = await makeContact()
    const text = `Ask @${colleague.user.email} first.`
    const note = (await send('POST', `/api/leads/${reference}/notes`, { text })).json()
    await runJobs('notifications.tell')
    await send('DELETE', `/api/lead-notes/${note.id}`)
    const back = await send('POST', `/api/leads/${reference}/notes`, { text, id: note.id })
    expect([back.statusCode, back.json()]).toEqual([201, expect.objectContaining({ id: note.id, text })])
    await runJobs('notifications.tell')
    expect(await db.selectFrom('notifications').select('userId').execute()).toEqual([{ userId: colleague.user.id }])
    expect((await send('POST', `/api/leads/${reference}/notes`, { text, id: note.id })).statusCode).toBe(409)
  })

  test('an empty one, one that is too long, and one that nests too deeply are refused', async () => {
    const { reference } = await makeContact()
    // Each of these would keep the server busy for up to seconds.
    const slow = ['- '.repeat(20), '> - 1. '.repeat(6), '*a_ **b ', 'a\n=\n', '|a|b|\n|-|-|\n'].map((part) =>
      `${part}${part.endsWith('\n') ? '' : 'a\n'}`.repeat(1_500).slice(0, 10_000),
    )
    for (const text of ['', '  ', 'x'.repeat(10_001), ...slow])
      expect((await send('POST', `/api/leads/${reference}/notes`, { text })).statusCode).toBe(422)
    for (const part of ['> ', '- ', '[', '*', '(('])
      expect([part, (await send('POST', `/api/leads/${reference}/notes`, { text: `${part.repeat(4_900)}x` })).statusCode]).toEqual([
        part,
        422,
      ])
  })
})

describe('tasks', () => {
  test('one that comes back by an undo is done where it was, and reminds nobody a second time', async () => {
    const { reference } = await makeContact()
    const body = { title: 'Call Ada', assigneeId: colleague.user.id, dueAt: null, remindAt: '2026-11-01T08:00:00.000Z' }
    const url = `/api/leads/${reference}/tasks`
    const [open, done] = [(await send('POST', url, body)).json(), (await send('POST', url, { ...body, title: 'Done' })).json()]
    await send('PATCH', `/api/lead-tasks/${done.id}`, { isDone: true })
    await runJobs('leads.remind')
    await runJobs('notifications.tell')
    for (const { id } of [open, done]) await send('DELETE', `/api/lead-tasks/${id}`)
    const back = await send('POST', url, { ...body, id: open.id, isDone: false })
    expect(back.json()).toMatchObject({ id: open.id, doneAt: null })
    expect((await send('POST', url, { ...body, title: 'Done', id: done.id, isDone: true })).json().doneAt).not.toBeNull()
    await runJobs('leads.remind')
    await runJobs('notifications.tell')
    expect(await db.selectFrom('notifications').select('title').execute()).toEqual([{ title: 'Task: Call Ada' }])
    expect((await send('POST', url, { ...body, id: open.id })).statusCode).toBe(409)
  })

  test('a reminder of someone who left the staff goes to the one who added the task, and then to everyone', async () => {
    const { reference } = await makeContact()
    const former = await signIn('staff')
    const adder = await signIn('staff')
    const body = { title: 'Call Ada', assigneeId: former.user.id, remindAt: '2026-11-01T08:00:00.000Z' }
    await send('POST', `/api/leads/${reference}/tasks`, body, adder.headers)
    const recipients = async () => {
      await db.deleteFrom('jobs').where('kind', '=', 'notifications.tell').execute()
      await runJobs('leads.remind')
      const [job] = await db.selectFrom('jobs').select('payload').where('kind', '=', 'notifications.tell').execute()
      return job?.payload
    }
    await db.updateTable('users').set({ appMetadata: '{}' }).where('id', '=', former.user.id).execute()
    expect(await recipients()).toMatchObject({ to: { userIds: [adder.user.id] } })
    await db.updateTable('users').set({ appMetadata: '{}' }).where('id', '=', adder.user.id).execute()
    expect(await recipients()).toMatchObject({ to: { roles: ['staff', 'owner'] } })
  })

  test('are added, done, reopened, reassigned and deleted, each in the timeline', async () => {
    const { reference } = await makeContact()
    const body = { title: 'Call Ada', assigneeId: colleague.user.id, dueAt: '2026-12-01T09:00:00Z' }
    const task = (await send('POST', `/api/leads/${reference}/tasks`, body)).json()
    expect(task).toMatchObject({ title: 'Call Ada', assigneeId: colleague.user.id, dueAt: '2026-12-01T09:00:00.000Z', doneAt: null })
    expect((await send('PATCH', `/api/lead-tasks/${task.id}`, { isDone: true })).json().doneAt).not.toBeNull()
    expect((await send('PATCH', `/api/lead-tasks/${task.id}`, { isDone: false, assigneeId: null })).json()).toMatchObject({
      doneAt: null,
      assigneeId: null,
    })
    expect((await get(`/api/leads/${reference}`)).json().tasks).toMatchObject([{ title: 'Call Ada' }])
    await send('DELETE', `/api/lead-tasks/${task.id}`)
    expect(await kinds(reference)).toEqual(['task_removed', 'task_reopened', 'task_done', 'task_added', 'received'])
    expect((await send('PATCH', `/api/lead-tasks/${task.id}`, { isDone: true })).statusCode).toBe(404)
    const customer = await signIn('customer')
    expect((await send('POST', `/api/leads/${reference}/tasks`, { title: 'X', assigneeId: customer.user.id })).statusCode).toBe(422)
  })

  test('a reminder tells the person of the task once, unless it is done or has another time', async () => {
    const { reference } = await makeContact()
    const remindAt = '2026-12-01T08:00:00.000Z'
    const add = async (title: string) =>
      (await send('POST', `/api/leads/${reference}/tasks`, { title, assigneeId: colleague.user.id, remindAt })).json()
    await add('Call Ada')
    const done = await add('Done already')
    await send('PATCH', `/api/lead-tasks/${done.id}`, { isDone: true })
    const later = await add('Moved')
    await send('PATCH', `/api/lead-tasks/${later.id}`, { remindAt: null })
    const due = await db.selectFrom('jobs').select('runAt').where('kind', '=', 'leads.remind').execute()
    expect(due.every(({ runAt }) => runAt.toISOString() === remindAt)).toBe(true)
    await runJobs('leads.remind')
    await runJobs('leads.remind')
    await runJobs('notifications.tell')
    const told = await db.selectFrom('notifications').select(['userId', 'title', 'link']).execute()
    expect(told).toEqual([{ userId: colleague.user.id, title: 'Task: Call Ada', link: `/leads/${reference}` }])
  })
})

describe('people', () => {
  test('two addresses are merged, later enquiries follow, and undoing it separates them again', async () => {
    const one = await makeContact({ email: 'ada@work.example' })
    const two = await makeContact({ email: 'ada@home.example' })
    await makeConsultation({ email: 'ada@home.example', personId: two.personId })
    const { id } = (await send('POST', `/api/leads/${one.reference}/merge`, { email: 'ADA@home.example' })).json()
    expect(await personOf(two.id)).toBe(one.personId)
    expect((await get(`/api/leads/${one.reference}`)).json()).toMatchObject({
      person: { merged: [{ mergeId: id, email: 'ada@home.example' }] },
      otherLeads: [{ reference: two.reference }],
    })
    await sendEnquiry(app, { ...ada, email: 'ada@home.example' })
    const later = await db
      .selectFrom('contacts')
      .selectAll()
      .where('email', '=', 'ada@home.example')
      .orderBy('createdAt', 'desc')
      .executeTakeFirstOrThrow()
    expect(later.personId).toBe(one.personId)

    expect((await send('POST', `/api/lead-merges/${id}/undo`)).json()).toEqual({ restored: 2 })
    expect(await personOf(two.id)).toBe(two.personId)
    expect(await personOf(later.id)).toBe(two.personId)
    expect((await db.selectFrom('consultations').select('personId').executeTakeFirstOrThrow()).personId).toBe(two.personId)
    expect((await send('POST', `/api/lead-merges/${id}/undo`)).statusCode).toBe(409)
    expect(await actions()).toEqual(['people_merged', 'people_unmerged'])
  })

  test('an enquiry that was moved to someone else after a merge stays there when the merge is undone', async () => {
    const one = await makeContact({ email: 'ada@work.example' })
    const two = await makeContact({ email: 'ada@home.example' })
    const { id } = (await send('POST', `/api/leads/${one.reference}/merge`, { email: 'ada@home.example' })).json()
    const later = await makeContact({ email: 'ada@home.example', personId: one.personId })
    await send('POST', `/api/leads/${later.reference}/move`, { email: 'bob@home.example' })
    const bob = await personOf(later.id)
    expect((await send('POST', `/api/lead-merges/${id}/undo`)).json()).toEqual({ restored: 1 })
    expect([await personOf(later.id), await personOf(two.id)]).toEqual([bob, two.personId])
  })

  test('a person who was merged further is separated in the reverse order, and an old merge not at all', async () => {
    const [a, b, c] = [
      await makeContact({ email: 'a@a.example' }),
      await makeContact({ email: 'b@b.example' }),
      await makeContact({ email: 'c@c.example' }),
    ]
    const first = (await send('POST', `/api/leads/${b.reference}/merge`, { email: 'a@a.example' })).json()
    const second = (await send('POST', `/api/leads/${c.reference}/merge`, { email: 'b@b.example' })).json()
    expect(await personOf(a.id)).toBe(c.personId)
    expect((await send('POST', `/api/lead-merges/${first.id}/undo`)).json().code).toBe('merged_further')
    await send('POST', `/api/lead-merges/${second.id}/undo`)
    expect(await personOf(a.id)).toBe(b.personId)
    await sql`UPDATE person_merges SET created_at = now() - interval '31 days' WHERE id = ${first.id}`.execute(db)
    expect((await send('POST', `/api/lead-merges/${first.id}/undo`)).json().code).toBe('not_undoable')
  })

  test('what comes from an address of a person who had been merged before goes back with them as well', async () => {
    const [a, b, c] = [
      await makeContact({ email: 'a@a.example' }),
      await makeContact({ email: 'b@b.example' }),
      await makeContact({ email: 'c@c.example' }),
    ]
    await send('POST', `/api/leads/${b.reference}/merge`, { email: a.email })
    const { id } = (await send('POST', `/api/leads/${c.reference}/merge`, { email: b.email })).json()
    await sendEnquiry(app, { ...ada, email: a.email })
    const later = await db
      .selectFrom('contacts')
      .select('id')
      .where('email', '=', a.email)
      .where('id', '<>', a.id)
      .executeTakeFirstOrThrow()
    expect(await personOf(later.id)).toBe(c.personId)
    expect((await send('POST', `/api/lead-merges/${id}/undo`)).json()).toEqual({ restored: 3 })
    expect([await personOf(later.id), await personOf(a.id), await personOf(c.id)]).toEqual([b.personId, b.personId, c.personId])
  })

  test('two people who are merged into one another at the same moment become one, and can be separated', async () => {
    for (let round = 0; round < 8; round += 1) {
      const [a, b] = [await makeContact({ email: `a${round}@a.example` }), await makeContact({ email: `b${round}@b.example` })]
      const replies = await Promise.all([
        send('POST', `/api/leads/${a.reference}/merge`, { email: b.email }),
        send('POST', `/api/leads/${b.reference}/merge`, { email: a.email }),
      ])
      expect(replies.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([200, 409])
      const merged = replies.find(({ statusCode }) => statusCode === 200)?.json()
      expect((await send('POST', `/api/lead-merges/${merged.id}/undo`)).json()).toEqual({ restored: 1 })
      const people = await db.selectFrom('people').select('mergedInto').where('id', 'in', [a.personId, b.personId]).execute()
      expect(people).toEqual([{ mergedInto: null }, { mergedInto: null }])
    }
  })

  test('an address that never wrote, and one that already belongs to the person, are refused', async () => {
    const { reference } = await makeContact({ email: 'ada@example.com' })
    expect((await send('POST', `/api/leads/${reference}/merge`, { email: 'nobody@example.com' })).statusCode).toBe(404)
    expect((await send('POST', `/api/leads/${reference}/merge`, { email: 'ada@example.com' })).json().code).toBe('same_person')
    expect((await send('POST', `/api/leads/${reference}/merge`, { email: 'no address' })).statusCode).toBe(422)
  })

  test('a lead is moved to another person, with its calls, and back', async () => {
    const lead = await makeContact({ email: 'info@shop.example' })
    await makeConsultation({ contactId: lead.id, personId: lead.personId, email: 'info@shop.example', source: 'contact' })
    expect((await send('POST', `/api/leads/${lead.reference}/move`, { email: 'ada@shop.example' })).json()).toEqual({
      email: 'info@shop.example',
    })
    const moved = await personOf(lead.id)
    expect(moved).not.toBe(lead.personId)
    expect((await db.selectFrom('consultations').select('personId').executeTakeFirstOrThrow()).personId).toBe(moved)
    await send('POST', `/api/leads/${lead.reference}/move`, { email: 'info@shop.example' })
    expect(await personOf(lead.id)).toBe(lead.personId)
    expect(await kinds(lead.reference)).toEqual(['moved', 'moved', 'received'])
  })

  test('an address that staff typed comes back with the lead, also where it belongs to a person with another one', async () => {
    const main = await makeContact({ email: 'ada@work.example' })
    await makeContact({ email: 'ada@home.example' })
    await send('POST', `/api/leads/${main.reference}/merge`, { email: 'ada@home.example' })
    const lead = await makeContact({ email: 'ada@home.example', personId: main.personId, form: 'staff' })
    const before = (await send('POST', `/api/leads/${lead.reference}/move`, { email: 'bob@home.example' })).json()
    await send('POST', `/api/leads/${lead.reference}/move`, before)
    const back = await db.selectFrom('contacts').select(['email', 'personId']).where('id', '=', lead.id).executeTakeFirstOrThrow()
    expect(back).toEqual({ email: 'ada@home.example', personId: main.personId })
  })

  test('a customer still sees the enquiries of their own address only', async () => {
    const customer = await signIn('customer', { email: 'ada@work.example' })
    const one = await makeContact({ email: 'ada@work.example' })
    await makeContact({ email: 'ada@home.example' })
    await send('POST', `/api/leads/${one.reference}/merge`, { email: 'ada@home.example' })
    expect((await get('/api/me/enquiries', customer.headers)).json()).toMatchObject([{ reference: one.reference }])
  })
})

describe('error', () => {
  test('unknown leads are not found; wrong facts are refused by name, and nothing is stored', async () => {
    const { reference } = await makeContact()
    for (const url of ['/api/leads/W-000000', '/api/leads/W-000000/timeline']) expect((await get(url)).statusCode).toBe(404)
    const customer = await signIn('customer')
    const wrong = [
      { name: { from: 'Ada Lovelace', to: '' } },
      { stageId: { from: 1, to: 99 } },
      { stageId: { from: 1, to: 9e9 } },
      { ownerId: { from: null, to: customer.user.id } },
      { valueCents: { from: null, to: -1 } },
      { nextStepAt: { from: null, to: 'tomorrow' } },
      { nextStepAt: { from: null, to: '2026-02-31T25:00:00Z' } },
      { tags: { from: [], to: [''] } },
      { email: { from: 'a', to: 'b' } },
    ]
    for (const changes of wrong) expect([changes, (await patch(reference, changes)).statusCode]).toEqual([changes, 422])
    expect(await kinds(reference)).toEqual(['received'])
    expect((await get(`/api/leads/${reference}/timeline?cursor=x`)).statusCode).toBe(400)
    const position = `2026-02-30 10:00:00+00~${crypto.randomUUID()}`
    expect((await get(`/api/leads/${reference}/timeline?cursor=${encodeURIComponent(position)}`)).statusCode).toBe(400)
  })
})

describe('security', () => {
  const id = newId()
  const email = { email: 'ada@example.com' }
  const endpoints: [method: 'GET' | Method, url: string, body?: object][] = [
    ['GET', '/api/leads/W-000000'],
    ['PATCH', '/api/leads/W-000000', { changes: {} }],
    ['GET', '/api/leads/W-000000/timeline'],
    ['POST', '/api/leads/W-000000/merge', email],
    ['POST', '/api/leads/W-000000/move', email],
    ['POST', '/api/leads/W-000000/notes', { text: 'A' }],
    ['PATCH', `/api/lead-notes/${id}`, { text: 'A', base: 'B' }],
    ['DELETE', `/api/lead-notes/${id}`],
    ['POST', '/api/leads/W-000000/tasks', { title: 'A' }],
    ['PATCH', `/api/lead-tasks/${id}`, {}],
    ['DELETE', `/api/lead-tasks/${id}`],
  ]

  test.each(endpoints)('%s %s is for staff only', async (method, url, payload) => {
    const customer = await signIn('customer')
    const owner = await signIn('owner')
    const call = async (headers: Headers) => (await app.inject({ method, url, headers, ...(payload && { payload }) })).statusCode
    expect(await Promise.all([{}, customer.headers, staff.headers, owner.headers].map(call))).toEqual([401, 403, 404, 404])
  })

  test.each(endpoints.filter(([method]) => method !== 'GET'))('%s %s is refused from another site', async (method, url, payload) => {
    const headers = { ...staff.headers, 'sec-fetch-site': 'cross-site' }
    expect((await app.inject({ method, url, headers, ...(payload && { payload }) })).statusCode).toBe(403)
  })

  test('an undo of a merge is for staff only', async () => {
    const customer = await signIn('customer')
    const call = async (headers: Headers) => (await app.inject({ method: 'POST', url: `/api/lead-merges/${id}/undo`, headers })).statusCode
    expect(await Promise.all([{}, customer.headers, staff.headers].map(call))).toEqual([401, 403, 409])
  })
})
