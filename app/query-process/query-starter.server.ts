import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * A small process between the server and those in which questions are answered. To start a process, the system copies the tables of the memory of the one
 * that asks for it: some 10 ms of the server, in which it does nothing else. It ends with the server, and then ends what it has started.
 */

/** What it is started with: the command and folder of a process for one question, the limits of each, and how long one that was started beforehand waits. */
export type Orders = {
  program: string
  rest: string[]
  cwd: string
  /** Milliseconds until it has to be ready; of its own work; of all of it from then on; and unused. */
  ms: { start: number; work: number; longest: number; unused: number }
  /** The program that sets how the system treats a process, where there is one. */
  chrt?: string
  /** Of what it says. */
  bytes: number
}

/** One more question, with what its process reads; or that nobody waits for it any more. */
export type Order = { id: number; input?: string }

/** Everything that a process has said until it ended, and how it ended. */
export type Output = { id: number; said: Buffer; ready: boolean; late: boolean; end: string }

/** Milliseconds of its own work after which a question is one that costs much. */
const CHEAP = 250
/** Milliseconds between two looks at how long it has worked, and of one tick of Linux. */
const [SHORTEST, TICK] = [100, 10]

const { program, rest, cwd, ms, chrt, bytes }: Orders = JSON.parse(process.argv[2] ?? '')
/** What ends each. */
const running = new Map<number, () => void>()

process.on('message', ({ id, input }: Order) => {
  if (input === undefined) running.get(id)?.()
  else void answer(id, input)
})
process.on('disconnect', () => {
  for (const end of running.values()) end()
  spare?.kill('SIGKILL')
  process.exit(0)
})

async function answer(id: number, input: string) {
  const child = take()
  const killed = Promise.withResolvers<string>()
  // Nobody waits for its death: the system leaves a process with its rank for that, and while a machine is busy the lowest one takes long.
  const kill = () => {
    child.kill('SIGKILL')
    killed.resolve('SIGKILL')
  }
  running.set(id, kill)
  const output = await outputOf(child, input, { kill, killed: killed.promise })
  running.delete(id)
  process.send?.({ id, ...output } satisfies Output)
  keepSpare()
}

/** Started beforehand while questions are asked, because a start takes longer than most answers. It is used once, like all others. */
let spare: ChildProcessWithoutNullStreams | undefined
let unused: NodeJS.Timeout | undefined

function take(): ChildProcessWithoutNullStreams {
  const child = spare ?? start()
  spare = undefined
  clearTimeout(unused)
  return child
}

function keepSpare() {
  if (spare) return
  const child = start()
  spare = child
  unused = setTimeout(() => child.kill('SIGKILL'), ms.unused)
  child.once('exit', () => {
    if (spare === child) spare = undefined
  })
}

/** It knows nothing of ours: no settings, no open files. */
function start(): ChildProcessWithoutNullStreams {
  const child = spawn(program, rest, { cwd, env: {}, stdio: ['pipe', 'pipe', 'pipe'] })
  child.stderr.resume()
  // It may end before it has read: that is told by its end. One that cannot be started tells it to whoever uses it.
  child.stdin.on('error', () => undefined)
  child.on('error', () => undefined)
  return child
}

async function outputOf(
  child: ChildProcessWithoutNullStreams,
  input: string,
  { kill, killed }: { kill: () => void; killed: Promise<string> },
): Promise<Omit<Output, 'id'>> {
  const pieces: Buffer[] = []
  const output = { ready: false, late: false, bytes: 0 }
  const begun = { at: performance.now(), work: 0, isDear: false }
  const look = () => {
    const passed = performance.now() - begun.at
    const work = workOf(child, passed) - begun.work
    if (!output.ready || work >= ms.work || passed >= ms.longest) {
      output.late = true
      kill()
      return
    }
    if (work >= CHEAP && !begun.isDear) {
      begun.isDear = true
      yieldAlways(child)
    }
    const left = Math.min((begun.isDear ? ms.work : CHEAP) - work, ms.longest - passed)
    timer = setTimeout(look, Math.max(SHORTEST, left))
  }
  let timer = setTimeout(look, ms.start)
  child.stdout.on('data', (piece: Buffer) => {
    pieces.push(piece)
    output.bytes += piece.length
    if (output.bytes > bytes) kill()
    if (output.ready) return
    output.ready = true
    Object.assign(begun, { at: performance.now(), work: workOf(child, 0) })
    clearTimeout(timer)
    timer = setTimeout(look, CHEAP)
    child.stdin.end(input)
  })
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, name) => resolve(name ?? String(code)))
  })
  const end = await Promise.race([killed, ended])
  clearTimeout(timer)
  return { said: Buffer.concat(pieces), ready: output.ready, late: output.late, end }
}

/**
 * From now on it has only what nobody else wants of the processors, and whoever wakes has them at once: a process that is merely nice keeps one for some
 * milliseconds. Not from its start, for it would never begin while a machine is busy.
 */
function yieldAlways({ pid }: ChildProcessWithoutNullStreams) {
  if (chrt) spawn(chrt, ['-a', '-i', '-p', '0', String(pid)], { stdio: 'ignore' }).on('error', () => undefined)
}

/** Milliseconds of processor time that a process has had; where the system does not tell, something else. */
function workOf({ pid }: ChildProcessWithoutNullStreams, otherwise: number): number {
  try {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13) ?? []
    const work = (Number(user) + Number(system)) * TICK
    return Number.isNaN(work) ? otherwise : work
  } catch {
    return otherwise
  }
}
