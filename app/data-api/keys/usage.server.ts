import { sql } from 'kysely'
import { db } from '#app/platform/database/db.server.ts'
import { queryRows } from '#app/platform/database/sql.server.ts'
import { BatchedWrites } from '#app/platform/database/batched-writes.server.ts'
import type { Row } from '#db/tables.ts'
import { type KeyUsage, type UsageDay, usageDay } from './api-key.ts'
import { heldBy, type KeyHolder } from './key-holding.server.ts'
import { nextMonth, THIS_MONTH, TODAY } from './quota.server.ts'

const DAYS = 30

type Beside = { refused: number; rows: number }

/** Requests are counted exactly, with the quota. Refusals and row counts are batched: a crash loses a second of them. */
const gathered = new BatchedWrites<Beside>(
  10_000,
  (one, other) => ({ refused: one.refused + other.refused, rows: one.rows + other.rows }),
  async (values) => {
    const rows = [...values].map(([id, beside]) => ({ id, ...beside }))
    // Keys that were deleted meanwhile, with their owner, are left out.
    await sql`
      INSERT INTO api_usage AS usage (key_id, day, refused, rows)
      SELECT api_keys.id, ${TODAY}, given.refused, given.rows
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS given (id uuid, refused integer, rows bigint)
      JOIN api_keys ON api_keys.id = given.id ORDER BY api_keys.id
      ON CONFLICT (key_id, day) DO UPDATE SET refused = usage.refused + excluded.refused, rows = usage.rows + excluded.rows`.execute(db)
  },
)

export function noteUsage({ countedAs }: Row<'apiKeys'>, { refused = 0, rows = 0 }: Partial<Beside>) {
  gathered.add(countedAs, { refused, rows })
}

/** Which datasets a key has read, so that its owner hears of new versions. */
const readings = new BatchedWrites<{ keyId: string; productId: string }>(
  10_000,
  (one) => one,
  async (values) => {
    await sql`
      INSERT INTO api_key_reads AS known (key_id, product_id)
      SELECT api_keys.id, data_products.id
      FROM jsonb_to_recordset(${JSON.stringify([...values.values()])}::jsonb) AS given ("keyId" uuid, "productId" uuid)
      JOIN api_keys ON api_keys.id = given."keyId" JOIN data_products ON data_products.id = given."productId" ORDER BY 1, 2
      ON CONFLICT (key_id, product_id) DO UPDATE SET read_at = now()`.execute(db)
  },
)

/** Counts the rows that a key has read of a dataset. */
export function noteReading(key: Row<'apiKeys'>, productId: string, rows: number) {
  noteUsage(key, { rows })
  readings.add(`${key.id} ${productId}`, { keyId: key.id, productId })
}

export async function keepUsage(): Promise<void> {
  await Promise.all([gathered.flush(), readings.flush()])
}

/** Returns undefined if the holder has no such key. */
export async function findUsage(holder: KeyHolder, id: string): Promise<KeyUsage | undefined> {
  const key = await db
    .selectFrom('apiKeys')
    .leftJoin('apiQuotas', (on) => on.onRef('apiQuotas.keyId', '=', 'apiKeys.countedAs').on('apiQuotas.month', '=', THIS_MONTH))
    .select(['countedAs', 'monthlyQuota', 'apiQuotas.used'])
    .where(heldBy(holder))
    .where('apiKeys.id', '=', id)
    .executeTakeFirst()
  if (!key) return undefined
  const { countedAs, monthlyQuota, used } = key
  return { used: used ?? 0, monthlyQuota, resetsAt: nextMonth().toISOString(), days: await listDays(countedAs) }
}

async function listDays(countedAs: string): Promise<UsageDay[]> {
  return queryRows(
    db,
    usageDay.shape,
    sql`
    SELECT at::date::text AS date, coalesce(requests, 0) AS requests, coalesce(refused, 0) AS refused, coalesce(rows, 0) AS rows
    FROM generate_series(${TODAY} - ${DAYS - 1}::integer, ${TODAY}::timestamp, interval '1 day') AS each_day (at)
    LEFT JOIN api_usage ON key_id = ${countedAs} AND day = at::date
    ORDER BY 1`,
  )
}
