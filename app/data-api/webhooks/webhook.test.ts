import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod/mini'
import { emitBooking } from '#app/booking/booking-webhook.server.ts'
import { emailJob } from '#app/mail/outbox.server.ts'
import { db, newId, transaction } from '#app/platform/database/db.server.ts'
import { postPublic, type Transport, transportTo } from '#app/platform/http/fetch-public.server.ts'
import { jobKinds } from '#app/platform/jobs.server.ts'
import { emitWebhook } from '#app/platform/webhook-event.server.ts'
import { startEndpoints } from '#test/app.ts'
import { authClient, someEmail } from '#test/auth.ts'
import { ada, sendEnquiry } from '#test/enquiries.ts'
import { makeBooking, makeContact, makeUser, signIn, type SignedIn } from '#test/factories.ts'
import { attemptDelivery, deliverJob } from './delivery.server.ts'
import { bodyOf } from './message.server.ts'
import { deliveryDetail, deliveryPage, endpointWithSecret, webhookEndpoint, WEBHOOKS } from './webhook.ts'

const app = await startEndpoints()
const ends: (() => void)[] = []
let owner: SignedIn

beforeEach(async () => {
  await db.deleteFrom('webhookEndpoints').execute()
  await db.deleteFrom('jobs').execute()
  owner = await signIn('owner')
})
afterEach(() => {
  vi.useRealTimers()
  ends.splice(0).forEach((end) => end())
})

type Received = { headers: Record<string, string>; body: string }

/** A receiver on this machine, which an installation of this machine may reach. */
async function receive(
  answer: (response: ServerResponse, got: Received, request: IncomingMessage) => void = (reply) => void reply.end('ok'),
) {
  const got: Received[] = []
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    const one = {
      headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
      body: await text(request),
    }
    got.push(one)
    answer(response, one, request)
  }
  const server = createServer((request, response) => void listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const at: AddressInfo | string | null = server.address()
  if (at === null || typeof at === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${at.port}/hook`, got }
}

const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object, given?: Pick<SignedIn, 'headers'>) => {
  // The session of before has ended when the clock is days ahead.
  const { headers } = given ?? (vi.isFakeTimers() ? await signIn('owner') : owner)
  return app.inject({ method, url: WEBHOOKS + path, headers, ...(payload && { payload }) })
}

const create = async (url: string, given: object = {}) => {
  const reply = await call('POST', '', { label: 'CRM', url, events: ['lead.created'], format: 'standard', ...given })
  expect([reply.statusCode, reply.body]).toEqual([201, expect.any(String)])
  return endpointWithSecret.parse(reply.json())
}
const logOf = async (id: string, query = '') => deliveryPage.parse((await call('GET', `/${id}/deliveries${query}`)).json()).items
const detailOf = async (id: string) => deliveryDetail.parse((await call('GET', `/deliveries/${id}`)).json())
const stateOf = async (id: string) =>
  z
    .array(webhookEndpoint)
    .parse((await call('GET', '')).json())
    .find((endpoint) => endpoint.id === id)
const emit = async (reference = newId()) =>
  transaction((trx) => emitWebhook(trx, 'lead.created', () => [{ subjectId: newId(), data: { reference } }]))

const kinds = ['webhooks.emit', 'webhooks.deliver', 'leads.emit-batch']
const attempt = { attempt: 1, signal: new AbortController().signal }

/** Runs due jobs as the worker would, and then those of the next moment, until none is left before `until`. The clock follows. */
async function work(until = 0): Promise<void> {
  for (;;) {
    const due = await db
      .selectFrom('jobs')
      .select(['id', 'kind', 'payload', 'runAt'])
      .where('kind', 'in', kinds)
      .where('doneAt', 'is', null)
      .where('runAt', '<=', new Date(Math.max(until, Date.now(), realNow()) + 1000))
      .orderBy('runAt')
      .orderBy('id')
      .executeTakeFirst()
    if (!due) return
    if (vi.isFakeTimers() && due.runAt.getTime() > Date.now()) vi.setSystemTime(due.runAt)
    await jobKinds()
      .get(due.kind)
      ?.run(due.payload, { id: due.id, ...attempt })
    await db.updateTable('jobs').set({ doneAt: new Date() }).where('id', '=', due.id).execute()
  }
}

/** The database has no other clock than the real one. */
const realNow = () => performance.timeOrigin + performance.now()

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('happy', () => {
  test('a new lead reaches the receiver, and the reference library accepts the signature; the log has payload and response', async () => {
    const { url, got } = await receive((reply) => void reply.writeHead(201).end('thanks'.repeat(2000)))
    const { id, secret, ...created } = await create(url)
    expect(created).toMatchObject({ state: 'enabled', events: ['lead.created'], failed: 0 })
    expect((await sendEnquiry(app, ada)).statusCode).toBe(201)
    await work()

    const [request] = got
    expect(got).toHaveLength(1)
    expect(new Webhook(secret).verify(request?.body ?? '', request?.headers ?? {})).toMatchObject({
      type: 'lead.created',
      timestamp: expect.any(String),
      data: { name: ada.name, email: ada.email, reference: expect.stringMatching(/^W-/), url: expect.stringContaining('/leads/W-') },
    })
    // What the person wrote stays here.
    expect(request?.body).not.toContain(ada.message)
    expect(() => new Webhook(secret).verify(`${request?.body} `, request?.headers ?? {})).toThrow('No matching signature')

    const [delivery] = await logOf(id)
    expect(delivery).toMatchObject({
      event: 'lead.created',
      state: 'delivered',
      attempts: 1,
      lastStatus: 201,
      messageId: request?.headers['webhook-id'],
    })
    const detail = await detailOf(delivery?.id ?? '')
    expect([detail.body, detail.tries.map(({ status, response }) => [status, response.length])]).toEqual([request?.body, [[201, 4096]]])
    // Neither the API nor the table shows the secret or the address again.
    expect((await call('GET', '')).body).not.toContain(secret)
    expect(JSON.stringify(await db.selectFrom('webhookEndpoints').selectAll().execute())).not.toContain(new URL(url).port)
  })

  test('after a rotation both secrets sign; each attempt is signed anew', async () => {
    const { url, got } = await receive((reply, _got, _request) => void reply.writeHead(got.length === 1 ? 500 : 200).end())
    const { id, secret } = await create(url)
    const rotated = endpointWithSecret.parse((await call('POST', `/${id}/rotate`)).json())
    expect(rotated.secret).not.toBe(secret)
    vi.useFakeTimers({ toFake: ['Date'] })
    await emit()
    await work(Date.now() + MINUTE)
    expect(got).toHaveLength(2)
    const [first, second] = got
    expect(first?.headers['webhook-id']).toBe(second?.headers['webhook-id'])
    expect(first?.headers['webhook-signature']).not.toBe(second?.headers['webhook-signature'])
    for (const each of [secret, rotated.secret]) new Webhook(each).verify(second?.body ?? '', second?.headers ?? {})
    vi.setSystemTime(Date.now() + 25 * HOUR)
    await emit()
    await work()
    expect(() => new Webhook(secret).verify(got[2]?.body ?? '', got[2]?.headers ?? {})).toThrow('No matching signature')
  })

  test('stage changes, replies, bulk changes with their undo, calls and accounts are told of', async () => {
    const { url, got } = await receive()
    const events = ['lead.stage_changed', 'lead.replied', 'user.created', 'booking.created', 'booking.moved', 'booking.cancelled']
    await create(url, { events })
    const { id, reference } = await makeContact()
    const { headers } = await signIn('staff')
    expect((await app.inject({ method: 'POST', url: `/api/contacts/${id}/answer`, headers })).statusCode).toBe(200)
    const payload = { choice: { ids: [id] }, change: { change: 'stage', stageId: 3 } }
    const bulk = await app.inject({ method: 'POST', url: '/api/leads/bulk', headers, payload })
    expect((await app.inject({ method: 'POST', url: `/api/leads/bulk/${bulk.json().id}/undo`, headers })).json()).toMatchObject({
      restored: 1,
    })
    await work()
    const told = () => got.splice(0).map(({ body }) => JSON.parse(body))
    const ofLead = told()
    expect(ofLead.map(({ type, data }) => [type, data.from, data.to].join(' ')).toSorted()).toEqual(
      [
        'lead.replied  ',
        'lead.stage_changed Acknowledged Qualified',
        'lead.stage_changed New Acknowledged',
        'lead.stage_changed Qualified Acknowledged',
      ],
    )
    expect(ofLead.every(({ data }) => data.reference === reference && !JSON.stringify(data).includes('Lovelace'))).toBe(true)

    const before = await makeBooking()
    const booking = { ...before, startsAt: new Date(before.startsAt.getTime() + HOUR) }
    await transaction(async (trx) => {
      await emitBooking(trx, 'booked', before)
      await emitBooking(trx, 'changed', booking, before)
      // Another host only.
      await emitBooking(trx, 'changed', before, before)
      await emitBooking(trx, 'cancelled', booking)
    })
    const email = someEmail()
    expect((await authClient(app)('POST', '/signup', { email, password: 'correct horse' })).statusCode).toBe(200)
    await work()
    const ofOthers = told()
    expect(ofOthers.map(({ type }) => type)).toEqual(['booking.created', 'booking.moved', 'booking.cancelled', 'user.created'])
    expect(ofOthers[1].data.previousStartsAt).toBe(before.startsAt.toISOString())
    // The address is not proven yet.
    expect(ofOthers[3].data).toEqual({ id: expect.any(String), email: null, createdAt: expect.any(String) })
  })

  test('a chat service gets one line, and nothing that a visitor wrote is a command in it', async () => {
    const { url, got } = await receive()
    const { id } = await create(url, { format: 'chat' })
    expect((await call('POST', `/${id}/test`)).statusCode).toBe(202)
    await work()
    expect(JSON.parse(got[0]?.body ?? '')).toEqual({ text: 'Test message' })
    const data = { name: '<!channel> & Co', reference: 'W-1', url: 'https://example.com/leads/W-1' }
    const event = { id: newId(), type: 'lead.created', subjectId: null, timestamp: '', data }
    expect(JSON.parse(bodyOf(event, 'chat'))).toEqual({ text: 'New lead: &lt;!channel&gt; &amp; Co · W-1 https://example.com/leads/W-1' })
  })

  test('an endpoint can be changed, disabled, enabled and deleted; each is in the audit log', async () => {
    const { url } = await receive()
    const { id } = await create(url)
    expect((await call('PATCH', `/${id}`, { label: 'Billing', enabled: false })).json()).toMatchObject({
      label: 'Billing',
      state: 'disabled',
      disabledBecause: 'owner',
    })
    await emit()
    expect((await call('POST', `/${id}/replay`)).json()).toMatchObject({ code: 'endpoint_disabled' })
    expect((await call('PATCH', `/${id}`, { enabled: true })).json()).toMatchObject({ state: 'enabled' })
    await work()
    expect(await logOf(id)).toEqual([])
    expect((await call('DELETE', `/${id}`)).statusCode).toBe(204)
    expect((await call('DELETE', `/${id}`)).statusCode).toBe(404)
    const actions = await db.selectFrom('auditEvents').select('action').where('subjectId', '=', id).orderBy('id').execute()
    expect(actions.map(({ action }) => action)).toEqual(['webhook_created', 'webhook_changed', 'webhook_changed', 'webhook_removed'])
  })
})

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
      await emit(`W-${count}`)
      vi.setSystemTime(Date.now() + 2 * MINUTE)
      await work()
    }
    await work(Date.now() + 2 * DAY)
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
    await emit('W-1')
    await work(Date.now() + 4 * DAY)
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
    await emit('W-2')
    await db.updateTable('webhookDeliveries').set({ state: 'failed', nextAttemptAt: null }).where('endpointId', '=', id).execute()
    expect((await call('POST', `/${id}/replay`)).json()).toEqual({ replayed: 1 })
    expect((await call('POST', `/deliveries/${failed?.id}/replay`)).json()).toMatchObject({ code: 'delivery_pending' })
    await work()
    expect((await logOf(id)).map(({ state }) => state)).toEqual(['delivered', 'delivered'])
    expect((await call('POST', `/deliveries/${failed?.id}/replay`)).statusCode).toBe(202)
    await work()
    const ids = got.filter(({ body }) => body.includes('W-1')).map(({ headers }) => headers['webhook-id'])
    expect([ids.length, new Set(ids).size, (await stateOf(id))?.state]).toEqual([12, 1, 'enabled'])
    expect(await detailOf(failed?.id ?? '')).toMatchObject({ state: 'delivered', attempts: 1 })
  })

  test('an endpoint that fails for five days is disabled once, and the owner is told by email and in the bell', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { url, got } = await receive((reply) => void reply.writeHead(500).end())
    const { id } = await create(url)
    for (let day = 0; day < 6; day += 1) {
      await emit()
      await work(Date.now())
      vi.setSystemTime(Date.now() + DAY)
      await work()
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
    // What waited is not sent, and can be replayed; a test still reaches it.
    const before = got.length
    await work(Date.now() + 4 * DAY)
    expect(got).toHaveLength(before)
    expect((await logOf(id)).every(({ state }) => state === 'failed')).toBe(true)
    await call('POST', `/${id}/test`)
    await work()
    expect(got).toHaveLength(before + 1)
  })

  test('a receiver that has ended for good is disabled with its first 410', async () => {
    const { url } = await receive((reply) => void reply.writeHead(410).end())
    const { id } = await create(url)
    await emit()
    await work()
    expect(await stateOf(id)).toMatchObject({ state: 'disabled', disabledBecause: 'failures', failed: 1 })
  })

  test('a receiver that hangs ends by the time limit, and holds only a few places; a redirect is not followed', async () => {
    const silent = await receive(() => {})
    const { id } = await create(silent.url)
    await emit()
    await work0()
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
    for (let count = 0; count < 6; count += 1) await emit()
    await work0()
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
    await emit()
    await work0()
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
    await work()
    expect(got).toEqual([])

    await emit()
    await work0()
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
    [{ events: ['order.paid'] }, 'events.0'],
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

/** Only the jobs that give events to endpoints. */
async function work0(): Promise<void> {
  const emitted = await db
    .selectFrom('jobs')
    .select(['id', 'payload'])
    .where('kind', '=', 'webhooks.emit')
    .where('doneAt', 'is', null)
    .execute()
  for (const { id, payload } of emitted) {
    await jobKinds()
      .get('webhooks.emit')
      ?.run(payload, { id, ...attempt })
    await db.updateTable('jobs').set({ doneAt: new Date() }).where('id', '=', id).execute()
  }
}

async function deliverJobs() {
  const jobs = await db
    .selectFrom('jobs')
    .select('payload')
    .where('kind', '=', 'webhooks.deliver')
    .where('doneAt', 'is', null)
    .orderBy('id')
    .execute()
  return jobs.map(({ payload }) => deliverJob.parse(payload))
}

describe('security', () => {
  test('in an installation that others reach, nothing inside is reached: neither by a number, nor by a name, nor after a DNS change', async () => {
    const { url, got } = await receive()
    const { port } = new URL(url)
    const isLocal = false
    const inside = [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '0.0.0.0',
      '2130706433',
      '0x7f.1',
      '169.254.169.254',
      '10.1.2.3',
      '[fe80::1]',
    ]
    const bounds = { ms: 1000, bytes: 100 }
    for (const scheme of ['http', 'https'])
      for (const host of inside) {
        const address = `${scheme}://${host}:${port}/hook`
        await expect(postPublic(address, { headers: {}, body: '{}' }, bounds, transportTo(address, isLocal))).rejects.toThrow(
          scheme === 'http' ? 'must begin with https' : 'private network',
        )
      }
    // The name leads outside at first and inside at the next lookup: the connection goes to the address that was checked, and each attempt checks.
    const answers = ['127.0.0.1', '10.0.0.1']
    let asked = 0
    const rebinding: Transport = {
      ...transportTo(url),
      isAllowed: (address) => address === '127.0.0.1',
      lookup: (_name, _options, done) => done(null, [{ address: answers[asked++] ?? '', family: 4 }]),
    }
    const named = `http://receiver.example:${port}/hook`
    expect(await postPublic(named, { headers: {}, body: '{}' }, bounds, rebinding)).toEqual({ status: 200, text: 'ok' })
    await expect(postPublic(named, { headers: {}, body: '{}' }, bounds, rebinding)).rejects.toThrow('private network')
    expect([got.length, asked]).toEqual([1, 2])
    // Without an installation of this machine alone, http has no exception.
    expect([transportTo(url).protocol, transportTo(url, isLocal).protocol, transportTo('http://example.com').protocol]).toEqual([
      'http:',
      'https:',
      'https:',
    ])
  })

  test('only the owner sees and changes endpoints', async () => {
    const { url } = await receive()
    const { id } = await create(url)
    await emit()
    await work()
    const delivery = (await logOf(id))[0]?.id
    const body = { label: 'CRM', url, events: ['lead.created'], format: 'standard' }
    const requests = [
      ['GET', ''],
      ['POST', '', body],
      ['PATCH', `/${id}`, { label: 'Mine' }],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/rotate`],
      ['POST', `/${id}/test`],
      ['GET', `/${id}/deliveries`],
      ['POST', `/${id}/replay`],
      ['GET', `/deliveries/${delivery}`],
      ['POST', `/deliveries/${delivery}/replay`],
    ] as const
    const people = {
      staff: await signIn('staff'),
      customer: await signIn(),
      nobody: { headers: { cookie: '', 'sec-fetch-site': 'same-origin' as const } },
    }
    for (const [method, path, payload] of requests) {
      const statuses = [
        (await call(method, path, payload, people.staff)).statusCode,
        (await call(method, path, payload, people.customer)).statusCode,
      ]
      expect([method, path, ...statuses, (await call(method, path, payload, people.nobody)).statusCode]).toEqual([
        method,
        path,
        403,
        403,
        401,
      ])
    }
    expect((await call('GET', '')).headers['cache-control']).toBe('no-store')
  })

  test('an account is told of without an unproven address, and its deliveries go with it', async () => {
    const { url } = await receive()
    const { id } = await create(url, { events: ['user.created'] })
    const user = await makeUser()
    await transaction((trx) => emitWebhook(trx, 'user.created', () => [{ subjectId: user.id, data: { id: user.id } }]))
    await work()
    expect(await logOf(id)).toHaveLength(1)
    await transaction(async (trx) => (await import('#app/auth/directory/remove-user.server.ts')).removeUser(trx, user, {}))
    expect(await logOf(id)).toEqual([])
  })
})
