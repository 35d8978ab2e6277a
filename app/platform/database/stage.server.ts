import { sql } from 'kysely'
import { z } from 'zod'
import { queryRows } from './sql.server.ts'
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Database, Trx } from './db.server.ts'
import { syncPath } from '#app/platform/files/durable-rename.server.ts'
import { OperatorError } from '#app/platform/errors/operator-error.ts'
import { PRESENCE_LOCK } from './signals.server.ts'
import { acceptRestore, finishRestore, syncTree } from './data-folder.server.ts'

const STAGE = /^staged-[\da-f-]{36}$/

/** Locks all other processes out of a database on a server. The lock ends with its connection. Refuses while a process runs. */
export async function enterAlone(connectionString: string): Promise<() => Promise<void>> {
  const { Client } = await import('pg')
  const client = new Client({ connectionString, keepAlive: true })
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [PRESENCE_LOCK])
  if (rows[0]?.held) return () => client.end()
  await client.end()
  throw new OperatorError('Another process is using this database. Stop all that use it first.')
}

/** Moves the files of tables that are yet to be loaded to where the next start finds them. Returns the folder. */
export function stageRestore(dataDir: string, folder: string, stage: string): string {
  const staged = path.join(dataDir, `staged-${stage}`)
  syncTree(folder)
  renameSync(folder, staged)
  syncPath(dataDir)
  return staged
}

/** Records the stage in the database, in the transaction that loads its tables. */
export async function nameStage(trx: Trx, stage: string): Promise<void> {
  await sql`COMMENT ON TABLE installation IS ${sql.lit(stage)}`.execute(trx)
}

/** After an interrupted restore: applies its files and keys if its tables were committed, else deletes them. */
export async function settleStage(dataDir: string, database: Database): Promise<void> {
  const stages = existsSync(dataDir) ? readdirSync(dataDir).filter((name) => STAGE.test(name)) : []
  if (stages.length === 0) return
  await database.transaction().execute(async (trx) => {
    // While the lock is held exclusively, a restore is in progress, not interrupted.
    const rows = await queryRows(trx, { held: z.boolean() }, sql`SELECT pg_try_advisory_xact_lock_shared(${PRESENCE_LOCK}) AS held`)
    if (!rows[0]?.held) return
    const named = await namedStage(trx)
    for (const name of stages) {
      const staged = path.join(dataDir, name)
      if (name === `staged-${named}`) acceptStage(staged)
      else rmSync(staged, { recursive: true, force: true })
    }
  })
}

/** Moves the files and keys of a stage into place. */
export function acceptStage(staged: string) {
  rmSync(path.join(staged, 'tables'), { recursive: true, force: true })
  acceptRestore(path.dirname(staged), staged)
  finishRestore(path.dirname(staged))
}

async function namedStage(database: Trx): Promise<string | null | undefined> {
  const rows = await queryRows(database, { stage: z.nullable(z.string()) }, sql`SELECT obj_description('installation'::regclass) AS stage`)
  return rows[0]?.stage
}
