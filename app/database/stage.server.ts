import { sql } from 'kysely'
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Database, Trx } from '#app/platform/db.server.ts'
import { syncPath } from '#app/platform/durable-rename.server.ts'
import { OperatorError } from '#app/platform/operator-error.ts'
import { PRESENCE_LOCK } from '#app/platform/signals.server.ts'
import { acceptRestore, finishRestore, syncTree } from './data-folder.server.ts'

const STAGE = /^staged-[\da-f-]{36}$/

/** Keeps everybody else out of a database on a server until it is left again; the lock ends with its connection. Refuses where a process runs. */
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

/** Lays what belongs to tables that are yet to be loaded where a start would find it. Answers the folder. */
export function stageRestore(dataDir: string, folder: string, stage: string): string {
  const staged = path.join(dataDir, `staged-${stage}`)
  syncTree(folder)
  renameSync(folder, staged)
  syncPath(dataDir)
  return staged
}

/** Says in the database, as part of the transaction that loads the tables, which stage belongs to them. */
export async function nameStage(trx: Trx, stage: string): Promise<void> {
  await sql`COMMENT ON TABLE installation IS ${sql.lit(stage)}`.execute(trx)
}

/** After a restore that was cut off: its files and keys take their place when its tables have, else they go. */
export async function settleStage(dataDir: string, database: Database): Promise<void> {
  const stages = existsSync(dataDir) ? readdirSync(dataDir).filter((name) => STAGE.test(name)) : []
  if (stages.length === 0) return
  await database.transaction().execute(async (trx) => {
    // While it is held alone, a restore is not cut off but under way.
    const { rows } = await sql<{ held: boolean }>`SELECT pg_try_advisory_xact_lock_shared(${PRESENCE_LOCK}) AS held`.execute(trx)
    if (!rows[0]?.held) return
    const named = await namedStage(trx)
    for (const name of stages) {
      const staged = path.join(dataDir, name)
      if (name === `staged-${named}`) acceptStage(staged)
      else rmSync(staged, { recursive: true, force: true })
    }
  })
}

/** Puts the files and keys of a stage in their place. */
export function acceptStage(staged: string) {
  rmSync(path.join(staged, 'tables'), { recursive: true, force: true })
  acceptRestore(path.dirname(staged), staged)
  finishRestore(path.dirname(staged))
}

async function namedStage(database: Trx): Promise<string | null | undefined> {
  const { rows } = await sql<{ stage: string | null }>`SELECT obj_description('installation'::regclass) AS stage`.execute(database)
  return rows[0]?.stage
}
