import { sql } from 'kysely'
import { z } from 'zod'
import { notificationJob } from '#app/account/notifications/notification.server.ts'
import { db, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import type { PaymentProvider, ProviderEvent, ProviderObjects } from './provider.server.ts'
import { findProvider } from './providers.server.ts'

type ObjectKind = keyof ProviderObjects

/** Applies the current state of an object. Returns a sentence for staff where it is not what we asked for. */
type ApplyObject = (provider: PaymentProvider, id: string) => Promise<string | undefined>

const appliers = new Map<ObjectKind, ApplyObject>()

/** How events of a kind of object are applied. Each part of billing says it of its own objects. */
export function applyEventsOf(kind: ObjectKind, apply: ApplyObject): void {
  appliers.set(kind, apply)
}

const APPLY_JOB = 'payments.apply-event'

/**
 * Takes a request of a provider: verifies it, stores its event once and leaves the rest to a job, so that the provider hears at once that it arrived.
 * The page of the test provider calls it as well.
 */
export async function takeEvent(name: string, body: Buffer, headers: Record<string, string | string[] | undefined>): Promise<void> {
  const provider = findProvider(name) ?? stop('notFound', 'This provider is not used here.')
  const event = await provider.readEvent(body, headers)
  if (!event) stop('forbidden', 'The signature is missing, wrong or older than five minutes.', { code: 'bad_signature' })
  if (event !== 'unused') await storeEvents(provider, [event])
}

/** Stores events that are not known yet. Also for those of the nightly list. Returns how many were new. */
export async function storeEvents({ name: provider }: PaymentProvider, events: readonly ProviderEvent[]): Promise<number> {
  if (events.length === 0) return 0
  return transaction(async (trx) => {
    const stored = await trx
      .insertInto('paymentEvents')
      .values(events.map(({ id: eventId, ...event }) => ({ ...event, id: newId(), provider, eventId })))
      .onConflict((conflict) => conflict.columns(['provider', 'eventId']).doNothing())
      .returning('id')
      .execute()
    const jobs = stored.map(({ id }) => ({ kind: APPLY_JOB, payload: { id }, dedupeKey: `${APPLY_JOB}:${id}` }))
    if (jobs.length > 0) await enqueue(trx, ...jobs)
    return stored.length
  })
}

/** Makes everything that happens to one object of a provider happen one after the other, in all processes. */
export async function lockObject(trx: Trx, provider: string, id: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${provider}:${id}`}, 0))`.execute(trx)
}

/** Applies an event: the object is read as it is now, so that two events of one change have one effect. A second run does nothing. */
export async function applyEvent(id: string): Promise<void> {
  const event = await db.selectFrom('paymentEvents').selectAll().where('id', '=', id).where('appliedAt', 'is', null).executeTakeFirst()
  if (!event) return
  const provider = findProvider(event.provider)
  const kind = objectKind.safeParse(event.objectKind)
  const apply = kind.success ? appliers.get(kind.data) : undefined
  const refusal = provider && apply ? ((await apply(provider, event.objectId)) ?? '') : ''
  await transaction(async (trx) => {
    const applied = await trx
      .updateTable('paymentEvents')
      .set({ appliedAt: now, refusal: refusal.slice(0, 500) })
      .where('id', '=', id)
      .where('appliedAt', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!applied || refusal === '') return
    await enqueue(
      trx,
      notificationJob({
        kind: 'payment_problem',
        title: 'A payment is not what was asked for',
        body: refusal.slice(0, 300),
        link: '/admin/billing?tab=payments',
        subjectId: event.objectId,
        dedupeKey: `payment_refused:${event.objectId}:${refusal.slice(0, 60)}`,
        to: { roles: ['staff', 'owner'] },
      }),
    )
  })
}

const objectKind = z.enum(['checkout', 'payment', 'refund', 'dispute', 'subscription', 'period'] satisfies ObjectKind[])

defineJob(APPLY_JOB, z.object({ id: z.string() }), async ({ id }) => applyEvent(id), { keepDays: 30 })
