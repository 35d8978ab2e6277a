import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUIDv7 } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, type KyselyPlugin, sql, type Transaction } from 'kysely'
import type { NewRow, Row, Tables } from '#db/tables.ts'

export type Database = Kysely<Tables>
export type Trx = Transaction<Tables>

/** Where queries go outside of a transaction. Inside one, only its own `trx` may be used. */
export let db: Database

let base: Database
/** What waits for the commit of the transaction that this code runs in. */
const insideTransaction = new AsyncLocalStorage<(() => void)[]>()

/**
 * The embedded database has one connection: a query beside an open transaction would wait for ever. On PostgreSQL it would
 * silently run outside of it. Both are bugs, so both throw at once.
 */
const guard: KyselyPlugin = {
  transformQuery({ node }) {
    if (insideTransaction.getStore()) throw new Error('Inside a transaction only its own trx may be used.')
    return node
  },
  transformResult: async ({ result }) => result,
}

/** Runs a `COPY … TO STDOUT` and hands over line after line. The bytes are lent: they are others once the call has returned. */
export type CopyOut = (statement: string, take: (line: Buffer) => void) => Promise<void>

/** Copies the files of the database into a folder while it is used. The copy is the database as it was at one moment. */
export type CopyInto = (folder: string, signal: AbortSignal) => Promise<void>

/** A database that is open. */
export type Opened = {
  kysely: Database
  /** How many connections there are, by state. */
  connections: () => Record<string, number>
  copyOut: CopyOut
  /** The embedded database alone has files of its own. */
  copyInto?: CopyInto
}

let current: Opened

/** Says which database is meant from now on; called by whoever opens it. */
export function useDatabase(opened: Opened) {
  current = opened
  base = opened.kysely
  db = base.withPlugin(guard)
}

/** The database as it was opened, for what goes past the query builder. */
export function openedDatabase(): Opened {
  if (insideTransaction.getStore()) throw new Error('Inside a transaction only its own trx may be used.')
  return current
}

/** Serialisation failures and deadlocks: the same work, tried once more, usually succeeds. */
const retryable = new Set(['40001', '40P01'])

/** Runs the work in one transaction: all of it or nothing. No network, no hashing, no files inside. */
export async function transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T> {
  const attempt = async () => {
    const committed: (() => void)[] = []
    const answer = await base.transaction().execute((trx) => insideTransaction.run(committed, () => work(trx)))
    for (const callback of committed) callback()
    return answer
  }
  if (insideTransaction.getStore()) throw new Error('A transaction is already open: hand its trx on.')
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && retryable.has(String(error.code)))) throw error
    return attempt()
  }
}

/** Runs work that is no part of the transaction around the caller: it is kept whatever becomes of that. The caller must not wait for it. */
export function outsideTransaction<T>(work: () => T): T {
  return insideTransaction.exit(work)
}

/** Calls back once the transaction around the caller is kept, never when it is not; at once outside of one. Must not throw. */
export function afterCommit(callback: () => void): void {
  const committed = insideTransaction.getStore()
  if (committed) committed.push(callback)
  else callback()
}

/** The row itself, when every key of it is a column; a compile error when one would be lost. */
type NothingLost<Given, Columns> = Given & Record<Exclude<keyof Given, keyof Columns>, never>

type TableWithId = { [Table in keyof Tables]: Tables[Table] extends { id: string } ? Table : never }[keyof Tables]

/** Inserts one row, with a new time-ordered id unless it brings one, and answers it as stored. */
export async function insert<Table extends TableWithId, Given extends Omit<NewRow<Table>, 'id'> & { id?: string }>(
  connection: Database | Trx,
  table: Table,
  row: NothingLost<Given, NewRow<Table>>,
): Promise<Row<Table>> {
  const given = Object.entries<unknown>({ id: newId(), ...row }).filter(([, value]) => value !== undefined)
  const columns = sql.join(given.map(([column]) => sql.ref(column)))
  const values = sql.join(given.map(([, value]) => value))
  const { rows } = await sql<Row<Table>>`INSERT INTO ${sql.table(table)} (${columns}) VALUES (${values}) RETURNING *`.execute(connection)
  const [stored] = rows
  if (!stored) throw new Error(`${table} answered nothing to an insert.`)
  return stored
}

let lastMoment = ''
let counter = 0

/** A UUIDv7: ids sort by the time they were made, those of one process within a millisecond too (RFC 9562, 6.2, method 1: a counter in `rand_a`). */
export function newId(): string {
  const id = randomUUIDv7()
  const moment = id.slice(0, 13)
  // Each moment begins in the lower half, so that there is room for 2,048 more.
  counter = moment === lastMoment ? (counter + 1) % 0x10_00 : Number.parseInt(id.slice(15, 18), 16) % 0x8_00
  lastMoment = moment
  return `${moment}-7${counter.toString(16).padStart(3, '0')}${id.slice(18)}`
}

/** Who asks whether we are ready gives up on us later than this. */
const READY_MS = 3000

/** Whether the database answers soon and its tables are up to date: opening it does both, so one query is enough. */
export async function isDatabaseReady(): Promise<boolean> {
  const answer = sql`SELECT 1`.execute(db).then(
    () => true,
    () => false,
  )
  return Promise.race([answer, sleep(READY_MS, false, { ref: false })])
}
