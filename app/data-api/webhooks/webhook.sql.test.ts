import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test, vi } from 'vitest'
import { removeUser } from '#app/auth/directory/remove-user.server.ts'
import { emitBooking } from '#app/booking/booking-webhook.server.ts'
import { db, newId, transaction } from '#app/platform/database/db.server.ts'
import { postPublic, type Transport, transportTo } from '#app/platform/http/fetch-public.server.ts'
import { emitWebhook } from '#app/platform/jobs/webhook-event.server.ts'
import { startEndpoints } from '#test/app.ts'
import { authClient, someEmail } from '#test/auth.ts'
import { ada, sendEnquiry } from '#test/enquiries.ts'
import { makeBooking, makeContact, makeUser, signIn } from '#test/factories.ts'
import { emitLead, webhookWorld, workWebhooks } from '#test/webhooks.ts'
import { listWebhookEndpoints } from './endpoint.server.ts'
import { webhookBody } from './message.server.ts'
import { endpointWithSecret, WEBHOOK_DELIVERIES } from './webhook.ts'

const app = await startEndpoints()
const { receive, call, create, logOf, detailOf, stateOf } = webhookWorld(app)

const settleAll = sql`WITH settled AS (UPDATE webhook_deliveries SET state = 'delivered', next_attempt_at = NULL, settled_at = now() RETURNING endpoint_id)
  UPDATE webhook_endpoints SET last_success_at = now() WHERE id IN (SELECT endpoint_id FROM settled)`

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('happy', () => {
  test('a new lead reaches the receiver, and the reference library accepts the signature; the log has payload and response', async () => {
    const { url, got } = await receive((reply) => void reply.writeHead(201).end('thanks'.repeat(2000)))
    const { id, secret, ...created } = await create(url)
    expect(created).toMatchObject({ state: 'enabled', events: ['lead.created'], failed: 0 })
    expect((await sendEnquiry(app, ada)).statusCode).toBe(201)
    await workWebhooks()

    const [request] = got
    expect(got).toHaveLength(1)
    expect(new Webhook(secret).verify(request?.body ?? '', request?.headers ?? {})).toMatchObject({
      type: 'lead.created',
      timestamp: expect.any(String),
      data: { name: ada.name, email: ada.email, reference: expect.stringMatching(/^W-/), url: expect.stringContaining('/leads/W-') },
    })
    // The message of the person stays here.
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

  test('a delivery that ends while the endpoints are listed is pending in the list, or in its facts: its page asks again, or has them', async () => {
    const { url } = await receive()
    const { id } = await create(url)
    expect((await call('POST', `/${id}/test`)).statusCode).toBe(202)
    const read = db.selectFrom.bind(db)
    const settling: Promise<unknown>[] = []
    const reads = vi.spyOn(db, 'selectFrom').mockImplementation((...from: Parameters<typeof read>) => {
      // The list sends its statement before this one.
      queueMicrotask(() => settling.push(settleAll.execute(db)))
      return read(...from)
    })
    const listed = await listWebhookEndpoints()
    reads.mockRestore()
    await Promise.all(settling)
    expect(listed.map(({ pending, lastSuccessAt }) => pending > 0 || lastSuccessAt !== null)).toEqual([true])
    expect(await stateOf(id)).toMatchObject({ pending: 0, lastSuccessAt: expect.any(String) })
  })

  test('after a rotation both secrets sign; each attempt has its own signature', async () => {
    const { url, got } = await receive((reply, _got, _request) => void reply.writeHead(got.length === 1 ? 500 : 200).end())
    const { id, secret } = await create(url)
    const rotated = endpointWithSecret.parse((await call('POST', `/${id}/rotate`)).json())
    expect(rotated.secret).not.toBe(secret)
    vi.useFakeTimers({ toFake: ['Date'] })
    await emitLead()
    await workWebhooks(Date.now() + MINUTE)
    expect(got).toHaveLength(2)
    const [first, second] = got
    expect(first?.headers['webhook-id']).toBe(second?.headers['webhook-id'])
    expect(first?.headers['webhook-signature']).not.toBe(second?.headers['webhook-signature'])
    for (const each of [secret, rotated.secret]) new Webhook(each).verify(second?.body ?? '', second?.headers ?? {})
    vi.setSystemTime(Date.now() + 25 * HOUR)
    await emitLead()
    await workWebhooks()
    expect(() => new Webhook(secret).verify(got[2]?.body ?? '', got[2]?.headers ?? {})).toThrow('No matching signature')
  })

  test('each reply by email is told of once, the first and the later ones, also when it fails and is sent again', async () => {
    const { url, got } = await receive()
    await create(url, { events: ['lead.replied'] })
    const { id: contactId, reference } = await makeContact()
    const { headers } = await signIn('staff')
    const post = async (path: string, payload?: object) => app.inject({ method: 'POST', url: path, headers, ...(payload && { payload }) })
    const told = async () => {
      await workWebhooks()
      return got.splice(0).map(({ body }) => JSON.parse(body).data.reference)
    }
    const send = async () => {
      const id = randomUUID()
      await post(`/api/leads/${reference}/replies`, { id, subject: 'Your enquiry', text: 'Hi', fileIds: [] })
      // A scheduled reply is not a reply yet.
      expect(await told()).toEqual([])
      return { id, now: async () => (await post(`/api/lead-messages/${id}/send`)).statusCode }
    }
    for (const _ of ['first', 'second']) {
      const reply = await send()
      expect([await reply.now(), await told()]).toEqual([200, [reference]])
      expect([await reply.now(), await told()]).toEqual([409, []])
    }
    // The mail server has refused it; sent again, it is the same reply.
    const third = await send()
    expect([await third.now(), await told()]).toEqual([200, [reference]])
    await db.updateTable('leadMessages').set({ state: 'failed', error: 'Refused' }).where('id', '=', third.id).execute()
    expect([await third.now(), await told()]).toEqual([200, []])
    // The lead was in quarantine when it was due, so nothing left; it leaves once the lead is back.
    const fourth = await send()
    await db.updateTable('contacts').set({ quarantinedAt: new Date() }).where('id', '=', contactId).execute()
    expect([await fourth.now(), await told()]).toEqual([200, []])
    await db.updateTable('contacts').set({ quarantinedAt: null }).where('id', '=', contactId).execute()
    expect([await fourth.now(), await told()]).toEqual([200, [reference]])
    const kinds = await db.selectFrom('leadEvents').select('kind').where('contactId', '=', contactId).execute()
    expect(kinds.filter(({ kind }) => kind === 'email_sent')).toHaveLength(4)
    expect(kinds.filter(({ kind }) => kind === 'answered')).toHaveLength(1)
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
    await workWebhooks()
    const told = () => got.splice(0).map(({ body }) => JSON.parse(body))
    const ofLead = told()
    expect(ofLead.map(({ type, data }) => [type, data.from, data.to].join(' ')).toSorted()).toEqual([
      'lead.replied  ',
      'lead.stage_changed Acknowledged Qualified',
      'lead.stage_changed New Acknowledged',
      'lead.stage_changed Qualified Acknowledged',
    ])
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
    await workWebhooks()
    const ofOthers = told()
    expect(ofOthers.map(({ type }) => type)).toEqual(['booking.created', 'booking.moved', 'booking.cancelled', 'user.created'])
    expect(ofOthers[1].data.previousStartsAt).toBe(before.startsAt.toISOString())
    for (const { data } of ofOthers.slice(0, 3))
      expect(data.type).toEqual({ id: expect.any(String), slug: null, title: 'Free consultation' })
    // The address is not proven yet.
    expect(ofOthers[3].data).toEqual({ id: expect.any(String), email: null, createdAt: expect.any(String) })
  })

  test('a chat service gets one line, and nothing that a visitor wrote is a command in it', async () => {
    const { url, got } = await receive()
    const { id } = await create(url, { format: 'chat' })
    expect((await call('POST', `/${id}/test`)).statusCode).toBe(202)
    await workWebhooks()
    expect(JSON.parse(got[0]?.body ?? '')).toEqual({ text: 'Test message' })
    const data = { name: '<!channel> & Co', reference: 'W-1', url: 'https://example.com/leads/W-1' }
    const event = { id: newId(), type: 'lead.created', subjectId: null, timestamp: '', data }
    expect(JSON.parse(webhookBody(event, 'chat'))).toEqual({
      text: 'New lead: &lt;!channel&gt; &amp; Co · W-1 https://example.com/leads/W-1',
    })
  })

  test('an endpoint can be changed, disabled, enabled and deleted; each is in the audit log', async () => {
    const { url } = await receive()
    const { id } = await create(url)
    expect((await call('PATCH', `/${id}`, { label: 'Billing', enabled: false })).json()).toMatchObject({
      label: 'Billing',
      state: 'disabled',
      disabledBecause: 'owner',
    })
    await emitLead()
    expect((await call('POST', `/${id}/replay`)).json()).toMatchObject({ code: 'endpoint_disabled' })
    expect((await call('PATCH', `/${id}`, { enabled: true })).json()).toMatchObject({ state: 'enabled' })
    await workWebhooks()
    expect(await logOf(id)).toEqual([])
    expect((await call('DELETE', `/${id}`)).statusCode).toBe(204)
    expect((await call('DELETE', `/${id}`)).statusCode).toBe(404)
    const actions = await db.selectFrom('auditEvents').select('action').where('subjectId', '=', id).orderBy('id').execute()
    expect(actions.map(({ action }) => action)).toEqual(['webhook_created', 'webhook_changed', 'webhook_changed', 'webhook_removed'])
  })
})

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
    await emitLead()
    await workWebhooks()
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
      ['GET', `${WEBHOOK_DELIVERIES}/${delivery}`],
      ['POST', `${WEBHOOK_DELIVERIES}/${delivery}/replay`],
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
    await workWebhooks()
    expect(await logOf(id)).toHaveLength(1)
    await transaction(async (trx) => removeUser(trx, user, {}))
    expect(await logOf(id)).toEqual([])
  })
})
