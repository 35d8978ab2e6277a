import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import type { Http } from '#app/platform/http/http.server.ts'
import { closeSignals, openSignals, signal } from '#app/platform/database/signals.server.ts'
import { defineLiveTopic } from './live-topic.server.ts'
import { NOTIFIED } from './notification.server.ts'
import { createApp } from '#app/server.ts'
import { ada, sendEnquiry } from '#test/enquiries.ts'
import { signIn, type SignedIn } from '#test/factories.ts'

/** A kind of event that no other test causes. */
const FOR_STAFF = 'for-staff'
defineLiveTopic({ name: FOR_STAFF, permission: 'leads.read' })

let app: Http
let base = ''
let open: AbortController[] = []

beforeAll(async () => {
  await openDatabase()
  await openSignals()
  app = await createApp()
  base = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(() => {
  for (const connection of open) connection.abort()
  open = []
})
afterAll(async () => {
  await app.close()
  await closeSignals()
  await closeDatabase()
})

/** Opens the stream and reads until a text arrives; `undefined` when the stream ends first. */
async function listen({ headers }: Pick<SignedIn, 'headers'>, { at = base, age = 0 } = {}) {
  const connection = new AbortController()
  open.push(connection)
  const reply = await fetch(`${at}/api/events?age=${age}`, { headers, signal: connection.signal })
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const until = async (expected: string) => {
    while (!text.includes(expected)) {
      const { value, done } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) return undefined
      text += value
    }
    return text
  }
  return { reply, until, leave: () => connection.abort() }
}

function ageIn(text: string | undefined): number {
  return Number(text?.match(/"age":(?<age>\d+)/)?.groups?.['age'])
}

describe('happy', () => {
  test('staff are told when an enquiry arrives', async () => {
    const { reply, until } = await listen(await signIn('staff'))
    expect(reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(await until('retry')).toBe('retry: 3000\n\n')

    expect((await sendEnquiry(app, ada)).statusCode).toBe(201)
    expect(await until('leads')).toMatch(/event: leads\ndata: \{"age":\d+\}\n\n/)
  })

  test('a change since the page began to load is told once the stream is open, an older one is not', async () => {
    const staff = await signIn('staff')
    await signal(FOR_STAFF)
    const late = await listen(staff, { age: 30_000 })
    expect(ageIn(await late.until(FOR_STAFF))).toBeGreaterThanOrEqual(0)
    const fresh = await listen(staff)
    await fresh.until('retry')
    await signal(NOTIFIED, [staff.user.id])
    expect(await fresh.until('notifications')).not.toContain(FOR_STAFF)
    expect((await listen(staff, { age: -1 })).reply.status).toBe(422)
  })

  test('an event says how long ago the change was, also when it was told for a whole burst', async () => {
    const { until } = await listen(await signIn('staff'))
    await until('retry')
    await signal(FOR_STAFF, { age: 40_000 })
    const told = ageIn(await until(FOR_STAFF))
    expect(told).toBeGreaterThanOrEqual(40_000)
    expect(told).toBeLessThan(60_000)
  })

  test('the server ends the streams when it is drained, and does not wait for their readers', async () => {
    const other = await createApp()
    const { until } = await listen(await signIn('owner'), { at: await other.listen({ port: 0, host: '127.0.0.1' }) })
    await until('retry')
    const [ended] = await Promise.all([until('never said'), other.close()])
    expect(ended).toBeUndefined()
  })

  test('and so it does with a stream that is asked for while it is drained', async () => {
    const other = await createApp()
    let closed: PromiseLike<undefined> | undefined
    other.addHook('preHandler', async () => {
      closed ??= other.close()
    })
    const { reply, until } = await listen(await signIn('owner'), { at: await other.listen({ port: 0, host: '127.0.0.1' }) })
    expect([reply.status, await until('never said')]).toEqual([200, undefined])
    await closed
  })
})

describe('error', () => {
  test('a sixth window of one person is refused, until another is closed', async () => {
    const staff = await signIn('staff')
    const windows = await Promise.all(Array.from({ length: 5 }, () => listen(staff)))
    expect(windows.map(({ reply }) => reply.status)).toEqual([200, 200, 200, 200, 200])
    expect((await listen(staff)).reply.status).toBe(429)
    expect((await listen(await signIn('staff'))).reply.status).toBe(200)

    windows[0]?.leave()
    await expect.poll(async () => (await listen(staff)).reply.status).toBe(200)
  })
})

describe('security', () => {
  test('strangers are refused, and customers are not told of leads', async () => {
    expect((await app.inject({ url: '/api/events' })).statusCode).toBe(401)
    const customer = await signIn('customer')
    const { reply, until } = await listen(customer)
    expect([reply.status, await until('retry')]).toEqual([200, 'retry: 3000\n\n'])
    announceLeads()
    await signal(NOTIFIED, [customer.user.id])
    expect(await until('notifications')).not.toContain('leads')
  })

  test('people are told of their own notifications only', async () => {
    const [one, other] = [await signIn('staff'), await signIn('staff')]
    const streams = [await listen(one), await listen(other)]
    for (const { until } of streams) await until('retry')
    await signal(NOTIFIED, [one.user.id])
    expect(await streams[0]?.until('notifications')).toContain('event: notifications')
    announceLeads()
    expect(await streams[1]?.until('leads')).not.toContain('notifications')
  })

  test('a stream ends after a sign-out, and tells nothing of leads after the loss of the staff role', async () => {
    const gone = await signIn('staff')
    const demoted = await signIn('staff')
    const streams = [await listen(gone), await listen(demoted)]
    await db.deleteFrom('sessions').where('id', '=', gone.session.id).execute()
    await db.updateTable('users').set({ appMetadata: '{"role":"customer"}' }).where('id', '=', demoted.user.id).execute()

    await signal(FOR_STAFF)
    expect(await streams[0]?.until(FOR_STAFF)).toBeUndefined()
    await signal(NOTIFIED, [demoted.user.id])
    expect(await streams[1]?.until('notifications')).not.toContain(FOR_STAFF)
  })
})
