import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import viteConfig from './vite.config.ts'
import { opensDatabase } from './test/opens-database.ts'
import { inSharedWorkers } from './test/shared-workers.ts'

const withoutData = /\bembedded\b|^app\/(site\/(shell|services|case-studies|seo)|dev)\//

/**
 * The tests that open the database, once more, on PostgreSQL. What is about the embedded engine itself has no second engine, and the pages of these parts
 * are words and pictures that no database knows.
 */
const include = globSync('{app,db,test}/**/*.test.{ts,tsx}').filter(
  (file) => /\.postgres\.test/.test(file) || (!withoutData.test(file) && opensDatabase(readFileSync(file, 'utf8'))),
)

export default defineConfig({
  ...viteConfig,
  test: { ...inSharedWorkers, include, globalSetup: 'test/template-postgres.ts', setupFiles: 'test/isolate-postgres.ts' },
})
