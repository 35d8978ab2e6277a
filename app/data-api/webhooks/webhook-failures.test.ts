import { describe, expect, test, vi } from 'vitest'
import { emailJob } from '#app/mail/outbox.server.ts'
import { db, newId, transaction } from '#app/platform/database/db.server.ts'
import { postPublic } from '#app/platform/http/fetch-public.server.ts'
import { emitWebhook } from '#app/platform/jobs/webhook-event.server.ts'
import { startEndpoints } from '#test/app.ts'
import { tally } from '#test/auth.ts'
import { deliverJobs, emitLead, giveToEndpoints, webhookWorld, workWebhooks } from '#test/webhooks.ts'
import { attemptDelivery } from './delivery.server.ts'
import { WEBHOOK_DELIVERIES } from './webhook.ts'

const { receive, call, create, logOf, detailOf, stateOf } = webhookWorld(await startEndpoints())

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('error', () => {
  test('a receiver that refuses 30 % of all requests for two hours gets every event at least once', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const began = Date.now()
    let seed = 7
    const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
    const accepted = new Map<string, number>()
    const { url, got } = await receive((reply, { headers }) => {
      if (Date.now() < began + 2 * HOUR && random() < 0.3) return void reply.writeHead(503).end()
      accepted.set(headers['webhook-id'] ?? '', (accepted.get(headers['webhook-id'] ?? '') ?? 0) + 1)
      reply.end()
    })
    const { id, secret } = await create(url)
    for (let count = 0; count < 30; count += 1) {
      await emitLead(`W-${count}`)
      vi.setSystemTime(Date.now() + 2 * MINUTE)
      await workWebhooks()
    }
    await workWebhooks(Date.now() + 2 * DAY)
    expect([accepted.size, [...accepted.values()].filter((count) => count !== 1)]).toEqual([30, []])
    expect(got.length).toBeGreaterThan(32)
    const references = new Set(got.map(({ body }) => JSON.parse(body).data.reference))
    expect([references.size, (await stateOf(id))?.state, secret.startsWith('whsec_')]).toEqual([30, 'enabled', true])
  })

  test('a receiver that never works is tried ten times over three days; then one or all can be replayed', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    let works = false
    const times: number[] = []
    const { url, got } = await receive((reply) => {
      times.push(Date.now())
      reply.writeHead(works ? 200 : 500).end('broken')
    })
    const { id } = await create(url)
    await emitLead('W-1')
    await workWebhooks(Date.now() + 4 * DAY)
    const took = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / DAY
    expect([got.length, took >= 3, took <= 3.8]).toEqual([10, true, true])
    const [failed] = await logOf(id, '?state=failed')
    expect(failed).toMatchObject({
      state: 'failed',
      attempts: 10,
      lastStatus: 500,
      lastError: 'The endpoint responded 500.',
      nextAttemptAt: null,
    })
    expect((await stateOf(id))?.state).toBe('failing')

    works = true
    await emitLead('W-2')
    await db.updateTable('webhookDeliveries').set({ state: 'failed', nextAttemptAt: null }).where('endpointId', '=', id).execute()
    expect((await call('POST', `/${id}/replay`)).json()).toEqual({ replayed: 1 })
    expect((await call('POST', `${WEBHOOK_DELIVERIES}/${failed?.id}/replay`)).json()).toMatchObject({ code: 'delivery_pending' })
    await workWebhooks()
    expect((await logOf(id)).map(({ state }) => state)).toEqual(['delivered', 'delivered'])
    expect((await call('POST', `${WEBHOOK_DELIVERIES}/${failed?.id}/replay`)).statusCode).toBe(202)
    await workWebhooks()
    const ids = got.filter(({ body }) => body.includes('W-1')).map(({ headers }) => headers['webhook-id'])
    expect([ids.length, new Set(ids).size, (await stateOf(id))?.state]).toEqual([12, 1, 'enabled'])
    expect(await detailOf(failed?.id ?? '')).toMatchObject({ state: 'delivered', attempts: 1 })
  })

  test('a delivery that waits for its next attempt is sent now, once, and its planned attempt is dropped', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    let works = false
    const { url, got } = await receive((reply) => void reply.writeHead(works ? 200 : 500).end())
    const { id } = await create(url)
    await emitLead()
    await workWebhooks(Date.now() + 60_000)
    const [waiting] = await logOf(id)
    expect(waiting).toMatchObject({ state: 'pending', attempts: 2 })
    const sendNow = () => call('POST', `${WEBHOOK_DELIVERIES}/${waiting?.id}/replay`)
    const pressed = await Promise.all([sendNow(), sendNow(), sendNow()])
    expect(tally(pressed)).toEqual({ 202: 1, 409: 2 })
    expect(pressed.find(({ statusCode }) => statusCode === 409)?.json()).toMatchObject({ code: 'delivery_pending' })
    await workWebhooks()
    expect((await logOf(id))[0]).toMatchObject({ state: 'pending', attempts: 3 })
    works = true
    expect((await sendNow()).statusCode).toBe(202)
    await workWebhooks()
    expect((await logOf(id))[0]).toMatchObject({ state: 'delivered', attempts: 4, nextAttemptAt: null })
    await workWebhooks(Date.now() + 4 * DAY)
    expect([got.length, new Set(got.map(({ headers }) => headers['webhook-id'])).size]).toEqual([4, 1])
  })

  test('an endpoint that fails for five days is disabled once, and the owner is told by email and in the bell', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { url, got } = await receive((reply) => void reply.writeHead(500).end())
    const { id } = await create(url)
    for (let day = 0; day < 6; day += 1) {
      await emitLead()
      await workWebhooks(Date.now())
      vi.setSystemTime(Date.now() + DAY)
      await workWebhooks()
    }
    expect(await stateOf(id)).toMatchObject({ state: 'disabled', disabledBecause: 'failures' })
    const queued = await db.selectFrom('jobs').select(['kind', 'payload']).where('kind', 'in', ['letter', 'notifications.tell']).execute()
    const kind = emailJob({ kind: 'x', to: 'a@b.example', data: {}, secret: false }).kind
    expect(queued.filter((job) => job.kind === kind).map(({ payload }) => payload)).toEqual([
      expect.objectContaining({ kind: 'webhook-disabled' }),
    ])
    expect(queued.filter((job) => job.kind !== kind).map(({ payload }) => payload)).toEqual([
      expect.objectContaining({ kind: 'webhook_disabled', to: { roles: ['owner'] }, link: '/admin/webhooks' }),
    ])
    // Pending deliveries are not sent, and can be replayed. A test still reaches it.
    const before = got.length
    await workWebhooks(Date.now() + 4 * DAY)
    expect(got).toHaveLength(before)
    expect((await logOf(id)).every(({ state }) => state === 'failed')).toBe(true)
    await call('POST', `/${id}/test`)
    await workWebhooks()
    expect(got).toHaveLength(before + 1)
  })

  test('a receiver that has ended for good is disabled with its first 410', async () => {
    const { url } = await receive((reply) => void reply.writeHead(410).end())
    const { id } = await create(url)
    await emitLead()
    await workWebhooks()
    expect(await stateOf(id)).toMatchObject({ state: 'disabled', disabledBecause: 'failures', failed: 1 })
  })

  test('a receiver that hangs ends by the time limit, and holds only a few places; a redirect is not followed', async () => {
    const silent = await receive(() => {})
    const { id } = await create(silent.url)
    await emitLead()
    await giveToEndpoints()
    const [job] = await deliverJobs()
    if (!job) throw new Error('nothing to deliver')
    const soon: typeof postPublic = (url, sent, bounds, transport) => postPublic(url, sent, { ...bounds, ms: 150 }, transport)
    await attemptDelivery(job, soon)
    expect((await logOf(id))[0]).toMatchObject({
      state: 'pending',
      attempts: 1,
      lastStatus: null,
      lastError: 'The server took too long to answer.',
    })

    await db.deleteFrom('jobs').execute()
    for (let count = 0; count < 6; count += 1) await emitLead()
    await giveToEndpoints()
    const before = silent.got.length
    await Promise.all((await deliverJobs()).map((each) => attemptDelivery(each, soon)))
    expect(silent.got.length - before).toBe(3)
    // The others come later.
    const later = (await db.selectFrom('jobs').select('payload').where('kind', '=', 'webhooks.deliver').execute()).filter(({ payload }) =>
      JSON.stringify(payload).includes('"deferrals":1'),
    )
    expect(later).toHaveLength(3)

    const target = await receive()
    const redirecting = await receive((reply) => void reply.writeHead(302, { location: target.url }).end())
    const other = await create(redirecting.url)
    await emitLead()
    await giveToEndpoints()
    for (const each of await deliverJobs()) await attemptDelivery(each, soon)
    expect([(await logOf(other.id))[0]?.lastError, target.got.length]).toEqual([expect.stringContaining('Redirects are not followed'), 0])
  })

  test('an event of a change that is rolled back never exists; a killed attempt is sent again with the same id', async () => {
    const { url, got } = await receive()
    const { id } = await create(url)
    const broken = transaction(async (trx) => {
      await emitWebhook(trx, 'lead.created', () => [{ subjectId: newId(), data: {} }])
      throw new Error('rolled back')
    })
    await expect(broken).rejects.toThrow('rolled back')
    await workWebhooks()
    expect(got).toEqual([])

    await emitLead()
    await giveToEndpoints()
    const [job] = await deliverJobs()
    if (!job) throw new Error('nothing to deliver')
    // The process dies after the receiver has accepted, before the attempt is recorded.
    const killed: typeof postPublic = async (...given) => {
      await postPublic(...given)
      throw new Error('killed')
    }
    await expect(attemptDelivery(job, killed)).rejects.toThrow('killed')
    expect((await logOf(id))[0]).toMatchObject({ state: 'pending', attempts: 0 })
    await attemptDelivery(job)
    // A third run, and a late one of the same attempt, find it delivered.
    await attemptDelivery(job)
    expect([got.length, new Set(got.map(({ headers }) => headers['webhook-id'])).size, (await logOf(id))[0]?.state]).toEqual([
      2,
      1,
      'delivered',
    ])
  })

  test.each([
    [{ label: ' ' }, 'label'],
    [{ url: 'ftp://example.com' }, 'url'],
    [{ url: 'http://example.com/hook' }, 'url'],
    [{ url: 'https://user:pass@example.com/' }, 'url'],
    [{ url: 'https://10.0.0.7/hook' }, 'url'],
    [{ url: 'https://169.254.169.254/latest/meta-data' }, 'url'],
    [{ url: 'https://[fd00::1]/' }, 'url'],
    [{ events: [] }, 'events'],
    [{ events: ['order.forgotten'] }, 'events.0'],
  ])('%j is refused at its field', async (given, field) => {
    const reply = await call('POST', '', {
      label: 'CRM',
      url: 'https://example.com/',
      events: ['lead.created'],
      format: 'standard',
      ...given,
    })
    expect([reply.statusCode, Object.keys(reply.json().errors)]).toEqual([422, [field]])
  })

  test('more than 20 endpoints are refused', async () => {
    for (let count = 0; count < 20; count += 1) await create('https://example.com/hook')
    const reply = await call('POST', '', { label: 'CRM', url: 'https://example.com/', events: ['lead.created'], format: 'standard' })
    expect(reply.json()).toMatchObject({ status: 409, code: 'too_many_endpoints' })
  })
})
