import { z } from 'zod'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { db, insert, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { condition, daysAgo } from '#app/platform/database/sql.server.ts'
import { FetchFailure } from '#app/platform/http/fetch-bounded.server.ts'
import { postPublic } from '#app/platform/http/fetch-public.server.ts'
import { defineJob, enqueue, type NewJob } from '#app/platform/jobs.server.ts'
import { type EmittedEvent, emittedEvent, WEBHOOK_JOB } from '#app/platform/jobs/webhook-event.server.ts'
import type { Row } from '#db/tables.ts'
import { addressOfEndpoint, lockEndpoint, signingSecrets } from './endpoint.server.ts'
import { webhookBody, signedHeaders } from './message.server.ts'
import { FAILING_DAYS, LOG_DAYS, TEST_EVENT } from './webhook.ts'
import { notificationJob } from '#app/account/notifications/notification.server.ts'
import { businessAddress, ownerEmail } from '#app/auth/users/account.server.ts'
import { emailJob } from '#app/mail/outbox.server.ts'
import { endpointDisabledEmail } from './endpoint-disabled.email.tsx'

type Delivery = Row<'webhookDeliveries'>
type Endpoint = Row<'webhookEndpoints'>

const BOUNDS = { ms: 15_000, bytes: 4096 }

/** Seconds after each failed attempt: 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h. With the jitter, three days and up to 19 hours. */
const DELAYS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
/** Two failures further apart than the longest delay are not one continuous failure. */
const GAP_MS = 2 * 86_400_000
const FAILING_MS = FAILING_DAYS * 86_400_000

const DELIVER_JOB = 'webhooks.deliver'

export const deliverJob = z.object({ deliveryId: z.string(), round: z.number(), attempt: z.number(), deferrals: z.number() })
type DeliverJob = z.infer<typeof deliverJob>

/** Gives an event to each endpoint that wants it. A second run finds its deliveries. */
defineJob(
  WEBHOOK_JOB,
  emittedEvent,
  async (event) => {
    await transaction(async (trx) => {
      const wanting = await trx
        .selectFrom('webhookEndpoints')
        .select(['id', 'format'])
        .where('disabledAt', 'is', null)
        .where(condition`${event.type}::text = ANY (events)`)
        .execute()
      for (const endpoint of wanting) await addDelivery(trx, endpoint, event)
    })
    // The deliveries have what is sent.
    return { ...event, data: {} }
  },
  { keepDays: 1, queue: 'webhooks' },
)

async function addDelivery(trx: Trx, { id: endpointId, format }: Pick<Endpoint, 'id' | 'format'>, event: EmittedEvent): Promise<string> {
  const { id: messageId, type, subjectId } = event
  const id = newId()
  const row = { id, endpointId, messageId, event: type, subjectId, body: webhookBody(event, format), nextAttemptAt: new Date() }
  const added = await trx
    .insertInto('webhookDeliveries')
    .values(row)
    .onConflict((conflict) => conflict.columns(['endpointId', 'messageId']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added) await enqueue(trx, jobOf({ deliveryId: id, round: 1, attempt: 1, deferrals: 0 }))
  return id
}

function jobOf(payload: DeliverJob, runAt?: Date): NewJob {
  const { deliveryId, round, attempt, deferrals } = payload
  const dedupeKey = `${DELIVER_JOB}:${deliveryId}:${round}:${attempt}:${deferrals}`
  return { kind: DELIVER_JOB, payload, dedupeKey, ...(runAt && { runAt }) }
}

/** Sends a test event to an endpoint, through the same queue as all others. Returns the id of its delivery. */
export async function sendTestEvent(endpointId: string): Promise<string | undefined> {
  return transaction(async (trx) => {
    const endpoint = await lockEndpoint(trx, endpointId)
    if (!endpoint) return undefined
    const data = { message: 'Your endpoint works.', endpoint: endpoint.label }
    return addDelivery(trx, endpoint, { id: newId(), type: TEST_EVENT, subjectId: null, timestamp: new Date().toISOString(), data })
  })
}

/** Attempts of this process at endpoints that fail. A service that hangs must not take the places of all others. */
const atFailing = new Map<string, number>()
const MOST_AT_FAILING = 3

type Post = typeof postPublic

/** One attempt. It does nothing when another process was faster, or a replay has begun a new round. */
export async function attemptDelivery(job: DeliverJob, post: Post = postPublic): Promise<void> {
  const delivery = await findDue(job)
  const endpoint =
    delivery && (await db.selectFrom('webhookEndpoints').selectAll().where('id', '=', delivery.endpointId).executeTakeFirst())
  if (!delivery || !endpoint) return
  // A test reaches a disabled endpoint as well: it shows whether it works again.
  if (endpoint.disabledAt && delivery.event !== TEST_EVENT) return settleUnsent(job)
  if (!endpoint.failingSince) return send(job, delivery, endpoint, post)
  const busy = atFailing.get(endpoint.id) ?? 0
  if (busy >= MOST_AT_FAILING) return defer(job)
  atFailing.set(endpoint.id, busy + 1)
  try {
    await send(job, delivery, endpoint, post)
  } finally {
    const left = (atFailing.get(endpoint.id) ?? 1) - 1
    if (left > 0) atFailing.set(endpoint.id, left)
    else atFailing.delete(endpoint.id)
  }
}

async function findDue({ deliveryId, round, attempt }: DeliverJob): Promise<Delivery | undefined> {
  return db
    .selectFrom('webhookDeliveries')
    .selectAll()
    .where('id', '=', deliveryId)
    .where('state', '=', 'pending')
    .where('round', '=', round)
    .where('attempts', '=', attempt - 1)
    .executeTakeFirst()
}

async function defer(job: DeliverJob): Promise<void> {
  const seconds = 30 + Math.random() * 60
  await enqueue(db, jobOf({ ...job, deferrals: job.deferrals + 1 }, new Date(Date.now() + seconds * 1000)))
}

type Outcome = { status: number | null; error: string | null; response: string; ms: number }

async function send(job: DeliverJob, { messageId, body }: Delivery, endpoint: Endpoint, post: Post): Promise<void> {
  const started = performance.now()
  const headers = signedHeaders({ messageId, body, at: new Date() }, signingSecrets(endpoint))
  const outcome = await post(addressOfEndpoint(endpoint), { headers, body }, BOUNDS).then(
    ({ status, text }) => ({ status, error: problemOf(status), response: storable(text) }),
    (error: unknown) => {
      if (!(error instanceof FetchFailure)) throw error
      return { status: null, error: error.message, response: '' }
    },
  )
  await note(job, endpoint.id, { ...outcome, ms: Math.round(performance.now() - started) })
}

function problemOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return 'The endpoint redirects. Redirects are not followed: enter the new address.'
  return `The endpoint responded ${status}.`
}

/** A text column stores no NUL. */
function storable(text: string): string {
  return text.replaceAll('\0', '')
}

/** Records an attempt and plans the next one, in one transaction: a process that is killed before it tries again, one after it does not. */
async function note(job: DeliverJob, endpointId: string, outcome: Outcome): Promise<void> {
  const { deliveryId, round, attempt } = job
  await transaction(async (trx) => {
    const endpoint = await lockEndpoint(trx, endpointId)
    const isGone = outcome.status === GONE
    const delay = isGone ? undefined : DELAYS[attempt - 1]
    const next = outcome.error !== null && delay !== undefined ? new Date(Date.now() + withJitter(delay) * 1000) : null
    const state = outcome.error === null ? ('delivered' as const) : next ? ('pending' as const) : ('failed' as const)
    const noted = await trx
      .updateTable('webhookDeliveries')
      .set({ state, attempts: attempt, nextAttemptAt: next, settledAt: next ? null : new Date() })
      .where('id', '=', deliveryId)
      .where('state', '=', 'pending')
      .where('round', '=', round)
      .where('attempts', '=', attempt - 1)
      .returning('event')
      .executeTakeFirst()
    if (!noted || !endpoint) return
    await insert(trx, 'webhookAttempts', { deliveryId, ...outcome })
    if (next) await enqueue(trx, jobOf({ deliveryId, round, attempt: attempt + 1, deferrals: 0 }, next))
    if (outcome.error === null) await noteSuccess(trx, endpointId)
    else if (noted.event !== TEST_EVENT) await noteFailure(trx, endpoint, { isGone, reason: outcome.error })
  })
}

/** The receiver says that it has ended for good. */
const GONE = 410

/** Up to a fifth later, so that deliveries that failed together do not come back together. */
function withJitter(seconds: number): number {
  return seconds * (1 + Math.random() / 5)
}

async function noteSuccess(trx: Trx, endpointId: string): Promise<void> {
  await trx
    .updateTable('webhookEndpoints')
    .set({ failingSince: null, lastFailureAt: null, lastSuccessAt: new Date() })
    .where('id', '=', endpointId)
    .execute()
}

async function noteFailure(trx: Trx, endpoint: Endpoint, { isGone, reason }: { isGone: boolean; reason: string }): Promise<void> {
  const { id, failingSince, lastFailureAt } = endpoint
  const now = Date.now()
  const isContinuous = failingSince && lastFailureAt && now - lastFailureAt.getTime() < GAP_MS
  const since = isContinuous ? failingSince : new Date(now)
  await trx
    .updateTable('webhookEndpoints')
    .set({ failingSince: since, lastFailureAt: new Date(now) })
    .where('id', '=', id)
    .execute()
  if (isGone || now - since.getTime() >= FAILING_MS) await disableFailing(trx, endpoint, { since, reason })
}

/** Ends a delivery whose endpoint was disabled meanwhile. It can be replayed. */
async function settleUnsent({ deliveryId, round }: DeliverJob): Promise<void> {
  await transaction(async (trx) => {
    const settled = await trx
      .updateTable('webhookDeliveries')
      .set({ state: 'failed', nextAttemptAt: null, settledAt: new Date() })
      .where('id', '=', deliveryId)
      .where('state', '=', 'pending')
      .where('round', '=', round)
      .returning('id')
      .executeTakeFirst()
    if (settled) await insert(trx, 'webhookAttempts', { deliveryId, status: null, error: 'Not sent: the endpoint is disabled.', ms: 0 })
  })
}

/**
 * Sends a settled delivery again, and one that waits for its next attempt now, with its id and its body. Returns `false` for one that is missing or on
 * its way.
 */
export async function replayDelivery(id: string, owner: Actor): Promise<boolean> {
  return transaction(async (trx) => {
    const [replayed] = [...(await beginRounds(trx, [id], ['delivered', 'failed'])), ...(await sendWaiting(trx, id))]
    if (replayed) await audit(trx, 'webhook_replayed', { ...by(owner), subjectId: replayed, detail: { deliveries: 1 } })
    return replayed !== undefined
  })
}

/** One replay takes at most so many; the next takes the rest. */
const MOST_REPLAYED = 1000

/** Sends all failed deliveries of an endpoint again, oldest first. Returns how many. */
export async function replayFailed(endpointId: string, owner: Actor): Promise<number> {
  return transaction(async (trx) => {
    const failed = await trx
      .selectFrom('webhookDeliveries')
      .select('id')
      .where('endpointId', '=', endpointId)
      .where('state', '=', 'failed')
      .orderBy('id')
      .limit(MOST_REPLAYED)
      .execute()
    const replayed = await beginRounds(
      trx,
      failed.map(({ id }) => id),
      ['failed'],
    )
    if (replayed.length > 0)
      await audit(trx, 'webhook_replayed', { ...by(owner), subjectId: endpointId, detail: { deliveries: replayed.length } })
    return replayed.length
  })
}

/** Returns the endpoint of each. */
async function beginRounds(trx: Trx, ids: string[], states: ('delivered' | 'failed')[]): Promise<string[]> {
  if (ids.length === 0) return []
  const begun = await trx
    .updateTable('webhookDeliveries')
    .set((row) => ({ state: 'pending', round: row('round', '+', 1), attempts: 0, nextAttemptAt: new Date(), settledAt: null }))
    .where('id', 'in', ids)
    .where('state', 'in', states)
    .returning(['id', 'round', 'endpointId'])
    .execute()
  if (begun.length > 0) await enqueue(trx, ...begun.map(({ id, round }) => jobOf({ deliveryId: id, round, attempt: 1, deferrals: 0 })))
  return begun.map(({ endpointId }) => endpointId)
}

/** Brings the next attempt forward. The job of the time that was planned finds another round. Returns the endpoint, or nothing while it is being sent. */
async function sendWaiting(trx: Trx, id: string): Promise<string[]> {
  const sent = await trx
    .updateTable('webhookDeliveries')
    .set((row) => ({ round: row('round', '+', 1), nextAttemptAt: new Date() }))
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where('nextAttemptAt', '>', new Date())
    .returning(['round', 'attempts', 'endpointId'])
    .executeTakeFirst()
  if (!sent) return []
  await enqueue(trx, jobOf({ deliveryId: id, round: sent.round, attempt: sent.attempts + 1, deferrals: 0 }))
  return [sent.endpointId]
}

defineJob(DELIVER_JOB, deliverJob, async (job) => attemptDelivery(job), { keepDays: 1, queue: 'webhooks' })

defineJob(
  'webhooks.housekeeping',
  z.unknown(),
  async () => void (await db.deleteFrom('webhookDeliveries').where('createdAt', '<', daysAgo(LOG_DAYS)).execute()),
  { every: 'day' },
)

type Failing = { since: Date; reason: string }

/** Disables an endpoint that keeps failing, once, and tells the owner by email and in the bell. */
export async function disableFailing(trx: Trx, { id, label }: Row<'webhookEndpoints'>, { since, reason }: Failing): Promise<void> {
  const disabledAt = new Date()
  const disabled = await trx
    .updateTable('webhookEndpoints')
    .set({ disabledAt, disabledBecause: 'failures' })
    .where('id', '=', id)
    .where('disabledAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!disabled) return
  const { owner } = await trx.selectNoFrom(ownerEmail().as('owner')).executeTakeFirstOrThrow()
  await audit(trx, 'webhook_disabled', { subjectId: id, detail: { label, since: since.toISOString() } })
  const notice = notificationJob({
    kind: 'webhook_disabled',
    title: `Webhook endpoint disabled: ${label}`.slice(0, 200),
    body: reason.slice(0, 300),
    link: '/admin/webhooks',
    subjectId: id,
    dedupeKey: `webhook_disabled:${id}:${disabledAt.toISOString()}`,
    to: { roles: ['owner'] },
  })
  const email = endpointDisabledEmail(businessAddress(owner), { label, since: since.toISOString(), reason })
  await enqueue(trx, emailJob(email), notice)
}
