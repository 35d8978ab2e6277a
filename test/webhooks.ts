import { afterEach, beforeEach, expect, vi } from 'vitest'
import { z } from 'zod/mini'
import { deliverJob } from '#app/data-api/webhooks/delivery.server.ts'
import {
  deliveryDetail,
  deliveryPage,
  endpointWithSecret,
  WEBHOOK_DELIVERIES,
  webhookEndpoint,
  WEBHOOKS,
} from '#app/data-api/webhooks/webhook.ts'
import { db, newId, transaction } from '#app/platform/database/db.server.ts'
import type { Http } from '#app/platform/http/http.server.ts'
import { jobKinds } from '#app/platform/jobs.server.ts'
import { emitWebhook } from '#app/platform/jobs/webhook-event.server.ts'
import { signIn, type SignedIn } from './factories.ts'
import { type Answering, startReceiver } from './webhook-receiver.ts'

/** An installation whose owner has endpoints, fresh for each test. */
export function webhookWorld(app: Http) {
  const ends: (() => Promise<void>)[] = []
  let owner: SignedIn
  beforeEach(async () => {
    await db.deleteFrom('webhookEndpoints').execute()
    await db.deleteFrom('jobs').execute()
    owner = await signIn('owner')
  })
  afterEach(async () => {
    vi.useRealTimers()
    for (const end of ends.splice(0)) await end()
  })

  const receive = async (answering?: Answering) => {
    const receiver = await startReceiver(answering)
    ends.push(receiver.stop)
    return receiver
  }

  const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object, given?: Pick<SignedIn, 'headers'>) => {
    // The session of before has ended when the clock is days ahead.
    const { headers } = given ?? (vi.isFakeTimers() ? await signIn('owner') : owner)
    return app.inject({ method, url: path.startsWith('/api/') ? path : WEBHOOKS + path, headers, ...(payload && { payload }) })
  }

  const create = async (url: string, given: object = {}) => {
    const reply = await call('POST', '', { label: 'CRM', url, events: ['lead.created'], format: 'standard', ...given })
    expect([reply.statusCode, reply.body]).toEqual([201, expect.any(String)])
    return endpointWithSecret.parse(reply.json())
  }
  const logOf = async (id: string, query = '') => deliveryPage.parse((await call('GET', `/${id}/deliveries${query}`)).json()).items
  const detailOf = async (id: string) => deliveryDetail.parse((await call('GET', `${WEBHOOK_DELIVERIES}/${id}`)).json())
  const stateOf = async (id: string) =>
    z
      .array(webhookEndpoint)
      .parse((await call('GET', '')).json())
      .find((endpoint) => endpoint.id === id)
  return { receive, call, create, logOf, detailOf, stateOf }
}

/** A change that tells of a new lead. */
export const emitLead = async (reference = newId()) =>
  transaction((trx) => emitWebhook(trx, 'lead.created', () => [{ subjectId: newId(), data: { reference } }]))

const kinds = ['webhooks.emit', 'webhooks.deliver', 'leads.emit-batch']
const attempt = { attempt: 1, signal: new AbortController().signal }

/** Runs due jobs as the worker would, and then those of the next moment, until none is left before `until`. The clock follows. */
export async function workWebhooks(until = 0): Promise<void> {
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

/** Only the jobs that give events to endpoints. */
export async function giveToEndpoints(): Promise<void> {
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

export async function deliverJobs() {
  const jobs = await db
    .selectFrom('jobs')
    .select('payload')
    .where('kind', '=', 'webhooks.deliver')
    .where('doneAt', 'is', null)
    .orderBy('id')
    .execute()
  return jobs.map(({ payload }) => deliverJob.parse(payload))
}
