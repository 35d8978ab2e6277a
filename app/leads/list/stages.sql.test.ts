import { beforeEach, describe, expect, test } from 'vitest'
import { listStages } from '#app/leads/lead/stage.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { makeContact, signIn } from '#test/factories.ts'

const app = await startEndpoints()
const owner = await signIn('owner')
beforeEach(async () => {
  await db.deleteFrom('contacts').execute()
})

const put = async (payload: object) => app.inject({ method: 'PUT', url: '/api/leads/stages', headers: owner.headers, payload })
const putReasons = async (payload: object, headers: Record<string, string> = owner.headers) =>
  app.inject({ method: 'PUT', url: '/api/leads/lost-reasons', headers, payload })
const call = async (url: string, payload?: object) =>
  app.inject({ method: 'POST', url, headers: owner.headers, ...(payload && { payload }) })
const move = async (ids: string[], stageId: number) => call('/api/leads/bulk', { choice: { ids }, change: { change: 'stage', stageId } })
const leadOf = async (id: string) => db.selectFrom('leads').selectAll().where('contactId', '=', id).executeTakeFirstOrThrow()

describe('lost leads', () => {
  const pipeline = async () => (await app.inject({ url: '/api/leads/pipeline', headers: owner.headers })).json()

  test('the owner changes the list of reasons; a newer list of someone else is not overwritten, and staff cannot change it', async () => {
    const { lostReasons: base } = await pipeline()
    expect(base).toContain('Price')
    expect((await putReasons({ reasons: ['Price', ' Other   priorities '], base })).json()).toEqual(['Price', 'Other priorities'])
    expect((await pipeline()).lostReasons).toEqual(['Price', 'Other priorities'])
    const refused = await putReasons({ reasons: base, base })
    expect([refused.statusCode, refused.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'reasons_changed', current: ['Price', 'Other priorities'] }),
    ])
    for (const reasons of [[], ['Price', 'price'], ['']]) expect((await putReasons({ reasons })).statusCode).toBe(422)
    expect((await putReasons({ reasons: base }, (await signIn('staff')).headers)).statusCode).toBe(403)
    expect((await putReasons({ reasons: base })).statusCode).toBe(200)
  })

  test('a bulk change stores the reason, another stage clears it, the undo of each returns it, and the list filters by it', async () => {
    const [one, two] = [await makeContact(), await makeContact()]
    const ids = [one.id, two.id]
    const change = async (given: object) =>
      (await call('/api/leads/bulk', { choice: { ids }, change: { change: 'stage', ...given } })).json()
    const reasons = async () => [(await leadOf(one.id)).lostReason, (await leadOf(two.id)).lostReason]
    const found = async (reason: string) =>
      (await app.inject({ url: `/api/leads?reason=${reason}`, headers: owner.headers })).json().leads.length
    const lost = await change({ stageId: 7, reason: 'Price' })
    expect([await reasons(), await found('price'), await found('budget')]).toEqual([['Price', 'Price'], 2, 0])
    const csv = (await app.inject({ url: '/api/leads.csv', headers: owner.headers })).body
    expect([csv.split('\r\n')[0]?.includes('Lost Reason'), csv.includes('"Price"')]).toEqual([true, true])
    const reopened = await change({ stageId: 3, reason: 'ignored' })
    expect(await reasons()).toEqual([null, null])
    expect((await call(`/api/leads/bulk/${reopened.id}/undo`)).json()).toEqual({ restored: 2, left: 0 })
    expect(await reasons()).toEqual(['Price', 'Price'])
    await call(`/api/leads/bulk/${lost.id}/undo`)
    expect([await reasons(), (await leadOf(one.id)).stageId]).toEqual([[null, null], 1])
  })
})

describe('the pipeline', () => {
  const asBody = async () => (await listStages()).map(({ id, name, probability }) => ({ id, name, probability }))
  const save = async (stages: object[], moveTo?: number) => put({ stages, ...(moveTo !== undefined && { moveTo }) })

  test('the owner renames, orders, adds and removes stages, and says where the leads of a removed one go', async () => {
    const original = await asBody()
    const { id } = await makeContact()
    await db.updateTable('leads').set({ stageId: 3 }).where('contactId', '=', id).execute()
    const next: { id?: number; name: string; probability: number }[] = original
      .filter((stage) => stage.id !== 3)
      .map((stage) => (stage.id === 2 ? { ...stage, name: 'Replied' } : stage))
    next.splice(2, 0, { name: 'Trial', probability: 40 })
    expect((await save(next)).json()).toMatchObject({ code: 'stage_in_use' })
    expect((await save(next, 2)).statusCode).toBe(200)
    expect((await leadOf(id)).stageId).toBe(2)
    const moves = await db.selectFrom('leadEvents').select(['kind', 'actorId', 'detail']).where('contactId', '=', id).execute()
    expect(moves).toEqual([{ kind: 'stage_changed', actorId: owner.user.id, detail: { from: 3, to: 2 } }])
    expect((await listStages()).map(({ name }) => name)).toEqual(['New', 'Replied', 'Trial', 'Call booked', 'Proposal sent', 'Won', 'Lost'])
    const log = await db.selectFrom('auditEvents').select('action').where('actorId', '=', owner.user.id).execute()
    expect(log.map(({ action }) => action)).toContain('lead_stages_saved')
    // Other tests have the pipeline of a fresh installation.
    await db.deleteFrom('contacts').execute()
    await db.deleteFrom('leadStages').where('name', '=', 'Trial').execute()
    await db.insertInto('leadStages').values({ id: 3, name: 'Qualified', probability: 30, position: 3 }).execute()
    expect((await save(original)).statusCode).toBe(200)
  })

  test('a pipeline keeps its first stage, won and lost, and two names are never the same', async () => {
    const stages = await asBody()
    expect((await save(stages.filter(({ id }) => id !== 6))).json().detail).toContain('Won cannot be removed')
    expect((await save(stages.toReversed())).statusCode).toBe(422)
    expect((await save(stages.map((stage) => (stage.id === 2 ? { ...stage, name: 'new' } : stage)))).json().errors).toEqual({
      stages: expect.stringContaining('Two stages'),
    })
    expect((await save([...stages, { id: 77, name: 'Other', probability: 1 }])).statusCode).toBe(422)
    expect(await asBody()).toEqual(stages)
  })

  test('a change of stages that someone else has changed meanwhile is refused with the current ones', async () => {
    const stages = await asBody()
    const mine = stages.map((stage) => (stage.id === 3 ? { ...stage, name: 'Fits' } : stage))
    const seen = stages.map((stage) => (stage.id === 3 ? { ...stage, probability: 31 } : stage))
    const refused = await put({ stages: mine, base: seen })
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'stages_changed'])
    expect(refused.json().current.map(({ name }: { name: string }) => name)).toContain('Qualified')
    expect((await put({ stages: mine, base: stages })).statusCode).toBe(200)
    expect((await put({ stages, base: mine })).statusCode).toBe(200)
    expect(await asBody()).toEqual(stages)
  })

  test('an undo leaves leads whose former stage was removed meanwhile', async () => {
    await db.insertInto('leadStages').values({ id: 90, name: 'Trial', probability: 10, position: 9 }).execute()
    const [one, two] = [await makeContact(), await makeContact()]
    await db.updateTable('leads').set({ stageId: 90 }).where('contactId', '=', one.id).execute()
    const { id } = (await move([one.id, two.id], 2)).json()
    await db.deleteFrom('leadStages').where('id', '=', 90).execute()
    expect((await call(`/api/leads/bulk/${id}/undo`)).json()).toEqual({ restored: 1, left: 1 })
    expect([(await leadOf(one.id)).stageId, (await leadOf(two.id)).stageId]).toEqual([2, 1])
  })

  test('an answer, a bulk change and an undo while their stage is being removed leave every lead in a stage, and none fails', async () => {
    const original = await listStages()
    const without = original.filter(({ id }) => id !== 2)
    for (let round = 0; round < 8; round += 1) {
      const [answered, chosen, undone] = [await makeContact(), await makeContact(), await makeContact()]
      await db.updateTable('leads').set({ stageId: 2 }).where('contactId', '=', undone.id).execute()
      const batch = (await move([undone.id], 3)).json().id
      const replies = await Promise.all([
        call(`/api/contacts/${answered.id}/answer`),
        save(without, 1),
        move([chosen.id], 2),
        call(`/api/leads/bulk/${batch}/undo`),
      ])
      // A bulk change to a stage that has just gone is refused by its field.
      const expected = [[200], [200], [200, 422], [200]]
      expect(replies.map(({ statusCode }, at) => (expected[at]?.includes(statusCode) ? 'right' : statusCode))).toEqual(
        replies.map(() => 'right'),
      )
      await db.insertInto('leadStages').values({ id: 2, name: 'Acknowledged', probability: 15, position: 2, automatic: 'reply' }).execute()
      expect((await save(original.map(({ id, name, probability }) => ({ id, name, probability })))).statusCode).toBe(200)
    }
  })
})
