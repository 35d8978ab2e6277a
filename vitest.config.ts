import { defineConfig } from 'vitest/config'
import viteConfig from './vite.config.ts'
import { useMemoryForTemporaryFiles } from './test/temporary-folder.ts'

useMemoryForTemporaryFiles()

/** Everything that needs no browser, on the embedded database. */
export default defineConfig({
  ...viteConfig,
  test: {
    include: ['{app,db,scripts,test}/**/*.test.{ts,tsx}'],
    // What only PostgreSQL can show is run by the configuration for it.
    exclude: ['**/*.postgres.test.ts'],
    environment: 'node',
    pool: 'threads',
    maxWorkers: '100%',
    globalSetup: 'test/template.ts',
    setupFiles: 'test/isolate.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
