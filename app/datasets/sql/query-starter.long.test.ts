import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import type { StarterCommand, StarterCommands, Output } from './query-starter.server.ts'

/** Linux's constant. */
const SCHED_IDLE = 5
const BUSY = 'echo ready; while :; do :; done'
const MS = { start: 30_000, work: 30_000, longest: 30_000, unused: 30_000 }
const begun: ChildProcess[] = []
// If killed, they would leave their child processes behind.
afterEach(() => {
  for (const child of begun.splice(0)) if (child.connected) child.disconnect()
})

/** Starts shells in place of query processes. */
function startStarter(
  script: string,
  { ms = {}, ...orders }: { ms?: Partial<StarterCommands['ms']>; chrt?: string; program?: string } = {},
) {
  const all: StarterCommands = { program: '/bin/sh', rest: ['-c', script], cwd: '/', bytes: 1000, ...orders, ms: { ...MS, ...ms } }
  const child = spawn(process.execPath, [fileURLToPath(new URL('query-starter.server.ts', import.meta.url)), JSON.stringify(all)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
  begun.push(child)
  return child
}

const tell = (child: ChildProcess, order: StarterCommand) => child.send(order)

async function outputOf(child: ChildProcess): Promise<Output> {
  const [output] = await once(child, 'message')
  return output
}

/** The child processes of a starter. */
const childrenOf = async ({ pid }: ChildProcess) =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean).map(Number)

/** The scheduling policy of a process; undefined once it has ended. */
async function policyOf(pid: number) {
  const told = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return told && Number(told.slice(told.lastIndexOf(')') + 2).split(' ')[38])
}

describe('happy', () => {
  test('each question has a process of its own, which reads it and says its answer', async () => {
    const starter = startStarter('echo ready; read line; echo "$$ $line"')
    tell(starter, { id: 7, input: 'first\n' })
    const first = await outputOf(starter)
    expect(first).toMatchObject({ id: 7, ready: true, late: false, end: '0' })
    expect(first.said.toString()).toMatch(/^ready\n\d+ first\n$/)
    tell(starter, { id: 8, input: 'second\n' })
    const second = await outputOf(starter)
    expect(second.said.toString()).toMatch(/ second\n$/)
    expect(second.said.toString().split(' ')[0]).not.toBe(first.said.toString().split(' ')[0])
  })

  test('one that costs much has only what nobody else wants of the processors, and ends when whoever asks the starter is gone', async () => {
    const starter = startStarter(BUSY, { chrt: '/usr/bin/chrt' })
    tell(starter, { id: 1, input: '' })
    await expect.poll(() => childrenOf(starter)).toHaveLength(1)
    const [pid = 0] = await childrenOf(starter)
    await expect.poll(() => policyOf(pid)).toBe(SCHED_IDLE)
    starter.disconnect()
    await once(starter, 'exit')
    await expect.poll(() => policyOf(pid)).toBe('')
  })

  test('a question that nobody waits for any more is ended', async () => {
    const starter = startStarter(BUSY)
    tell(starter, { id: 1, input: '' })
    await expect.poll(() => childrenOf(starter)).toHaveLength(1)
    tell(starter, { id: 1 })
    expect(await outputOf(starter)).toMatchObject({ id: 1, end: 'SIGKILL', late: false })
  })
})

describe('error', () => {
  test.each([
    ['works longer than it may', BUSY, { ms: { work: 400 } }, { ready: true, late: true, end: 'SIGKILL' }],
    ['is not ready in time', 'exec sleep 60', { ms: { start: 300 } }, { ready: false, late: true, end: 'SIGKILL' }],
    ['sleeps longer than it may', 'echo ready; exec sleep 60', { ms: { longest: 400 } }, { ready: true, late: true, end: 'SIGKILL' }],
    ['says more than it may', 'echo ready; exec yes', {}, { ready: true, late: false, end: 'SIGKILL' }],
    ['ends before it has read', 'exit 3', {}, { ready: false, late: false, end: '3' }],
  ])('a process that %s', async (_, script, orders, told) => {
    const starter = startStarter(script, orders)
    tell(starter, { id: 1, input: 'x'.repeat(1_000_000) })
    expect(await outputOf(starter)).toMatchObject(told)
  })

  test('a program that is not there', async () => {
    const gone = startStarter('', { program: '/no/such' })
    tell(gone, { id: 1, input: '' })
    expect(await outputOf(gone)).toMatchObject({ ready: false, late: false, end: expect.stringContaining('ENOENT') })
  })
})
