import { threadId } from 'node:worker_threads'
import { Client } from 'pg'
import { expect, inject } from 'vitest'
import { type Connection, emptyDatabase, lookAtTemplate, type Template } from './empty-database.ts'
import { makeInstallation, testText } from './installation.ts'
import { needsOwnEngine } from './needs.ts'
import { useSettings } from './settings.ts'
import { databaseAt } from './template-postgres.ts'

declare global {
  /** The database of the previous file of this worker, if the next one may have it. */
  var keptDatabase: Template | undefined
}

// Runs before a test file imports anything of the product: each file is an installation of its own, with a database on PostgreSQL. Copying a
// database takes longer than emptying one.
const name = `test_${threadId}`
const url = databaseAt(inject('postgres'), name)
/** Other processes, and tests of the server itself, may leave more behind than rows. */
const isAlone = needsOwnEngine(testText()) || (expect.getState().testPath ?? '').includes('.postgres.')
const kept = globalThis.keptDatabase
globalThis.keptDatabase = undefined
const template = kept && !isAlone && (await within(url, (connection) => emptyIfLeft(connection, kept))) ? kept : await copyTemplate()
if (!isAlone) globalThis.keptDatabase = template
useSettings({ DATA_DIR: makeInstallation(), DATABASE_URL: url })
// Only now: a file that has modules of its own begins with new ones.
const { makePasswordsCheap } = await import('./password-cost.ts')
makePasswordsCheap()

async function copyTemplate() {
  await within(inject('postgres'), async ({ run }) => {
    await run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await run(`CREATE DATABASE ${name} TEMPLATE winnow_template`)
  })
  return within(url, lookAtTemplate)
}

/** A file that left a connection open may still write. */
async function emptyIfLeft(connection: Connection, first: Template): Promise<boolean> {
  const others = 'SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()'
  for (let tries = 0; (await connection.ask(others)).length > 0; tries += 1) if (tries === 20) return false
  return emptyDatabase(connection, first)
}

async function within<T>(address: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const client = new Client(address)
  await client.connect()
  try {
    return await work({
      run: (statements) => client.query(statements),
      ask: async (statement, values) => (await client.query(statement, values)).rows,
    })
  } finally {
    await client.end()
  }
}
