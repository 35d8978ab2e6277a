import type { QueryResult, RawBuilder } from 'kysely'
import { isOutage } from './database-error.ts'
import { type Opened, openedDatabase } from './db.server.ts'
import { log } from './log.server.ts'
import { propertyOf } from './property.ts'

/** So long after a change everything is read where it was written: a replica may not have it yet. */
const FRESH_MS = 3000
/** So long a replica that did not answer is left alone. */
const AWAY_MS = 30_000

let replica: Opened | undefined
let avoidUntil = 0

/** Says which copy of the database may be read, or that there is none. */
export function useReplica(opened: Opened | undefined) {
  replica = opened
  avoidUntil = 0
}

/** Says that something has just changed that people wait to see. */
export function expectFreshReads() {
  avoidReplica(FRESH_MS)
}

/** Answers a query whose answer may be a moment behind. Never inside a transaction. */
export async function readBehind<Row>(query: RawBuilder<Row>): Promise<QueryResult<Row>> {
  return behind(({ kysely }) => query.execute(kysely))
}

/** Hands the lines of a `COPY … TO STDOUT` to a taker, and answers it. A copy that breaks off on the replica begins anew, with a new taker. */
export async function copyBehind<Taker extends { take: (line: Buffer) => void }>(statement: string, newTaker: () => Taker): Promise<Taker> {
  return behind(async ({ copyOut }) => {
    const taker = newTaker()
    await copyOut(statement, (line) => taker.take(line))
    return taker
  })
}

/** Reads from the replica, when there is one that answers, else from the database itself. */
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

/** Away, in conflict with what it has to replay, not to be opened by us, or before a migration that the database has been through. */
function cannotServe(error: unknown): boolean {
  return isOutage(error) || /^(40001|28...|3D000|42P01|42703|42883|42501)$/.test(propertyOf(error, 'code'))
}
