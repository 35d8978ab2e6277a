import { threadId } from 'node:worker_threads'
import { Client } from 'pg'
import { inject } from 'vitest'
import { makeInstallation } from './installation.ts'
import { useSettings } from './settings.ts'
import { databaseAt } from './template-postgres.ts'

// Runs before a test file imports anything of the product: each file is an installation of its own, with a database on PostgreSQL.
const name = `test_${threadId}`
const client = new Client(inject('postgres'))
await client.connect()
await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
await client.query(`CREATE DATABASE ${name} TEMPLATE winnow_template`)
await client.end()
useSettings({ DATA_DIR: makeInstallation(), DATABASE_URL: databaseAt(inject('postgres'), name) })
// Only now: a file that has modules of its own begins with new ones.
const { makePasswordsCheap } = await import('./password-cost.ts')
makePasswordsCheap()
