import { sql } from 'kysely'
import { z } from 'zod'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { type Database, db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { queryRows } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import type { Row } from '#db/tables.ts'
import { listKeyOwners } from './key-holding.server.ts'
import { quotaEmail } from './quota.email.tsx'

type Key = Row<'apiKeys'>

/** Days and months are UTC by the database clock, which all processes share. */
export const THIS_MONTH = sql<string>`date_trunc('month', now() AT TIME ZONE 'UTC')::date`
export const TODAY = sql<string>`(now() AT TIME ZONE 'UTC')::date`

/** A counted request, so that it can be refunded. */
const counted = { used: z.number(), month: z.string(), day: z.string() }
/** `used` is null where the key has no requests left. `shared` says whether they were counted for the organization. */
const attempt = z.object({
  used: z.number().nullable(),
  month: z.string().nullable(),
  day: z.string(),
  told: z.number().nullable(),
  shared: z.boolean(),
})
export type Counted = z.infer<z.ZodObject<typeof counted>>

/** The shares of the quota that send an email, in percent. */
const SHARES = [80, 100]

type Waiting = { key: Key; resolve: (counted: Counted) => void; reject: (error: unknown) => void }

/** The requests of a key that arrive while others of it are being counted. */
const waiting = new Map<string, Waiting[]>()

/**
 * Counts a request before it is answered, or throws 429. Requests of a key that arrive while others of it are being counted share the next
 * statement, and so one commit.
 */
export function spend(key: Key): Promise<Counted> {
  const { promise, resolve, reject } = Promise.withResolvers<Counted>()
  const queue = waiting.get(key.id)
  if (queue) {
    queue.push({ key, resolve, reject })
    return promise
  }
  waiting.set(key.id, [{ key, resolve, reject }])
  void countWaiting(key.id)
  return promise
}

async function countWaiting(id: string): Promise<void> {
  for (let batch = waiting.get(id); batch && batch.length > 0; batch = waiting.get(id)) {
    waiting.set(id, [])
    await countBatch(batch)
  }
  waiting.delete(id)
}

async function countBatch(batch: readonly Waiting[]): Promise<void> {
  const last = batch.at(-1)
  if (!last) return
  try {
    const counted = await count(last.key, batch.length)
    if (counted) {
      for (const [at, { resolve }] of batch.entries()) resolve({ ...counted, used: counted.used - (batch.length - 1 - at) })
    } else if (batch.length === 1) await refuse(last.key)
    // The quota does not cover all of them, so each is counted or refused on its own.
    else for (const each of batch) await countBatch([each])
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}

/**
 * Counts all of these requests or, if the quota of the key or of its organization has fewer left, none. One statement checks and counts, so no number
 * of simultaneous requests or processes exceeds either.
 */
async function count(key: Key, requests: number): Promise<Counted | undefined> {
  const [tried] = await queryRows(
    db,
    attempt.shape,
    sql`
    WITH shared AS (
      INSERT INTO organization_quotas AS quota (organization_id, month, used)
      SELECT id, ${THIS_MONTH}, ${requests}::integer FROM organizations
        WHERE id = ${key.organizationId} AND monthly_quota >= ${requests}::integer AND ${hasLeft(key, requests)}
      ON CONFLICT (organization_id, month) DO UPDATE SET used = quota.used + excluded.used
        WHERE quota.used + excluded.used <= (SELECT monthly_quota FROM organizations WHERE id = ${key.organizationId})
      RETURNING organization_id
    ), counted AS (
      INSERT INTO api_quotas AS quota (key_id, month, used)
      SELECT counted_as, ${THIS_MONTH}, ${requests}::integer FROM api_keys JOIN shared ON true
        WHERE id = ${key.id} AND monthly_quota >= ${requests}::integer
      ON CONFLICT (key_id, month) DO UPDATE SET used = quota.used + excluded.used
        WHERE quota.used + excluded.used <= (SELECT monthly_quota FROM api_keys WHERE id = ${key.id})
      RETURNING key_id, month, used, told
    ), noted AS (
      INSERT INTO api_usage AS usage (key_id, day, requests) SELECT key_id, ${TODAY}, ${requests}::integer FROM counted
      ON CONFLICT (key_id, day) DO UPDATE SET requests = usage.requests + excluded.requests
    )
    SELECT used, month, ${TODAY} AS day, told, EXISTS (SELECT FROM shared) AS shared
      FROM (SELECT 1) AS always LEFT JOIN counted ON true`,
  )
  if (!tried || tried.used === null || tried.month === null) {
    // Requests of the key that ran at the same time have used up its own quota meanwhile.
    if (tried?.shared) await refundShared(key, requests)
    return undefined
  }
  const { used, month, day } = tried
  if (sharesToTell(used, key.monthlyQuota, tried.told ?? 0).length > 0) await tell(key)
  return { used, month, day }
}

/** Whether the key itself has requests left, as far as this statement sees. */
function hasLeft({ id, countedAs }: Key, requests: number) {
  return sql`coalesce((SELECT used FROM api_quotas WHERE key_id = ${countedAs} AND month = ${THIS_MONTH}), 0) + ${requests}::integer
    <= (SELECT monthly_quota FROM api_keys WHERE id = ${id})`
}

async function refundShared({ organizationId }: Key, requests: number): Promise<void> {
  await sql`UPDATE organization_quotas SET used = used - ${requests}::integer
    WHERE organization_id = ${organizationId} AND month = ${THIS_MONTH} AND used >= ${requests}::integer`.execute(db)
}

/** Refunds a request that got no response. */
export async function refundRequest({ countedAs, organizationId }: Key, { month, day }: Counted): Promise<void> {
  await sql`
    WITH shared AS (
      UPDATE organization_quotas SET used = used - 1 WHERE organization_id = ${organizationId} AND month = ${month} AND used > 0
    ), quota AS (UPDATE api_quotas SET used = used - 1 WHERE key_id = ${countedAs} AND month = ${month} AND used > 0)
    UPDATE api_usage SET requests = requests - 1 WHERE key_id = ${countedAs} AND day = ${day} AND requests > 0`.execute(db)
}

/** When the count resets. */
export function nextMonth(now = new Date()): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
}

export function secondsToNextMonth(): number {
  return Math.max(1, Math.ceil((nextMonth().getTime() - Date.now()) / 1000))
}

async function refuse(key: Key): Promise<never> {
  // The email is missing if the process that answered the last request died right then.
  const quotaRow = await findQuota(db, key).executeTakeFirst()
  if (quotaRow && sharesToTell(quotaRow.used, key.monthlyQuota, quotaRow.told).length > 0) await tell(key)
  const hasOwn = (quotaRow?.used ?? 0) < key.monthlyQuota
  const shared = hasOwn ? await findShared(key) : undefined
  if (shared && shared.used >= shared.monthlyQuota) {
    const all = numberText(shared.monthlyQuota)
    const sentence = `Your organization has used its ${all} requests for this month. Its quota resets on ${dayOf(nextMonth())} (UTC).`
    return stop('tooMany', sentence, { code: 'quota_used_up', retryAfter: secondsToNextMonth() })
  }
  const quota = numberText(key.monthlyQuota)
  return stop('tooMany', `This key has used its ${quota} requests for this month. Your quota resets on ${dayOf(nextMonth())} (UTC).`, {
    code: 'quota_used_up',
    retryAfter: secondsToNextMonth(),
  })
}

async function findShared({ organizationId }: Key) {
  return db
    .selectFrom('organizations')
    .innerJoin('organizationQuotas as quota', 'quota.organizationId', 'organizations.id')
    .select(['monthlyQuota', 'quota.used'])
    .where('organizations.id', '=', organizationId)
    .where('quota.month', '=', THIS_MONTH)
    .executeTakeFirst()
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}

/** The shares that were reached without an email. A quota of a few requests may reach both in one step. */
function sharesToTell(used: number, quota: number, told: number): number[] {
  return SHARES.filter((share) => share > told && quota > 0 && used * 100 >= quota * share)
}

/** Checked again in the transaction: of all who see it at the same time, one sends the email. */
async function tell(key: Key): Promise<void> {
  const { countedAs, name, prefix, monthlyQuota: quota } = key
  await transaction(async (trx) => {
    const quotaRow = await findQuota(trx, key).forUpdate().executeTakeFirst()
    const shares = quotaRow ? sharesToTell(quotaRow.used, quota, quotaRow.told) : []
    const most = shares.at(-1)
    if (!quotaRow || most === undefined) return
    await trx.updateTable('apiQuotas').set({ told: most }).where('keyId', '=', countedAs).where('month', '=', quotaRow.month).execute()
    const resetsAt = nextMonth().toISOString()
    for (const { email } of await listKeyOwners(trx, key)) {
      if (email) await enqueueEmail(trx, ...shares.map((share) => quotaEmail(email, { name, prefix, quota, share, resetsAt })))
    }
  })
}

function findQuota(connection: Database | Trx, { countedAs }: Key) {
  return connection.selectFrom('apiQuotas').select(['month', 'used', 'told']).where('keyId', '=', countedAs).where('month', '=', THIS_MONTH)
}
