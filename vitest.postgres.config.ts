import { defineConfig } from 'vitest/config'
import viteConfig from './vite.config.ts'
import { inSharedWorkers } from './test/shared-workers.ts'

/** On PostgreSQL: what only it can show, and, once more, the tests of SQL that two engines could read differently. */
export default defineConfig({
  ...viteConfig,
  test: {
    ...inSharedWorkers,
    include: ['{app,db,test}/**/*.{postgres,sql,sql.long}.test.{ts,tsx}'],
    globalSetup: 'test/template-postgres.ts',
    setupFiles: 'test/isolate-postgres.ts',
  },
})
