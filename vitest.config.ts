import { defineConfig } from 'vitest/config'
import viteConfig from './vite.config.ts'
import { isFullLength } from './test/length.ts'
import { hasRules } from './test/en16931.ts'
import { hasMoto } from './test/moto.ts'
import { inSharedWorkers } from './test/shared-workers.ts'

/** Everything that needs no browser, on the embedded database. */
export default defineConfig({
  ...viteConfig,
  test: {
    ...inSharedWorkers,
    include: ['{app,db,scripts,test}/**/*.test.{ts,tsx}'],
    // What only PostgreSQL can show is run by the configuration for it.
    exclude: [
      '**/*.postgres.test.ts',
      ...(isFullLength ? [] : ['**/*.bench.test.ts']),
      ...(hasMoto() ? [] : ['**/moto.long.test.ts']),
      ...(hasRules() ? [] : ['**/en16931.bench.test.ts']),
    ],
    globalSetup: 'test/template.ts',
    setupFiles: 'test/isolate.ts',
  },
})
