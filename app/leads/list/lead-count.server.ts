import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { queryRowsBehind } from '#app/platform/database/replica.server.ts'
import { rememberCount } from '#app/leads/lead/remembered.server.ts'

type Counted = { name: 'contacts' | 'consultations'; listed: RawBuilder<boolean> }

export type FoundTotal = { total: number; isTotalExact: boolean }

const counts = new Map<string, () => Promise<number>>()

/** The rows of a list. Large lists are counted every few seconds, not for every request. */
export function countListed({ name, listed }: Counted): Promise<number> {
  const known =
    counts.get(name) ??
    rememberCount(
      () => count(sql`SELECT count(*) FROM ${sql.table(name)} WHERE ${listed}`),
      (total) => total,
    )
  counts.set(name, known)
  return known()
}

/** The matches: exact when the list is no longer than `looked`, else extrapolated from the newest, to two digits. */
export async function estimateFound(table: Counted, conditions: RawBuilder<boolean>[], looked: number): Promise<FoundTotal> {
  const name = sql.table(table.name)
  const newest = sql`SELECT * FROM ${name} WHERE ${table.listed} ORDER BY created_at DESC, id DESC LIMIT ${looked}`
  const [listed, hits] = await Promise.all([
    countListed(table),
    count(sql`SELECT count(*) FROM (${newest}) AS ${name} WHERE ${all(conditions)}`),
  ])
  if (listed <= looked) return { total: hits, isTotalExact: true }
  return { total: Number(((hits / looked) * listed).toPrecision(2)), isTotalExact: false }
}

export function all(conditions: RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` AND `)}`
}

async function count(query: RawBuilder<unknown>): Promise<number> {
  const [counted] = await queryRowsBehind({ count: z.number() }, query)
  return counted?.count ?? 0
}
