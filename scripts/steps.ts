import { spawn } from 'node:child_process'

/** One check: its command lines, in order. */
export type Step = {
  name: string
  commands: string[]
  /** The count from the tool's own report; without a report, the step counts as one check. */
  count?: () => Tally
}

export type Tally = {
  passed: number
  failed: number
  /** The passed tests that had failed once. */
  secondTry?: string[]
  /** The tests that failed, as far as the report names them. */
  failures?: string[]
}

type Result = Step & Tally & { seconds: number; output: string; ok: boolean }

/**
 * Runs stages one after the other. A stage is lanes of steps in parallel, each lane in its order. Prints the output of failed steps, then a table,
 * and the sum as the last line. Returns whether everything passed.
 */
export async function runSteps(...stages: Step[][][]): Promise<boolean> {
  const results: Result[] = []
  for (const lanes of stages) results.push(...(await Promise.all(lanes.map(runLane))).flat())
  for (const { name, output } of results.filter(({ ok }) => !ok)) write(`\n── ${name} ${'─'.repeat(70 - name.length)}\n${output}\n`)
  printTable(results)
  const sum = (key: 'passed' | 'failed') => results.reduce((all, result) => all + result[key], 0)
  write(`${sum('passed')} passed, ${sum('failed')} failed\n`)
  return results.every(({ ok }) => ok)
}

async function runLane(steps: Step[]): Promise<Result[]> {
  const results: Result[] = []
  for (const step of steps) {
    const result = await runStep(step)
    write(`${result.ok ? '✓' : '✗'} ${step.name} (${result.seconds} s)\n`)
    // Also here, so that they are known even if a later step is interrupted.
    writeNames(result)
    results.push(result)
  }
  return results
}

async function runStep(step: Step): Promise<Result> {
  const begun = performance.now()
  let output = ''
  let code = 0
  for (const command of step.commands) {
    if (code === 0) code = await run(command, (text) => (output += text))
  }
  const seconds = Math.round((performance.now() - begun) / 100) / 10
  return { ...step, ...tallyOf(step, code === 0), seconds, output }
}

/** A runner that fails without a failed test, or without a report, counts as failed. */
function tallyOf(step: Step, exitedWell: boolean): Tally & { ok: boolean } {
  const asOne: Tally = { passed: exitedWell ? 1 : 0, failed: exitedWell ? 0 : 1 }
  const { passed, failed, ...more } = readCount(step) ?? asOne
  const ok = exitedWell && failed === 0
  return { passed, failed: ok ? 0 : Math.max(1, failed), ...more, ok }
}

function readCount({ count }: Step): Tally | undefined {
  try {
    return count?.()
  } catch {
    return { passed: 0, failed: 1 }
  }
}

/** The time for output that is still on its way, in milliseconds. */
const LAST_OUTPUT = 1000

/** Ends with its command, also when a process that it left behind still holds the output open. */
function run(command: string, listen: (text: string) => void): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
    const streams = [child.stdout, child.stderr]
    for (const stream of streams) stream.setEncoding('utf8').on('data', listen)
    const end = (code: number | null) => {
      for (const stream of streams) stream.destroy()
      resolve(code ?? 1)
    }
    child.on('close', end)
    child.on('exit', (code) => setTimeout(end, LAST_OUTPUT, code))
  })
}

function printTable(results: Result[]) {
  const width = Math.max(...results.map(({ name }) => name.length))
  write('\n')
  for (const result of results) {
    const { name, passed, failed, seconds, ok } = result
    write(`${ok ? '✓' : '✗'} ${name.padEnd(width)}  ${cell(passed)} passed  ${cell(failed)} failed  ${cell(seconds.toFixed(1))} s\n`)
    writeNames(result)
  }
  write('\n')
}

function writeNames({ failures = [], secondTry = [] }: Tally) {
  for (const name of failures) write(`    ✗ ${name}\n`)
  for (const name of secondTry) write(`    passed at the second try: ${name}\n`)
}

function cell(value: number | string): string {
  return String(value).padStart(6)
}

function write(text: string) {
  process.stdout.write(text)
}
