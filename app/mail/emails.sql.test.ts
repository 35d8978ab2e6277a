import { beforeAll, describe, expect, test } from 'vitest'
import { db, newId, transaction } from '#app/platform/database/db.server.ts'
import { startApp } from '#test/app.ts'
import { signedInAs } from '#test/signed-in.ts'
import { defineEmail } from './email.server.ts'
import { enqueueEmail } from './outbox.server.ts'

const notice = defineEmail<{ number: number }>('notice', ({ number }) => ({
  subject: `Notice ${number}`,
  preview: '',
  body: 'The secret of the day',
}))

const ids: string[] = []

const app = await startApp()
const staff = await signedInAs('staff')

beforeAll(async () => {
  for (const number of [1, 2, 3]) await transaction((trx) => enqueueEmail(trx, notice(`reader-${number}@example.com`, { number })))
  const jobs = await db.selectFrom('jobs').select('id').orderBy('id').execute()
  ids.push(...jobs.map(({ id }) => id))
  const settle = (index: number, how: object) =>
    db
      .updateTable('jobs')
      .set(how)
      .where('id', '=', ids[index] ?? '')
      .execute()
  await settle(0, { doneAt: new Date() })
  await settle(1, { failedAt: new Date(), attempts: 1, lastError: 'The mail server says that this address does not exist (550).' })
})

const list = (query = '', headers: Record<string, string> = staff) => app.inject({ url: `/api/letters${query}`, headers })
const retry = (id: string, headers: Record<string, string> = staff) =>
  app.inject({ method: 'POST', url: `/api/letters/${id}/retry`, headers })

const retryAll = (choice: object, headers: Record<string, string> = staff) =>
  app.inject({ method: 'POST', url: '/api/letters/retry', headers, payload: { choice } })

describe('happy', () => {
  test('staff see where each email stands, newest first, and never what it says', async () => {
    const reply = await list()
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toMatchObject([
      { id: ids[2], state: 'waiting', subject: 'Notice 3', to: 'reader-3@example.com', reason: null },
      { id: ids[1], state: 'failed', subject: 'Notice 2', reason: 'The mail server says that this address does not exist (550).' },
      { id: ids[0], state: 'sent', nextAttemptAt: null },
    ])
    expect(reply.body).not.toContain('secret of the day')
  })

  test('a list can be of one state, and go on where the last one ended', async () => {
    expect((await list('?state=failed')).json()).toMatchObject([{ id: ids[1] }])
    expect((await list('?state=sent')).json()).toMatchObject([{ id: ids[0] }])
    expect((await list(`?limit=1&before=${ids[1]}`)).json()).toMatchObject([{ id: ids[0] }])
  })

  test('a list can be of the emails that several attempts could not send', async () => {
    const { id } = await db
      .selectFrom('jobs')
      .select('id')
      .where('id', '=', ids[2] ?? '')
      .executeTakeFirstOrThrow()
    const attempts = async (count: number) =>
      db
        .updateTable('jobs')
        .set({ attempts: count, lastError: 'The mail server could not be reached (ESOCKET).' })
        .where('id', '=', id)
        .execute()
    await attempts(2)
    expect((await list('?state=waiting&attempts=3')).json()).toEqual([])
    await attempts(3)
    expect((await list('?attempts=3000000000')).statusCode).toBe(422)
    expect((await list('?state=waiting&attempts=3')).json()).toMatchObject([
      { id, reason: 'The mail server could not be reached (ESOCKET).' },
    ])
  })

  test('a failed email can be queued again', async () => {
    const reply = await retry(ids[1] ?? '')
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toMatchObject({ id: ids[1], state: 'waiting', failedAt: null })
  })

  test('all failed emails are queued again at once, unless others have failed by now', async () => {
    const failed = ids.slice(1)
    await db.updateTable('jobs').set({ failedAt: new Date() }).where('id', 'in', failed).execute()
    expect((await app.inject({ url: '/api/letters/unsent', headers: staff })).json()).toEqual({ failed: 2, waiting: 0 })
    const refused = await retryAll({ filter: { state: 'failed' }, count: 3 })
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'matches_changed'])
    expect((await list('?state=failed')).json()).toHaveLength(2)
    expect((await retryAll({ filter: { state: 'failed' }, count: 2 })).json()).toEqual({ queued: 2 })
    expect((await retryAll({ ids: [ids[0], ids[1]] })).json()).toEqual({ queued: 1 })
    expect((await retryAll({ filter: { state: 'sent' }, count: 1 })).statusCode).toBe(422)
  })
})

describe('error', () => {
  test('a question that makes no sense is refused with the reason', async () => {
    for (const query of ['?state=lost', '?limit=0', '?limit=1000', '?limit=x', '?before=1']) {
      const reply = await list(query)
      expect([query, reply.statusCode]).toEqual([query, 422])
      expect(reply.json()).toMatchObject({ code: 'validation_failed' })
    }
  })

  test('an email that is out cannot be sent again, and an unknown one is not found', async () => {
    expect((await retry(ids[0] ?? '')).statusCode).toBe(409)
    expect((await retry(newId())).statusCode).toBe(404)
    expect((await retry('1')).statusCode).toBe(422)
  })

  test('an email that is being sent at this moment is left alone', async () => {
    await db
      .updateTable('jobs')
      .set({ lockedUntil: new Date(Date.now() + 60_000) })
      .where('id', '=', ids[2] ?? '')
      .execute()
    expect((await retry(ids[2] ?? '')).statusCode).toBe(409)
  })
})

describe('security', () => {
  test('emails are for staff: a stranger gets 401, a customer 403', async () => {
    const customer = await signedInAs('customer')
    expect((await list('', {})).statusCode).toBe(401)
    expect((await retry(ids[1] ?? '', {})).statusCode).toBe(401)
    expect((await list('', customer)).statusCode).toBe(403)
    expect((await retry(ids[1] ?? '', customer)).statusCode).toBe(403)
    expect((await retryAll({ filter: { state: 'failed' }, count: 0 }, customer)).statusCode).toBe(403)
    expect((await app.inject({ url: '/api/letters/unsent', headers: customer })).statusCode).toBe(403)
  })

  test('so is their page: a stranger is sent to sign in, a customer is told that it is not for them', async () => {
    const page = (headers: Record<string, string>) => app.inject({ url: '/dashboard/letters', headers })
    const stranger = await page({})
    expect(stranger.statusCode).toBe(302)
    expect(stranger.headers.location).toBe('/login?next=%2Fdashboard%2Fletters')
    expect((await page(await signedInAs('customer'))).statusCode).toBe(403)
    expect((await page(staff)).statusCode).toBe(200)
  })

  test('other work than emails cannot be reached through them', async () => {
    const id = newId()
    await db.insertInto('jobs').values({ id, kind: 'other', payload: '{}', failedAt: new Date() }).execute()
    expect((await retry(id)).statusCode).toBe(404)
    expect((await list()).body).not.toContain(id)
  })
})
