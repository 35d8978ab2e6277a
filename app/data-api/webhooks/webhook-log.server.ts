import { db } from '#app/platform/database/db.server.ts'
import type { Row } from '#db/tables.ts'
import type { DeliveryDetail, WebhookDelivery } from './webhook.ts'

type Asked = { endpointId: string; state?: Row<'webhookDeliveries'>['state'] | undefined; cursor?: string | undefined; limit: number }

/** A page of an endpoint's log, newest first. The cursor is the id of the last entry. */
export async function listDeliveries({ endpointId, state, cursor, limit }: Asked) {
  const rows = await withLastAttempt()
    .where('webhookDeliveries.endpointId', '=', endpointId)
    .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'failed'))
    .$if(cursor !== undefined, (query) => query.where('webhookDeliveries.id', '<', cursor ?? ''))
    .orderBy('webhookDeliveries.id', 'desc')
    .limit(limit + 1)
    .execute()
  const items = rows.slice(0, limit).map(toDelivery)
  return { items, nextCursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
}

/** A delivery with its payload and every attempt, oldest first. */
export async function findDelivery(id: string): Promise<DeliveryDetail | undefined> {
  const row = await withLastAttempt().where('webhookDeliveries.id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const tries = await db.selectFrom('webhookAttempts').selectAll().where('deliveryId', '=', id).orderBy('id').execute()
  return {
    ...toDelivery(row),
    body: row.body,
    tries: tries.map(({ deliveryId: _delivery, createdAt, ...attempt }) => ({ ...attempt, createdAt: createdAt.toISOString() })),
  }
}

function withLastAttempt() {
  return db
    .selectFrom('webhookDeliveries')
    .leftJoinLateral(
      (join) =>
        join
          .selectFrom('webhookAttempts')
          .select(['webhookAttempts.status as lastStatus', 'webhookAttempts.error as lastError'])
          .whereRef('webhookAttempts.deliveryId', '=', 'webhookDeliveries.id')
          .orderBy('webhookAttempts.id', 'desc')
          .limit(1)
          .as('last'),
      (on) => on.onTrue(),
    )
    .selectAll('webhookDeliveries')
    .select(['last.lastStatus', 'last.lastError'])
}

type Found = Row<'webhookDeliveries'> & { lastStatus: number | null; lastError: string | null }

function toDelivery({ id, messageId, event, state, attempts, lastStatus, lastError, nextAttemptAt, createdAt }: Found): WebhookDelivery {
  return {
    id,
    messageId: `msg_${messageId}`,
    event,
    state,
    attempts,
    lastStatus,
    lastError,
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }
}
