import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { BaseSequencer, type InlineConfig, type TestSpecification } from 'vitest/node'
import { needsOwnModules, startsProcesses } from './needs.ts'
import { useMemoryForTemporaryFiles } from './temporary-folder.ts'

useMemoryForTemporaryFiles()

/**
 * Files that begin with modules of their own come last, so that no other file has to load the product again after one of them. Of these, those that start
 * processes come first: they take longest, and one that began at the end would run alone.
 */
class SharedFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) => {
      const text = readFileSync(moduleId, 'utf8')
      if (!needsOwnModules(text)) return 0
      return startsProcesses(text) ? 1 : 2
    }
    const ranked = sorted.map((file) => ({ file, rank: rank(file) }))
    return ranked.toSorted((one, other) => one.rank - other.rank).map(({ file }) => file)
  }
}

/** The setup of all test files: a worker shares its loaded modules between files, because loading the product takes longer than most files. */
export const inSharedWorkers = {
  environment: 'node',
  pool: 'threads',
  isolate: false,
  sequence: { sequencer: SharedFirst },
  // One more than there are processors, because some files wait: for a slow mail server, a process, or the next second.
  maxWorkers: availableParallelism() + 1,
  // Far above what any of them takes: only one that hangs should fail.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // Waits are usually short, but longer on a machine that is busy with other tests.
  expect: { poll: { timeout: 20_000 } },
} satisfies InlineConfig
