import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * A small process between the server and the query processes. Forking copies the page tables of the parent, which would block the server
 * for about 10 ms. It ends with the server, and kills its children then.
 */

/** Its start parameters: the command and folder of a query process, the limits of each, and how long a spare process stays. */
export type StarterCommands = {
  program: string
  rest: string[]
  cwd: string
  /** Milliseconds until it must be ready; of CPU time; of total time from then on; and unused. */
  ms: { start: number; work: number; longest: number; unused: number }
  /** The program that sets the scheduling policy, where there is one. */
  chrt?: string
  /** Of its output. */
  bytes: number
}

/** Another query with its input, or the cancellation of one. */
export type StarterCommand = { id: number; input?: string }

/** Everything that a process wrote until it ended, and how it ended. */
export type Output = { id: number; said: Buffer; ready: boolean; late: boolean; end: string }

/** Milliseconds of CPU time after which a query counts as expensive. */
const CHEAP = 250
/** Milliseconds between two checks of its CPU time, and of one Linux tick. */
const [SHORTEST, TICK] = [100, 10]

const { program, rest, cwd, ms, chrt, bytes }: StarterCommands = JSON.parse(process.argv[2] ?? '')
/** The function that ends each process. */
const running = new Map<number, () => void>()

process.on('message', ({ id, input }: StarterCommand) => {
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
  // The result does not wait for the exit: a killed process keeps its low priority, so its exit takes long on a busy machine.
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

/** A spare process, started in advance because a start takes longer than most queries. It is used once, like all others. */
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

/** It inherits no settings and no open files. */
function start(): ChildProcessWithoutNullStreams {
  const child = spawn(program, rest, { cwd, env: {}, stdio: ['pipe', 'pipe', 'pipe'] })
  child.stderr.resume()
  // It may exit before it reads its input; its exit handler reports that. A failed start is reported to its user.
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
 * From now on it gets only idle CPU time and is preempted immediately; with a mere `nice`, it keeps a processor for some milliseconds.
 * The policy is not set from its start, because then it would never start on a busy machine.
 */
function yieldAlways({ pid }: ChildProcessWithoutNullStreams) {
  if (chrt) spawn(chrt, ['-a', '-i', '-p', '0', String(pid)], { stdio: 'ignore' }).on('error', () => undefined)
}

/** The CPU time of a process in milliseconds, or a fallback where the system does not report it. */
function workOf({ pid }: ChildProcessWithoutNullStreams, otherwise: number): number {
  try {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13) ?? []
    const work = (Number(user) + Number(system)) * TICK
    return Number.isNaN(work) ? otherwise : work
  } catch {
    return otherwise
  }
}
