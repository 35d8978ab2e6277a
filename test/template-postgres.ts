import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'
import { withSettings } from './settings.ts'
import { migrate, removeFolders, TEMPLATE_KEY } from './template.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A PostgreSQL server that holds `winnow_template`: every migration, to be copied by each test file. */
    postgres: string
  }
}

/** Once for all test files. */
export default async function makeTemplate(project: TestProject) {
  const postgres = await startPostgres()
  const client = new Client(postgres.url)
  await client.connect()
  await client.query('CREATE DATABASE winnow_template')
  await client.end()
  await withSettings({ DATABASE_URL: databaseAt(postgres.url, 'winnow_template'), MASTER_KEY: TEMPLATE_KEY }, migrate)
  project.provide('postgres', postgres.url)
  return () => {
    removeFolders()
    postgres.stop()
  }
}

export function databaseAt(server: string, name: string): string {
  return Object.assign(new URL(server), { pathname: `/${name}` }).href
}
