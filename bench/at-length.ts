// Tests that take too long for `npm test`, and those that it runs in a short form, at full length: generated requests, hostile texts, two people at one address, kills.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'

const repeated = globSync('{app,db,scripts,test}/**/*.{test,e2e}.{ts,tsx}').filter(
  (file) => file.endsWith('.bench.test.ts') || /from '(#test|\.|\.\.)\/length\.ts'/.test(readFileSync(file, 'utf8')),
)
const inBrowser = repeated.filter((file) => file.endsWith('.e2e.ts'))
const onPostgres = repeated.filter((file) => file.endsWith('.postgres.test.ts'))
const embedded = repeated.filter((file) => !inBrowser.includes(file) && !onPostgres.includes(file))

const env = { ...process.env, TEST_LENGTH: 'full' }
const failed = [
  ['vitest', 'run', '--config', 'vitest.config.ts', ...embedded],
  ['vitest', 'run', '--config', 'vitest.postgres.config.ts', ...onPostgres],
  ['playwright', 'test', ...inBrowser],
].filter(([program = '', ...args]) => spawnSync(program, args, { stdio: 'inherit', env }).status !== 0)
process.exitCode = failed.length === 0 ? 0 : 1
