// 50 generated requests to every operation of the API description, by five kinds of callers: server errors and undeclared responses.
import { spawnSync } from 'node:child_process'

const test = ['run', '--config', 'vitest.config.ts', 'test/api-fuzz.long.test.ts']
const { status } = spawnSync('vitest', test, { stdio: 'inherit', env: { FUZZ_CASES: '50', ...process.env } })
process.exitCode = status ?? 1
