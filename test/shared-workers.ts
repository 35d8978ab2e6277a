import { availableParallelism } from 'node:os'
import type { InlineConfig } from 'vitest/node'
import { useMemoryForTemporaryFiles } from './temporary-folder.ts'

useMemoryForTemporaryFiles()

/** The setup of all test files: a worker shares its loaded modules between files, because loading the product takes longer than most files. */
export const inSharedWorkers = {
  environment: 'node',
  pool: 'threads',
  isolate: false,
  // One more than there are processors, because some files wait: for a slow mail server, a process, or the next second.
  maxWorkers: availableParallelism() + 1,
  // Far above what any of them takes: only one that hangs should fail.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // Waits are usually short, but longer on a machine that is busy with other tests.
  expect: { poll: { timeout: 20_000 } },
} satisfies InlineConfig
