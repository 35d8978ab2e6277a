import { beforeEach, describe, expect, test } from 'vitest'
import { db, newId } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { forgetAllEvents } from '#test/audit.ts'
import { makeConsultation, makeContact, signIn } from '#test/factories.ts'
import { deskSorts } from '#app/leads/lead/desk.ts'

const app = await startEndpoints()
const staff = await signIn('staff')
const owner = await signIn('owner')
beforeEach(async () => {
  await db.deleteFrom('consultations').execute()
  await db.deleteFrom('contacts').execute()
  await db.deleteFrom('leadViews').execute()
  await forgetAllEvents()
})

type Headers = Record<string, string>
const get = async (url: string, headers: Headers = staff.headers) => app.inject({ url, headers })
const send = async (method: 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, headers: Headers = staff.headers) =>
  app.inject({ method, url, headers, ...(payload && { payload }) })
const bulk = async (choice: object, change: object, headers?: Headers) => send('POST', '/api/leads/bulk', { choice, change }, headers)
const names = async (query: string) => (await get(`/api/leads?${query}`)).json().leads.map(({ name }: { name: string }) => name)
const day = (date: number) => new Date(Date.UTC(2026, 9, date))
const leadOf = async (id: string) => db.selectFrom('leads').selectAll().where('contactId', '=', id).executeTakeFirstOrThrow()
const eventsOf = async (id: string) =>
  db.selectFrom('leadEvents').select(['kind', 'actorId', 'detail']).where('contactId', '=', id).orderBy('createdAt').orderBy('id').execute()
const auditOf = async () => db.selectFrom('auditEvents').select(['action', 'actorId', 'subjectId']).orderBy('id').execute()

async function patchLead(id: string, values: object) {
  await db.updateTable('leads').set(values).where('contactId', '=', id).execute()
}

describe('stages that follow events', () => {
  test('a reply, a call and a proposal move a lead forward, each with an event and an audit entry', async () => {
    const { id } = await makeContact()
    expect((await leadOf(id)).stageId).toBe(1)
    await send('POST', `/api/contacts/${id}/answer`)
    expect((await leadOf(id)).stageId).toBe(2)
    await send('POST', `/api/contacts/${id}/consultation`)
    expect((await leadOf(id)).stageId).toBe(4)
    await send('POST', `/api/contacts/${id}/proposal`, { proposal: 'sent' })
    expect((await leadOf(id)).stageId).toBe(5)

    expect((await eventsOf(id)).map(({ kind }) => kind).toSorted()).toEqual(
      ['answered', 'converted', 'proposal_sent', 'stage_changed', 'stage_changed', 'stage_changed'].toSorted(),
    )
    expect((await eventsOf(id)).every(({ actorId }) => actorId === staff.user.id)).toBe(true)
    const moves = (await auditOf()).filter(({ action }) => action === 'lead_stage_changed')
    expect(moves).toEqual(Array.from({ length: 3 }, () => ({ action: 'lead_stage_changed', actorId: staff.user.id, subjectId: id })))
  })

  test('an undone event takes its move with it, unless the lead has been moved since', async () => {
    const { id } = await makeContact()
    await send('POST', `/api/contacts/${id}/answer`)
    await send('DELETE', `/api/contacts/${id}/answer`)
    expect((await leadOf(id)).stageId).toBe(1)

    await send('POST', `/api/contacts/${id}/answer`)
    await bulk({ ids: [id] }, { change: 'stage', stageId: 3 })
    await send('DELETE', `/api/contacts/${id}/answer`)
    expect((await leadOf(id)).stageId).toBe(3)
  })

  test('no event moves a lead back, or one that is won or lost', async () => {
    const [further, won] = [await makeContact(), await makeContact()]
    await patchLead(further.id, { stageId: 5 })
    await patchLead(won.id, { stageId: 6 })
    for (const { id } of [further, won]) await send('POST', `/api/contacts/${id}/consultation`)
    expect([(await leadOf(further.id)).stageId, (await leadOf(won.id)).stageId]).toEqual([5, 6])
  })
})

describe('the table', () => {
  test('shows each lead with what the desk knows of it', async () => {
    const contact = await makeContact({
      name: 'Ada',
      email: 'ada@example.com',
      company: 'Acme',
      serviceType: 'Data Extraction',
      createdAt: day(1),
    })
    await patchLead(contact.id, { valueCents: 250_000, nextStep: 'Call back', nextStepAt: day(9), tags: ['vip'], ownerId: staff.user.id })
    expect((await get('/api/leads')).json()).toEqual({
      leads: [
        {
          id: contact.id,
          reference: contact.reference,
          name: 'Ada',
          email: 'ada@example.com',
          company: 'Acme',
          phone: null,
          country: contact.country,
          serviceType: 'Data Extraction',
          form: 'contact',
          problem: contact.problem,
          message: contact.message,
          budget: null,
          timeframe: null,
          stageId: 1,
          stageSince: '2026-10-01T00:00:00.000Z',
          ownerId: staff.user.id,
          valueCents: 250_000,
          lostReason: null,
          nextStep: 'Call back',
          nextStepAt: '2026-10-09T00:00:00.000Z',
          tags: ['vip'],
          isStarred: false,
          answeredAt: null,
          withdrawnAt: null,
          promisedFrom: '2026-10-01T00:00:00.000Z',
          createdAt: '2026-10-01T00:00:00.000Z',
        },
      ],
      previousCursor: null,
      nextCursor: null,
    })
  })

  test.each(deskSorts.flatMap((sort) => [sort, `-${sort}`]))('pages by %s show every lead once, forwards and back', async (sort) => {
    for (let at = 1; at <= 7; at += 1) {
      const given = { name: `Lead ${at % 3}`, createdAt: day(1 + (at % 4)), company: at % 2 ? `Company ${at % 3}` : null }
      const { id } = await makeContact(given)
      const former = newId()
      await patchLead(id, {
        valueCents: at % 3 === 0 ? null : at * 100,
        nextStepAt: at % 2 ? day(at) : null,
        stageId: 1 + (at % 3),
        ownerId: [null, staff.user.id, owner.user.id, former][at % 4],
      })
    }
    const seen: string[] = []
    const pages: string[][] = []
    let cursor: string | null = ''
    let back: string | null = null
    while (cursor !== null) {
      const page: { leads: { id: string }[]; nextCursor: string | null; previousCursor: string | null } = (
        await get(`/api/leads?limit=3&sort=${sort}${cursor && `&cursor=${cursor}`}`)
      ).json()
      const ids = page.leads.map(({ id }) => id)
      pages.push(ids)
      seen.push(...ids)
      ;[cursor, back] = [page.nextCursor, page.previousCursor]
    }
    expect(new Set(seen).size).toBe(7)
    expect(seen).toHaveLength(7)
    const before = (await get(`/api/leads?limit=3&sort=${sort}&cursor=${back}`)).json()
    expect(before.leads.map(({ id }: { id: string }) => id)).toEqual(pages[1])
  })

  test('sorts by the order of the stages and by the names of the owners, nobody last, also with a filter', async () => {
    const [{ id: first }, { id: second }, { id: third }] = [
      await makeContact({ name: 'One', createdAt: day(1) }),
      await makeContact({ name: 'Two', createdAt: day(2) }),
      await makeContact({ name: 'Three', createdAt: day(3) }),
    ]
    const people = (await get('/api/leads/pipeline')).json().owners.map(({ id }: { id: string }) => id)
    await patchLead(first, { stageId: 7, ownerId: null })
    await patchLead(second, { stageId: 3, ownerId: people[1] })
    await patchLead(third, { stageId: 5, ownerId: people[0], isStarred: true })
    for (const filter of ['', 'country=France&', 'from=2026-10-01&']) {
      if (filter.startsWith('country')) await db.updateTable('contacts').set({ country: 'France' }).execute()
      expect(await names(`${filter}sort=stage`)).toEqual(['Two', 'Three', 'One'])
      expect(await names(`${filter}sort=-stage`)).toEqual(['One', 'Three', 'Two'])
      expect(await names(`${filter}sort=owner`)).toEqual(['Three', 'Two', 'One'])
      expect(await names(`${filter}sort=-owner`)).toEqual(['One', 'Two', 'Three'])
    }
    expect(await names('starred=yes&sort=owner')).toEqual(['Three'])
  })

  test('filters by every field, and counts by stage with the same filters', async () => {
    const one = await makeContact({
      name: 'One',
      company: 'Acme',
      country: 'Germany',
      serviceType: 'Data Extraction',
      createdAt: day(1),
      email: 'one@acme.example',
    })
    const two = await makeContact({
      name: 'Two',
      country: 'France',
      form: 'hire',
      answeredAt: day(3),
      createdAt: day(3),
      message: 'Prices of bicycles',
    })
    await patchLead(one.id, {
      stageId: 3,
      ownerId: staff.user.id,
      valueCents: 500_000,
      tags: ['vip', 'eu'],
      isStarred: true,
      phone: '+44 20 7946 0000',
    })
    await patchLead(two.id, { nextStep: 'Call', nextStepAt: new Date(Date.now() - 60_000), valueCents: 100 })
    const onlyOne = [
      'stage=3',
      'owner=me',
      `owner=${staff.user.id}`,
      'company=acm',
      'name=on',
      'email=one%40acme',
      'phone=7946',
      'country=germany',
      'service=data%20extraction',
      'tag=vip',
      'starred=yes',
      'answered=no',
      'next=none',
      'until=2026-10-01',
      'least=1000',
      'form=contact',
    ]
    const onlyTwo = [
      'stage=1',
      'owner=none',
      'country=France',
      'answered=yes',
      'next=overdue',
      'next=week',
      'from=2026-10-02',
      'most=1',
      'form=hire',
      'q=bicycles',
      'service=',
      'stage=1,2&q=two',
    ]
    for (const query of onlyOne) expect([query, await names(query)]).toEqual([query, ['One']])
    for (const query of onlyTwo) expect([query, await names(query)]).toEqual([query, ['Two']])
    expect(await names('stage=1,3&sort=name')).toEqual(['One', 'Two'])
    expect(await names('tag=vip&country=France')).toEqual([])
    expect((await get('/api/leads/counts')).json()).toEqual({
      total: 2,
      isExact: true,
      stages: expect.arrayContaining([
        { id: 1, count: 1, valueCents: 100 },
        { id: 3, count: 1, valueCents: 500_000 },
      ]),
    })
    expect((await get('/api/leads/counts?owner=me')).json()).toMatchObject({ total: 1, stages: [{ id: 3, count: 1 }] })
  })

  test('a withdrawn lead is listed, and waits for no answer, on the desk as on the dashboard', async () => {
    await makeContact({ name: 'Waits' })
    const { id } = await makeContact({ name: 'Withdrew' })
    const waiting = async () => [
      await names('answered=no'),
      (await get('/api/leads/counts?answered=no')).json().total,
      (await get('/api/contacts?filter=waiting')).json().items.map(({ name }: { name: string }) => name),
    ]
    const withdraw = (withdrawnAt: Date | null) => db.updateTable('contacts').set({ withdrawnAt }).where('id', '=', id).execute()
    await withdraw(day(3))
    expect(await waiting()).toEqual([['Waits'], 1, ['Waits']])
    expect(await names('answered=yes')).toEqual([])
    const { leads } = (await get('/api/leads?name=withdrew')).json()
    expect(leads).toMatchObject([{ name: 'Withdrew', withdrawnAt: day(3).toISOString() }])
    await withdraw(null)
    expect((await waiting())[1]).toBe(2)
  })

  test('signs that mean something to the database mean themselves', async () => {
    await makeContact({ name: 'A_b%c\\d', company: '100% Data' })
    await makeContact({ name: 'Axbyc', company: '1000 Data' })
    expect(await names('name=_b%25c%5C')).toEqual(['A_b%c\\d'])
    expect(await names('company=100%25')).toEqual(['A_b%c\\d'])
  })

  test('quarantined and deleted leads are in no list, count, board, dashboard or file', async () => {
    await makeContact({ name: 'Spam', quarantinedAt: new Date() })
    const { id } = await makeContact({ name: 'Gone' })
    await bulk({ ids: [id] }, { change: 'delete' })
    expect(await names('')).toEqual([])
    expect((await get('/api/leads/counts')).json().total).toBe(0)
    expect((await get('/api/leads/board')).json().stages.flatMap(({ leads }: { leads: object[] }) => leads)).toEqual([])
    expect((await get('/api/contacts')).json()).toEqual([])
    expect((await get(`/api/contacts/${id}`)).statusCode).toBe(404)
    expect((await get('/api/leads/summary')).json().contacts).toBe(0)
    expect((await get('/api/leads.csv')).body.trim().split('\r\n')).toHaveLength(1)
  })

  test('the file has all matches with the names of stages and owners, and no formula', async () => {
    const { id } = await makeContact({ name: '=1+1', createdAt: day(1) })
    await makeContact({ name: 'Other', createdAt: day(2) })
    await patchLead(id, { ownerId: staff.user.id, valueCents: 123_456, tags: ['a', 'b'] })
    const reply = await get('/api/leads.csv?owner=me')
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    const [, line = '', more] = reply.body.split('\r\n')
    expect(line).toContain(`"'=1+1"`)
    expect(line).toContain('"New","Ada","1234.56"')
    expect(line).toContain('"a, b"')
    expect(more).toBe('')
    expect((await auditOf()).map(({ action }) => action)).toEqual(['leads_exported'])
    const chosen = await get(`/api/leads.csv?ids=${id}`)
    expect(chosen.body.trim().split('\r\n').slice(1)).toEqual([expect.stringContaining(`"'=1+1"`)])
    for (const ids of ['', 'x', `${id},`]) expect((await get(`/api/leads.csv?ids=${ids}`)).statusCode).toBe(422)
  })
})

describe('the board', () => {
  test('has the first fifty of each stage, latest in it first, and says where more are', async () => {
    const { personId } = await makeContact({ name: 'Oldest', createdAt: day(1) })
    const rows = Array.from({ length: 51 }, (_, at) => ({
      id: newId(),
      reference: `R-${at}`,
      personId,
      form: 'contact' as const,
      name: `Lead ${at}`,
      email: 'ada@example.com',
      country: 'France',
      problem: 'Prices',
      message: 'Every morning, please.',
      createdAt: new Date(day(2).getTime() + at * 1000),
    }))
    await db.insertInto('contacts').values(rows).execute()
    const qualified = await makeContact({ name: 'Qualified' })
    await patchLead(qualified.id, { stageId: 3 })
    const { stages } = (await get('/api/leads/board')).json()
    expect(stages.map(({ id, hasMore, leads }: { id: number; hasMore: boolean; leads: object[] }) => [id, leads.length, hasMore])).toEqual([
      [1, 50, true],
      [2, 0, false],
      [3, 1, false],
      [4, 0, false],
      [5, 0, false],
      [6, 0, false],
      [7, 0, false],
    ])
    expect(stages[0].leads[0].name).toBe('Lead 50')
    expect((await get('/api/leads/board?q=oldest')).json().stages[0].leads.map(({ name }: { name: string }) => name)).toEqual(['Oldest'])
    const more = await get('/api/leads?stage=1&sort=-stageSince&limit=50')
    expect((await get(`/api/leads?stage=1&sort=-stageSince&limit=50&cursor=${more.json().nextCursor}`)).json().leads).toHaveLength(2)
  })
})

describe('bulk changes', () => {
  test('change the chosen leads, tell how many, and undo only what is still so', async () => {
    const leads = [await makeContact(), await makeContact(), await makeContact()]
    const ids = leads.map(({ id }) => id)
    await patchLead(ids[0] ?? '', { stageId: 3 })
    const { id, changed } = (await bulk({ ids }, { change: 'stage', stageId: 3 })).json()
    expect(changed).toBe(2)
    await bulk({ ids: ids.slice(1, 2) }, { change: 'stage', stageId: 6 })
    expect((await send('POST', `/api/leads/bulk/${id}/undo`)).json()).toEqual({ restored: 1, left: 1 })
    expect(await Promise.all(ids.map(async (each) => (await leadOf(each)).stageId))).toEqual([3, 6, 1])
    expect((await send('POST', `/api/leads/bulk/${id}/undo`)).statusCode).toBe(409)
    expect((await eventsOf(ids[2] ?? '')).map(({ detail }) => detail)).toEqual([
      { from: 1, to: 3 },
      { from: 3, to: 1 },
    ])
    expect((await auditOf()).map(({ action }) => action)).toEqual(['leads_changed', 'leads_changed', 'leads_changed'])
  })

  test('assign, tag, untag and delete all matches of a filter, and undo each', async () => {
    const [one, two] = [await makeContact({ country: 'France' }), await makeContact({ country: 'Spain' })]
    const filter = { filter: { country: 'France' } }
    const steps: [object, () => Promise<unknown>, unknown, unknown][] = [
      [{ change: 'owner', ownerId: owner.user.id }, async () => (await leadOf(one.id)).ownerId, owner.user.id, null],
      [{ change: 'tag', tag: 'vip' }, async () => (await leadOf(one.id)).tags, ['vip'], []],
      [{ change: 'delete' }, async () => (await leadOf(one.id)).isListed, false, true],
    ]
    for (const [change, read, after, before] of steps) {
      const reply = await bulk(filter, change)
      expect(reply.json().changed).toBe(1)
      expect(await read()).toEqual(after)
      expect((await send('POST', `/api/leads/bulk/${reply.json().id}/undo`)).json()).toEqual({ restored: 1, left: 0 })
      expect(await read()).toEqual(before)
    }
    await bulk(filter, { change: 'tag', tag: 'vip' })
    expect((await bulk(filter, { change: 'tag', tag: 'vip' })).json().changed).toBe(0)
    expect((await bulk(filter, { change: 'untag', tag: 'vip' })).json().changed).toBe(1)
    expect(await eventsOf(two.id)).toEqual([])
  })

  test('an unknown stage, an owner who is not staff, and an empty choice are refused', async () => {
    const { id } = await makeContact()
    const customer = await signIn('customer')
    for (const stageId of [1.5, -1, 9e9, 1e30]) expect((await bulk({ ids: [id] }, { change: 'stage', stageId })).statusCode).toBe(422)
    expect((await bulk({ ids: [id] }, { change: 'stage', stageId: 99 })).json().errors).toEqual({ stageId: expect.any(String) })
    expect((await bulk({ ids: [id] }, { change: 'owner', ownerId: customer.user.id })).statusCode).toBe(422)
    expect((await bulk({ ids: [] }, { change: 'delete' })).statusCode).toBe(422)
    expect((await bulk({ ids: [id] }, { change: 'tag', tag: '' })).statusCode).toBe(422)
    expect(await eventsOf(id)).toEqual([])
  })

  test('a misspelled filter changes nothing, rather than every lead', async () => {
    const { id } = await makeContact()
    expect((await bulk({ filter: { stages: '3' } }, { change: 'delete' })).statusCode).toBe(422)
    expect((await bulk({ ids: [id], filter: {} }, { change: 'delete' })).statusCode).toBe(422)
    expect(await eventsOf(id)).toEqual([])
  })

  test('all matches are changed only while they are as many as the person was told', async () => {
    const { id } = await makeContact()
    await makeContact()
    const late = await bulk({ filter: {}, count: 1 }, { change: 'delete' })
    expect([late.statusCode, late.json().code, late.json().detail]).toEqual([
      409,
      'matches_changed',
      '2 leads match now, not 1. Choose them again.',
    ])
    expect(await eventsOf(id)).toEqual([])
    expect((await bulk({ filter: {}, count: 2 }, { change: 'delete' })).json().changed).toBe(2)
  })

  test('a lead that someone else has moved or assigned since it was seen stays, and the second person is told', async () => {
    const { id } = await makeContact()
    expect((await bulk({ ids: [id] }, { change: 'stage', stageId: 3, from: 1 }, owner.headers)).json().changed).toBe(1)
    const late = await bulk({ ids: [id] }, { change: 'stage', stageId: 2, from: 1 })
    expect([late.statusCode, late.json().code, (await leadOf(id)).stageId]).toEqual([409, 'fields_changed', 3])
    // The same change by both is no conflict.
    expect((await bulk({ ids: [id] }, { change: 'stage', stageId: 3, from: 1 })).json().changed).toBe(0)
    expect((await bulk({ ids: [id] }, { change: 'owner', ownerId: owner.user.id, from: null }, owner.headers)).json().changed).toBe(1)
    expect((await bulk({ ids: [id] }, { change: 'owner', ownerId: staff.user.id, from: null })).statusCode).toBe(409)
    expect((await bulk({ ids: [id] }, { change: 'owner', ownerId: null, from: owner.user.id })).json().changed).toBe(1)
    expect((await eventsOf(id)).map(({ kind }) => kind)).toEqual(['stage_changed', 'owner_changed', 'owner_changed'])
    expect((await leadOf(id)).ownerId).toBeNull()
  })

  test('two undos at once return the leads once', async () => {
    const { id: lead } = await makeContact()
    const { id } = (await bulk({ ids: [lead] }, { change: 'stage', stageId: 2 })).json()
    const replies = await Promise.all([1, 2, 3].map(() => send('POST', `/api/leads/bulk/${id}/undo`)))
    expect(replies.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([200, 409, 409])
  })
})

describe('views and columns', () => {
  test('a view is its owner’s; shared, everyone sees it, and only the owner changes it', async () => {
    const mine = (await send('POST', '/api/lead-views', { name: 'Overdue', query: 'next=overdue', isShared: false })).json()
    expect(mine).toEqual({ id: expect.any(String), name: 'Overdue', query: 'next=overdue', isShared: false, isOwn: true })
    expect((await get('/api/lead-views', owner.headers)).json()).toEqual([])
    await send('PUT', `/api/lead-views/${mine.id}`, { name: 'Overdue', query: 'next=overdue', isShared: true })
    expect((await get('/api/lead-views', owner.headers)).json()).toMatchObject([{ id: mine.id, isShared: true, isOwn: false }])
    expect((await send('DELETE', `/api/lead-views/${mine.id}`, undefined, owner.headers)).statusCode).toBe(404)
    expect((await send('POST', '/api/lead-views', { name: 'Overdue', query: 'q=a', isShared: false })).json().code).toBe('name_taken')
    expect((await send('DELETE', `/api/lead-views/${mine.id}`)).statusCode).toBe(200)
    expect((await get('/api/lead-views')).json()).toEqual([])
  })

  test('each person has columns of their own, in their order', async () => {
    const before = (await get('/api/leads/columns')).json()
    expect((await send('PUT', '/api/leads/columns', { columns: ['value', 'stage'] })).json()).toEqual({ columns: ['value', 'stage'] })
    expect((await get('/api/leads/columns')).json()).toEqual({ columns: ['value', 'stage'] })
    expect((await get('/api/leads/columns', owner.headers)).json()).toEqual(before)
    expect((await send('PUT', '/api/leads/columns', { columns: ['password'] })).statusCode).toBe(422)
  })
})

describe('error', () => {
  test('a cursor of another order, a broken one and unknown filters are refused, and no query makes the server fail', async () => {
    for (let at = 0; at < 3; at += 1) await makeContact()
    const { nextCursor } = (await get('/api/leads?limit=1&sort=value')).json()
    expect((await get(`/api/leads?sort=name&cursor=${nextCursor}`)).json().code).toBe('bad_cursor')
    const forged = (key: string, sort: string) => Buffer.from(JSON.stringify([sort, 'after', key, newId()])).toString('base64url')
    for (const [key, sort] of [
      ['2026-13-45 00:00:00+00', '-created'],
      ['x', 'value'],
      ['1e9', 'value'],
      ["'", '-created'],
    ] as const)
      expect((await get(`/api/leads?sort=${sort}&cursor=${forged(key, sort)}`)).statusCode).toBe(400)
    for (const query of [
      'sort=password',
      'stage=x',
      'stage=99999999999',
      'owner=someone',
      'from=yesterday',
      'least=-1',
      'limit=0',
      'limit=201',
      'next=x',
      'from=2026-02-31',
    ])
      expect([query, (await get(`/api/leads?${query}`)).statusCode]).toEqual([query, 422])
  })
})

describe('security', () => {
  const id = newId()
  const view = { name: 'A', query: 'q=a', isShared: false }
  const endpoints: [method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body: object | undefined, staff: number, owner: number][] = [
    ['GET', '/api/leads', undefined, 200, 200],
    ['POST', '/api/leads', { name: 'A', email: 'a@example.com', problem: 'B' }, 201, 201],
    ['GET', '/api/lead-people?q=a', undefined, 200, 200],
    ['GET', '/api/leads/counts', undefined, 200, 200],
    ['GET', '/api/leads/board', undefined, 200, 200],
    ['GET', '/api/leads.csv', undefined, 200, 200],
    ['GET', '/api/leads/pipeline', undefined, 200, 200],
    ['GET', '/api/lead-views', undefined, 200, 200],
    ['POST', '/api/lead-views', view, 201, 201],
    ['PUT', `/api/lead-views/${id}`, view, 404, 404],
    ['DELETE', `/api/lead-views/${id}`, undefined, 404, 404],
    ['GET', '/api/leads/columns', undefined, 200, 200],
    ['PUT', '/api/leads/columns', { columns: ['stage'] }, 200, 200],
    ['POST', '/api/leads/bulk', { choice: { ids: [id] }, change: { change: 'delete' } }, 200, 200],
    ['POST', `/api/leads/bulk/${id}/undo`, undefined, 409, 409],
    ['PUT', '/api/leads/lost-reasons', { reasons: ['A'], base: ['B'] }, 403, 409],
    ['PUT', '/api/leads/stages', { stages: [{ id: 77, name: 'X', probability: 1 }] }, 403, 422],
  ]

  test.each(endpoints)('%s %s is as each role may use it', async (method, url, payload, forStaff, forOwner) => {
    const customer = await signIn('customer')
    const call = async (headers: Headers) => (await app.inject({ method, url, headers, ...(payload && { payload }) })).statusCode
    expect(await call({})).toBe(401)
    expect(await call(customer.headers)).toBe(403)
    expect(await call(staff.headers)).toBe(forStaff)
    expect(await call(owner.headers)).toBe(forOwner)
  })

  test.each(endpoints.filter(([method]) => method !== 'GET'))(
    '%s %s is refused with the cookies of staff from another site',
    async (method, url, payload) => {
      const headers = { ...owner.headers, 'sec-fetch-site': 'cross-site' }
      expect((await app.inject({ method, url, headers, ...(payload && { payload }) })).statusCode).toBe(403)
    },
  )

  test('a consultation of a deleted lead stays in the list of consultations', async () => {
    const { id: contactId, personId } = await makeContact()
    await makeConsultation({ contactId, personId, source: 'contact' })
    await bulk({ ids: [contactId] }, { change: 'delete' })
    expect((await get('/api/consultations')).json()).toHaveLength(1)
  })
})
