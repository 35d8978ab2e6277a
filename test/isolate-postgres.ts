import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import { afterAll, inject } from 'vitest'
import { useSettings } from './settings.ts'
import { databaseAt } from './template-postgres.ts'

// Runs before a test file imports anything of the product: each file is an installation of its own, with a database on PostgreSQL.
const folder = mkdtempSync(path.join(tmpdir(), 'winnow-test-'))
const name = `test_${randomUUID().replaceAll('-', '')}`
await onServer(`CREATE DATABASE ${name} TEMPLATE winnow_template`)
useSettings({ DATA_DIR: folder, DATABASE_URL: databaseAt(inject('postgres'), name) })

afterAll(async () => {
  await onServer(`DROP DATABASE ${name} WITH (FORCE)`)
  rmSync(folder, { recursive: true, force: true })
})

async function onServer(statement: string) {
  const client = new Client(inject('postgres'))
  await client.connect()
  await client.query(statement)
  await client.end()
}
