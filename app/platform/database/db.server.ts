import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUIDv7 } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, type KyselyPlugin, sql, type Transaction } from 'kysely'
import type { NewRow, Row, Tables } from '#db/tables.ts'

export type Database = Kysely<Tables>
export type Trx = Transaction<Tables>

/** For queries outside a transaction. Inside one, use only its own `trx`. */
export let db: Database

let base: Database
/** Callbacks for the commit of the transaction that this code runs in. */
const insideTransaction = new AsyncLocalStorage<(() => void)[]>()

/**
 * The embedded database has one connection: a query beside an open transaction would hang forever. On PostgreSQL it would
 * silently run outside the transaction. Both are bugs, so both throw immediately.
 */
const guard: KyselyPlugin = {
  transformQuery({ node }) {
    refuseInsideTransaction()
    return node
  },
  transformResult: async ({ result }) => result,
}

/** Throws for a query that goes past the open transaction. */
function refuseInsideTransaction() {
  if (insideTransaction.getStore()) throw new Error('Inside a transaction only its own trx may be used.')
}

/** Copies the files of the database into a folder while it is in use. The copy is the database as it was at one moment. */
export type CopyInto = (folder: string, signal: AbortSignal) => Promise<void>

/** An open database. */
export type Opened = {
  kysely: Database
  /** Number of connections by state. */
  connections: () => Record<string, number>
  /** Only the embedded database has files of its own. */
  copyInto?: CopyInto
}

let current: Opened

/** Sets the database that `db` and `transaction` use. */
export function useDatabase(opened: Opened) {
  current = opened
  base = opened.kysely
  db = base.withPlugin(guard)
}

/** The database as it was opened, for work that bypasses the query builder. */
export function openedDatabase(): Opened {
  refuseInsideTransaction()
  return current
}

/** Serialization failures and deadlocks: a retry usually succeeds. */
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

/** Runs work outside the surrounding transaction, which can still roll back. The caller must not await it. */
export function outsideTransaction<T>(work: () => T): T {
  return insideTransaction.exit(work)
}

export function isInsideTransaction(): boolean {
  return insideTransaction.getStore() !== undefined
}

/** Calls back after the surrounding transaction commits, never after a rollback; immediately when there is none. Must not throw. */
export function afterCommit(callback: () => void): void {
  const committed = insideTransaction.getStore()
  if (committed) committed.push(callback)
  else callback()
}

/** The row itself, when every key of it is a column; else a compile error. */
export type NothingLost<Given, Columns> = Given & Record<Exclude<keyof Given, keyof Columns>, never>

type TableWithId = { [Table in keyof Tables]: Tables[Table] extends { id: string } ? Table : never }[keyof Tables]

/** Inserts one row and returns it as stored. Without an ID, the row gets a new time-ordered one. */
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

/** A UUIDv7: IDs sort by creation time, within one process also within a millisecond (RFC 9562, 6.2, method 1: a counter in `rand_a`). */
export function newId(): string {
  const id = randomUUIDv7()
  const moment = id.slice(0, 13)
  // Each millisecond begins in the lower half, so that there is room for 2,048 more.
  counter = moment === lastMoment ? (counter + 1) % 0x10_00 : Number.parseInt(id.slice(15, 18), 16) % 0x8_00
  lastMoment = moment
  return `${moment}-7${counter.toString(16).padStart(3, '0')}${id.slice(18)}`
}

/** Shorter than the timeout of a readiness probe. */
const READY_MS = 3000

/** Whether the database responds soon. One query is enough, because opening it brings its tables up to date. */
export async function isDatabaseReady(): Promise<boolean> {
  const answer = sql`SELECT 1`.execute(db).then(
    () => true,
    () => false,
  )
  return Promise.race([answer, sleep(READY_MS, false, { ref: false })])
}
