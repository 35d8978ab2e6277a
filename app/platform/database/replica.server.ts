import type { QueryResult, RawBuilder } from 'kysely'
import { z } from 'zod'
import { isOutage } from './database-error.ts'
import { type Opened, openedDatabase } from './db.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { propertyOf } from '#app/platform/errors/property.ts'

/** After a change, reads go to the primary for this time: a replica may lag behind. */
const FRESH_MS = 3000
/** A replica that failed is avoided for this time. */
const AWAY_MS = 30_000

let replica: Opened | undefined
let avoidUntil = 0

/** Sets the replica that may be read, or that there is none. */
export function useReplica(opened: Opened | undefined) {
  replica = opened
  avoidUntil = 0
}

/** Announces a change that people expect to see now. */
export function expectFreshReads() {
  avoidReplica(FRESH_MS)
}

/** Runs a query whose result may lag a moment behind. Never inside a transaction. */
export async function readBehind<Row>(query: RawBuilder<Row>): Promise<QueryResult<Row>> {
  return behind(({ kysely }) => query.execute(kysely))
}

/** Like `readBehind`, and checks the rows as `queryRows` does. */
export async function queryRowsBehind<Columns extends z.ZodRawShape>(
  columns: Columns | z.ZodObject<Columns>,
  query: RawBuilder<unknown>,
): Promise<z.output<z.ZodObject<Columns>>[]> {
  const { rows } = await readBehind(query)
  const row = columns instanceof z.ZodObject ? columns : z.object(columns)
  return rows.map((each) => row.parse(each))
}

/** Reads from the replica when it is available, else from the database itself. */
async function behind<T>(read: (from: Opened) => Promise<T>): Promise<T> {
  if (!replica || Date.now() < avoidUntil) return read(openedDatabase())
  try {
    return await read(replica)
  } catch (error) {
    if (!cannotServe(error)) throw error
    log.warn({ code: propertyOf(error, 'code') || undefined }, 'the replica cannot serve, the database does')
    avoidReplica(AWAY_MS)
    return read(openedDatabase())
  }
}

function avoidReplica(ms: number) {
  avoidUntil = Math.max(avoidUntil, Date.now() + ms)
}

/** Down, in conflict with the replay, without access for us, or behind a migration. */
function cannotServe(error: unknown): boolean {
  return isOutage(error) || /^(40001|28...|3D000|42P01|42703|42883|42501)$/.test(propertyOf(error, 'code'))
}
