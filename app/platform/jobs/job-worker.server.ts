import { setTimeout as sleep } from 'node:timers/promises'
import { db } from '#app/platform/database/db.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import { isDiskFull } from '#app/platform/files/disk-room.server.ts'
import { env } from '#app/platform/env.server.ts'
import { type ClaimedJob, claimJobs, type Outcome, releaseJobs, renewJobs, settleJobs } from './job-queue.server.ts'
import {
  announceFailedJobs,
  ATTEMPTS,
  enqueue,
  JobFailure,
  jobKinds,
  type JobPeriod,
  type JobQueue,
  jobQueues,
  onNewJobs,
} from '#app/platform/jobs.server.ts'
import { describeError, log } from '#app/platform/process/log.server.ts'
import { inSpan, traceBug } from '#app/platform/process/tracing.server.ts'
import { onSignal, tellWorkers } from '#app/platform/database/signals.server.ts'

const POLL_MS = 1000
/** Long enough to gather a burst of new jobs for one query, too short to be noticed. */
const GATHER_MS = 25
/** The shortest interval between two calls to other processes. */
const CALL_MS = 250
const RENEW_MS = 20_000
const DRAIN_MS = 5000
const FIRST_RETRY_SECONDS = 15
const LONGEST_RETRY_SECONDS = 4 * 60 * 60

const queueNames = ['work', 'mail', 'newsletter', 'webhooks'] as const satisfies JobQueue[]

let worker: Worker | undefined

/** Starts the worker. The database must be open. */
export function startJobs(): void {
  worker ??= new Worker()
}

/** Claims nothing new, gives running jobs a few seconds, and hands back the unfinished ones. */
export async function stopJobs(drainMs = DRAIN_MS): Promise<void> {
  await worker?.end(drainMs)
  worker = undefined
}

class Worker {
  #held = new Map<string, ClaimedJob>()
  #running = new Set<Promise<void>>()
  #outcomes: Outcome[] = []
  #writing: Promise<void> | undefined
  #endRest = () => {}
  #news = false
  #ending = new AbortController()
  #asked = new Map<string, string>()
  #over = false
  #called = 0
  #renewal = setInterval(() => this.#renew(), RENEW_MS).unref()
  #deaf = onSignal('jobs', () => this.#wake())
  #loop = this.#work()

  constructor() {
    onNewJobs(() => this.#wake())
  }

  async end(drainMs: number) {
    onNewJobs(tellWorkers)
    this.#deaf()
    this.#ending.abort()
    this.#wake()
    await this.#loop
    await Promise.race([Promise.allSettled(this.#running), sleep(drainMs, undefined, { ref: false })])
    clearInterval(this.#renewal)
    this.#over = true
    const unfinished = [...this.#held.values()].map(({ id, attempts }) => ({ id, attempts, outcome: 'cutOff' as const }))
    if (unfinished.length > 0) await settleJobs(unfinished)
    this.#held.clear()
  }

  #wake() {
    this.#news = true
    this.#endRest()
  }

  async #work() {
    if (!env.DATABASE_URL)
      await releaseJobs().catch((error: unknown) => log.warn({ err: error }, 'leases of the last process could not be ended'))
    while (!this.#ending.signal.aborted) {
      this.#news = false
      const full = await this.#take().catch((error: unknown) => {
        log.warn({ err: error }, 'jobs cannot be claimed now')
        return false
      })
      if (full) this.#callOthers()
      if (!this.#news) await this.#rest()
      if (!full) await sleep(GATHER_MS)
    }
  }

  /** There are more jobs than this process can hold: on PostgreSQL there may be other processes. */
  #callOthers() {
    if (!env.DATABASE_URL || performance.now() - this.#called < CALL_MS) return
    this.#called = performance.now()
    tellWorkers()
  }

  async #rest() {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, POLL_MS).unref()
    this.#endRest = resolve
    await promise
    clearTimeout(timer)
  }

  /** Starts as many due jobs as there is room for. Returns whether more may be due. */
  async #take(): Promise<boolean> {
    await this.#askForRecurring()
    const queues = queueNames.map((queue) => ({ queue, kinds: shuffled(wanted(queue)), room: this.#roomIn(queue) }))
    const open = queues.filter(({ kinds, room }) => kinds.length > 0 && room > 0)
    const jobs = open.length > 0 ? await claimJobs(open) : []
    for (const job of jobs) {
      this.#held.set(job.id, job)
      const run = this.#run(job).finally(() => this.#running.delete(run))
      this.#running.add(run)
    }
    const claimed = (name: JobQueue) => jobs.filter(({ kind }) => queueOf(kind) === name).length
    return queues.some(({ queue, room }) => room === claimed(queue))
  }

  #roomIn(queue: JobQueue): number {
    return jobQueues[queue] - [...this.#held.values()].filter(({ kind }) => queueOf(kind) === queue).length
  }

  async #run(job: ClaimedJob) {
    this.#outcomes.push(await inSpan(`job ${job.kind}`, { 'winnow.job': job.id }, () => attempt(job, this.#ending.signal)))
    await (this.#writing ??= this.#write())
    const wasFull = this.#roomIn(queueOf(job.kind)) === 0
    this.#held.delete(job.id)
    if (wasFull) this.#wake()
  }

  /** Results that arrive during a write go with the next statement: under load, one write serves many. */
  async #write() {
    while (this.#outcomes.length > 0 && !this.#over) {
      const batch = this.#outcomes.splice(0)
      try {
        await settleJobs(batch)
        const failed = batch.filter(({ outcome }) => outcome === 'failed').flatMap(({ id }) => this.#held.get(id)?.kind ?? [])
        if (failed.length > 0)
          announceFailedJobs(new Set(failed)).catch((error: unknown) => log.warn({ err: error }, 'a failed job was not announced'))
      } catch (error) {
        log.warn({ err: error, jobs: batch.length }, 'outcomes of jobs cannot be written now')
        this.#outcomes.unshift(...batch)
        await sleep(POLL_MS)
      }
    }
    this.#writing = undefined
  }

  #renew() {
    if (this.#held.size === 0) return
    renewJobs([...this.#held.values()]).catch((error: unknown) => log.warn({ err: error }, 'leases of jobs cannot be renewed now'))
  }

  async #askForRecurring() {
    const now = new Date().toISOString()
    for (const [kind, { every }] of jobKinds()) {
      if (!every) continue
      const dedupeKey = `${kind}:${periodAt(now, every)}`
      if (this.#asked.get(kind) === dedupeKey) continue
      await enqueue(db, { kind, payload: null, dedupeKey })
      this.#asked.set(kind, dedupeKey)
    }
  }
}

/** Names the day, the hour, the quarter of an hour or the minute (UTC) of an ISO time. */
function periodAt(iso: string, every: JobPeriod): string {
  if (every === 'minute') return iso.slice(0, 16)
  if (every !== 'quarter') return iso.slice(0, every === 'day' ? 10 : 13)
  return `${iso.slice(0, 13)}:${Math.floor(Number(iso.slice(14, 16)) / 15)}`
}

function wanted(queue: JobQueue): string[] {
  return [...jobKinds()].filter(([, kind]) => !kind.waits && kind.queue === queue).map(([name]) => name)
}

function queueOf(kind: string): JobQueue {
  return jobKinds().get(kind)?.queue ?? 'work'
}

async function attempt({ id, kind, payload, attempts, maxAttempts }: ClaimedJob, signal: AbortSignal): Promise<Outcome> {
  const job = jobKinds().get(kind)
  if (attempts > maxAttempts) return { id, attempts, outcome: 'failed', error: 'Each attempt was cut off.' }
  try {
    return { id, attempts, outcome: 'done', payload: await job?.run(payload, { id, attempt: attempts, signal }) }
  } catch (error) {
    if (signal.aborted) return { id, attempts, outcome: 'cutOff' }
    const known = error instanceof JobFailure
    const reason = known ? error.message : nameOf(error)
    const final = (known && error.permanent) || attempts >= maxAttempts
    log.warn({ job: id, kind, attempt: attempts, reason, final, ...(known ? {} : { err: error }) }, 'a job failed')
    if (!known) traceBug(describeError(error))
    if (final) return { id, attempts, outcome: 'failed', error: reason }
    return { id, attempts, outcome: 'again', error: reason, seconds: secondsUntilRetry(attempts - (maxAttempts - ATTEMPTS)) }
  }
}

/** The message of a third-party error may hold anything, so only its name and code are stored. */
function nameOf(error: unknown): string {
  if (isDiskFull(error)) return 'The disk is full.'
  if (error instanceof Stop) return `Refused: ${error.extra.code ?? error.kind}`
  if (!(error instanceof Error)) return 'Unknown error'
  return 'code' in error ? `${error.name} ${String(error.code)}` : error.name
}

/** Doubles with each failure, with jitter, so that jobs that failed together do not retry together. */
function secondsUntilRetry(failures: number): number {
  return Math.min(FIRST_RETRY_SECONDS * 2 ** (failures - 1), LONGEST_RETRY_SECONDS) * (0.75 + Math.random() / 2)
}

/** Shuffled, so that no kind is always served first. */
function shuffled<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item)
}
