import type { InlineConfig } from 'vitest/node'
import { useMemoryForTemporaryFiles } from './temporary-folder.ts'

useMemoryForTemporaryFiles()

/** How all test files are run: a worker keeps what it has loaded for the files that come after, for loading the product takes longer than most files. */
export const inSharedWorkers = {
  environment: 'node',
  pool: 'threads',
  isolate: false,
  maxWorkers: '100%',
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // What is waited for comes at once, but on a machine that is busy with the other tests.
  expect: { poll: { timeout: 20_000 } },
} satisfies InlineConfig
