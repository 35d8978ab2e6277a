import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Step, Tally } from './steps.ts'

const reports = mkdtempSync(path.join(tmpdir(), 'winnow-reports-'))

/** The other checks of code need them. Each test start briefly deletes and regenerates them. */
export const routeTypes: Step = { name: 'route types', commands: ['react-router typegen'] }

/** Ends before any test starts. */
export const types: Step = { name: 'types', commands: ['tsc --noEmit'] }

/** Static checks of the text of files; each uses one processor. */
export const textSteps: Step[] = [
  { name: 'format', commands: ['oxfmt --check .'] },
  { name: 'dead code', commands: ['knip --no-progress'] },
  { name: 'measures', commands: ['node scripts/measures.ts'] },
]

/** Beside tests it comes last in its lane: by then they have regenerated the route types. */
export const lint: Step = { name: 'lint', commands: ['oxlint --type-aware'] }

/** Most objects of a test die young: with a larger young generation, the engine collects garbage less often. */
const ROOMY = 'node --max-semi-space-size=64 node_modules/vitest/vitest.mjs'

/** The checks during development, which have to be fast. */
export const shortTests = vitest('tests, embedded database', 'vitest.config.ts', ` --exclude '**/*.long.test.*'`)
export const embeddedTests = vitest('tests, embedded database', 'vitest.config.ts')
export const postgresTests = vitest('tests, PostgreSQL', 'vitest.postgres.config.ts')

function vitest(name: string, config: string, more = ''): Step {
  const report = path.join(reports, `${config}.json`)
  return {
    name,
    commands: [`${ROOMY} run --config ${config} --reporter=default --reporter=json --outputFile.json=${report}${more}`],
    count: () => countVitest(report),
  }
}

/** A test file that fails to load contains no failed test, but counts as failed. */
function countVitest(report: string): Tally {
  const {
    numPassedTests: passed,
    numFailedTests: failed,
    numFailedTestSuites: suites,
    testResults: files = [],
  }: VitestReport = readJson(report)
  const failures = files
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults: tests }) => {
      const file = path.relative('.', name)
      const titles = tests.filter(({ status }) => status === 'failed').map(({ fullName }) => `${file}: ${fullName}`)
      return titles.length > 0 ? titles : [`${file} could not be loaded`]
    })
  return { passed, failed: failed || suites, ...(failures.length > 0 && { failures }) }
}

type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  numFailedTestSuites: number
  testResults?: { name: string; status: string; assertionResults: { fullName: string; status: string }[] }[]
}

export const browserTests: Step = {
  name: 'browser',
  commands: ['playwright test --reporter=list,json'],
  count: () => countPlaywright(path.join(reports, 'playwright.json')),
}
process.env.PLAYWRIGHT_JSON_OUTPUT_FILE = path.join(reports, 'playwright.json')

function countPlaywright(report: string): Tally {
  const { stats, suites: files = [] }: PlaywrightReport = readJson(report)
  const specs = files.flatMap(specsIn)
  const named = (chosen: PlaywrightSpec[]) => chosen.map(({ file, title }) => `${file}: ${title}`)
  const failures = named(specs.filter(({ ok }) => !ok))
  const secondTry = named(specs.filter(({ tests }) => tests.some(({ status }) => status === 'flaky')))
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    ...(failures.length > 0 && { failures }),
    ...(secondTry.length > 0 && { secondTry }),
  }
}

type PlaywrightSpec = { file: string; title: string; ok: boolean; tests: { status: string }[] }
type PlaywrightSuite = { specs?: PlaywrightSpec[]; suites?: PlaywrightSuite[] }
type PlaywrightReport = { stats: { expected: number; flaky: number; unexpected: number }; suites?: PlaywrightSuite[] }

function specsIn({ specs = [], suites = [] }: PlaywrightSuite): PlaywrightSpec[] {
  return [...specs, ...suites.flatMap(specsIn)]
}

function readJson(file: string) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
