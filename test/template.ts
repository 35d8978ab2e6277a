import { createHash } from 'node:crypto'
import { constants, cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { threadId } from 'node:worker_threads'
import type { TestProject } from 'vitest/node'
import { withSettings } from './settings.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** An embedded database with every migration, to be copied by each test file. */
    template: string
  }
}

/** No key file is left in the template's folder. */
export const TEMPLATE_KEY = 'the template has no key file of its own'.replaceAll(' ', '-')

const CACHE = path.resolve('node_modules/.cache/winnow')

/** Once for all test files: a newly migrated installation, reused by later runs until a migration changes. */
export default async function makeTemplate(project: TestProject) {
  const template = path.join(CACHE, `template-${fingerprint()}`)
  if (!existsSync(template)) await make(template)
  project.provide('template', template)
  return removeFolders
}

/** The folder for the installations of the calling worker's test files. */
export function workerFolder(): string {
  return path.join(tmpdir(), `winnow-test-${process.pid}-${threadId}`)
}

export function removeFolders() {
  for (const folder of globSync(path.join(tmpdir(), `winnow-test-${process.pid}-*`))) rmSync(folder, { recursive: true, force: true })
}

function fingerprint(): string {
  const hash = createHash('sha256')
  for (const file of [
    ...globSync('db/migrations/*.sql').toSorted(),
    'app/platform/database/embedded.server.ts',
    'test/template.ts',
    'package-lock.json',
  ]) {
    hash.update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 16)
}

async function make(template: string) {
  mkdirSync(CACHE, { recursive: true })
  const aside = mkdtempSync(path.join(CACHE, 'making-'))
  await withSettings({ DATA_DIR: aside, MASTER_KEY: TEMPLATE_KEY }, migrate)
  // Two unused databases, which are half of the size of each copy.
  for (const unused of globSync('pg*/base/{1,4}', { cwd: aside })) rmSync(path.join(aside, unused), { recursive: true })
  for (const old of globSync('template-*', { cwd: CACHE })) rmSync(path.join(CACHE, old), { recursive: true, force: true })
  renameSync(aside, template)
}

/** Reads the current settings. The template has no keys: each installation creates its own. */
export async function migrate() {
  const { closeDatabase, openDatabase } = await import('#app/platform/database/open.server.ts')
  await openDatabase()
  const { db } = await import('#app/platform/database/db.server.ts')
  await db.deleteFrom('secrets').execute()
  await closeDatabase()
}

export function copyTemplate(template: string, folder = mkdtempSync(path.join(tmpdir(), 'winnow-test-'))): string {
  cpSync(template, folder, { recursive: true, mode: constants.COPYFILE_FICLONE })
  return folder
}
