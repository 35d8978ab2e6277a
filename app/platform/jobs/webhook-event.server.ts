import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import { newId, type Trx } from '#app/platform/database/db.server.ts'
import { condition } from '#app/platform/database/sql.server.ts'
import { enqueue, type NewJob } from '#app/platform/jobs.server.ts'
import type { WebhookEvent } from './webhook-event.ts'

/** The job that gives an event to each endpoint. It is here, so that every noun can emit without knowing who listens. */
export const WEBHOOK_JOB = 'webhooks.emit'

/** `type`, `timestamp` and `data` are sent. `subjectId` is the row that the event is about: erasing it erases what was sent. */
export const emittedEvent = z.object({
  id: z.string(),
  type: z.string(),
  subjectId: z.string().nullable(),
  timestamp: z.string(),
  data: z.record(z.string(), z.unknown()),
})

export type EmittedEvent = z.infer<typeof emittedEvent>

type Emitted = Omit<EmittedEvent, 'id' | 'type' | 'timestamp'>

/**
 * Emits events in the transaction that causes them, so that neither exists without the other. `describe` runs only when an endpoint wants
 * this type: without one, an emit costs one lookup in a tiny table.
 */
export async function emitWebhook(trx: Trx, type: WebhookEvent, describe: () => Emitted[] | Promise<Emitted[]>): Promise<void> {
  if (!(await isWanted(trx, type))) return
  const jobs = (await describe()).map((emitted) => webhookJob(type, emitted))
  if (jobs.length > 0) await enqueue(trx, ...jobs)
}

/** The job of an event of which `hasListener` has just told that an endpoint wants it. */
export function webhookJob(type: WebhookEvent, emitted: Emitted): NewJob {
  const payload: EmittedEvent = { id: newId(), type, timestamp: new Date().toISOString(), ...emitted }
  return { kind: WEBHOOK_JOB, payload }
}

/** Runs the statements of `emitWebhook`, with an event that no endpoint wants. */
export async function emitNothing(trx: Trx, type: WebhookEvent): Promise<void> {
  if (!(await isWanted(trx, type))) return
  const payload: EmittedEvent = { id: newId(), type: 'none', timestamp: new Date().toISOString(), subjectId: null, data: {} }
  await enqueue(trx, { kind: WEBHOOK_JOB, payload })
}

/** Whether an endpoint wants events of this type now. */
export async function isWanted(trx: Trx, type: WebhookEvent): Promise<boolean> {
  const { wanted } = await trx.selectNoFrom(hasListener(type).as('wanted')).executeTakeFirstOrThrow()
  return wanted
}

/** The same as a part of another query. */
export function hasListener(type: WebhookEvent): RawBuilder<boolean> {
  return condition`EXISTS (SELECT FROM webhook_endpoints WHERE disabled_at IS NULL AND ${type}::text = ANY (events))`
}
