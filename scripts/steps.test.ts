import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { browserTests, embeddedTests } from './checks.ts'
import { runSteps, type Step } from './steps.ts'

afterEach(() => vi.restoreAllMocks())

/** The terminal's output, and whether all steps passed. */
async function runAndRead(...stages: Step[][][]) {
  let shown = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    shown += String(text)
    return true
  })
  const ok = await runSteps(...stages)
  vi.restoreAllMocks()
  const lines = shown.trimEnd().split('\n')
  return { ok, shown, lastLine: lines.at(-1), rowOf: (name: string) => lines.findLast((line) => line.includes(name)) ?? '' }
}

const step = (name: string, command: string, count?: Step['count']): Step => ({ name, commands: [command], ...(count && { count }) })
const noReport = () => {
  throw new Error('There is no such file.')
}

test('the last line sums the counts of all runners; a step without a count is one check', async () => {
  const { ok, lastLine } = await runAndRead(
    [[step('types', 'true')]],
    [[step('tests', 'true', () => ({ passed: 40, failed: 0 }))], [step('browser', 'true', () => ({ passed: 2, failed: 0 }))]],
  )
  expect([ok, lastLine]).toEqual([true, '43 passed, 0 failed'])
})

test('a failure is counted with its output; a passed step prints one line', async () => {
  const tests = step('tests', 'echo two and two are five; exit 1', () => ({ passed: 7, failed: 3 }))
  const { ok, shown, lastLine } = await runAndRead([[step('types', 'echo all is well')]], [[tests]])
  expect([ok, lastLine]).toEqual([false, '8 passed, 3 failed'])
  expect(shown).toContain('two and two are five')
  expect(shown).not.toContain('all is well')
})

test.each([
  ['that counted no failed test', step('tests', 'exit 134', () => ({ passed: 12, failed: 0 })), '12 passed, 1 failed'],
  ['that left no report', step('tests', 'exit 134', noReport), '0 passed, 1 failed'],
  ['that was not even found', step('tests', 'no-such-program-anywhere'), '0 passed, 1 failed'],
])('a runner %s, but ended badly, has failed', async (_which, crashed, sum) => {
  const { ok, lastLine } = await runAndRead([[crashed]])
  expect([ok, lastLine]).toEqual([false, sum])
})

test('a runner without a report, or with a failure in its report, has failed', async () => {
  expect(await runAndRead([[step('tests', 'true', noReport)]])).toMatchObject({ ok: false, lastLine: '0 passed, 1 failed' })
  const claimsWell = step('tests', 'true', () => ({ passed: 5, failed: 1 }))
  expect(await runAndRead([[claimsWell]])).toMatchObject({ ok: false, lastLine: '5 passed, 1 failed' })
})

test('tests that failed, or needed a second try, are named below the row of their step at the end', async () => {
  const tests = step('tests', 'exit 1', () => ({ passed: 1, failed: 1, failures: ['x.test.ts: a sum'] }))
  const browser = step('browser', 'true', () => ({ passed: 9, failed: 0, secondTry: ['leads.e2e.ts: a card moves'] }))
  const { shown } = await runAndRead([[tests, browser]])
  expect(shown.trimEnd().split('\n').slice(-6)).toEqual([
    expect.stringContaining('✗ tests'),
    '    ✗ x.test.ts: a sum',
    expect.stringContaining('✓ browser'),
    '    passed at the second try: leads.e2e.ts: a card moves',
    '',
    '10 passed, 1 failed',
  ])
})

test('after a command that fails, the rest of its step is left out, and the next step still runs', async () => {
  const { shown } = await runAndRead([[{ name: 'two parts', commands: ['exit 1', 'echo never'] }, step('next', 'echo ran; exit 1')]])
  expect(shown).not.toContain('never')
  expect(shown).toContain('ran\n')
})

test('a stage has ended before the next begins, and its lanes run side by side', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'winnow-steps-'))
  const file = (name: string) => path.join(folder, name)
  /** Ends once the other lane has begun. */
  const meet = (name: string, other: string) => step(name, `touch ${file(name)}; until [ -f ${file(other)} ]; do sleep 0.05; done`)
  const look = (name: string) => step(name, `[ -f ${file('types')} ] && [ -f ${file('format')} ] && [ -f ${file('done')} ]`)
  const { ok } = await runAndRead(
    [[meet('types', 'format'), step('lint', `sleep 0.3; touch ${file('done')}`)], [meet('format', 'types')]],
    [[look('tests')], [look('browser')]],
  )
  rmSync(folder, { recursive: true })
  expect(ok).toBe(true)
})

async function timed(one: Step) {
  const begun = performance.now()
  const { ok } = await runAndRead([[one]])
  return { ok, seconds: (performance.now() - begun) / 1000 }
}

const [, vitestReport = ''] = /--outputFile\.json=(\S+)/.exec(embeddedTests.commands[0] ?? '') ?? []
const playwrightReport = process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ?? ''

test('a test file that cannot be loaded counts, though no test of it has failed', () => {
  writeFileSync(vitestReport, JSON.stringify({ numPassedTests: 10, numFailedTests: 0, numFailedTestSuites: 2 }))
  expect(embeddedTests.count?.()).toEqual({ passed: 10, failed: 2 })
  writeFileSync(vitestReport, JSON.stringify({ numPassedTests: 10, numFailedTests: 4, numFailedTestSuites: 2 }))
  expect(embeddedTests.count?.()).toEqual({ passed: 10, failed: 4 })
})

test('a step that left a process behind ends with its command', async () => {
  const { ok, seconds } = await timed(step('browser', 'sleep 30 & echo 1 passed'))
  expect(ok).toBe(true)
  expect(seconds).toBeLessThan(20)
})

test('failed tests are named at the end of their step', () => {
  const failed = { name: path.resolve('app/x.test.ts'), status: 'failed', assertionResults: [{ fullName: 'a sum', status: 'failed' }] }
  const broken = { name: path.resolve('app/y.test.ts'), status: 'failed', assertionResults: [] }
  writeFileSync(
    vitestReport,
    JSON.stringify({ numPassedTests: 1, numFailedTests: 1, numFailedTestSuites: 2, testResults: [failed, broken] }),
  )
  expect(embeddedTests.count?.().failures).toEqual(['app/x.test.ts: a sum', 'app/y.test.ts could not be loaded'])
  const spec = { file: 'leads.e2e.ts', title: 'a card moves', ok: false, tests: [{ status: 'unexpected' }] }
  writeFileSync(
    playwrightReport,
    JSON.stringify({ stats: { expected: 1, flaky: 0, unexpected: 1 }, suites: [{ suites: [{ specs: [spec, { ...spec, ok: true }] }] }] }),
  )
  expect(browserTests.count?.().failures).toEqual(['leads.e2e.ts: a card moves'])
})

test('a browser test that passed at the second try has passed', () => {
  const spec = { file: 'leads.e2e.ts', title: 'a card moves', ok: true, tests: [{ status: 'flaky' }] }
  writeFileSync(
    playwrightReport,
    JSON.stringify({
      stats: { expected: 5, flaky: 1, unexpected: 0 },
      suites: [{ specs: [spec, { ...spec, tests: [{ status: 'expected' }] }] }],
    }),
  )
  expect(browserTests.count?.()).toEqual({ passed: 6, failed: 0, secondTry: ['leads.e2e.ts: a card moves'] })
})
