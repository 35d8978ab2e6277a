import { numberText } from '#app/platform/text/english-number.ts'

/** The state of a long command. Without `total`, the work of the phase cannot be counted; without `unit`, it is a share of 1. */
export type CommandProgress = { phase: string; done?: number | undefined; total?: number | undefined; unit?: string | undefined }
export type ProgressReport = (progress: CommandProgress) => void

/** The output that a person watches. */
export type ProgressStream = { isTTY?: boolean; columns?: number; write: (text: string) => unknown }

/** The rate covers the last seconds only, so that it follows a change of pace. */
const WINDOW_MS = 10_000
/** Below this, an estimate would jump. */
const LEAST_MS = 1000
const REDRAW_MS = 100
const TICK_MS = 1000
const CLEAR_LINE = '\r\u001B[2K'
/** Some terminals do not tell their width, or say 0. */
const DEFAULT_COLUMNS = 80

/** Starts a counted phase. Returns a function that adds finished work. */
export function countPhase(report: ProgressReport, given: { phase: string; total: number; unit: string }): (count: number) => void {
  let done = 0
  report({ ...given, done })
  return (count) => {
    done += count
    report({ ...given, done })
  }
}

/** Estimates the seconds left in a phase, from the work done over the last seconds. */
export function estimateTimeLeft(): (at: { ms: number; done: number; total: number }) => number | undefined {
  let samples: { ms: number; done: number }[] = []
  return ({ ms, done, total }) => {
    samples = [...samples.filter((sample) => ms - sample.ms <= WINDOW_MS), { ms, done }]
    const first = samples[0]
    if (!first || ms - first.ms < LEAST_MS || done <= first.done) return undefined
    const perMs = (done - first.done) / (ms - first.ms)
    return Math.max(0, total - done) / perMs / 1000
  }
}

/**
 * Shows progress to a person: a terminal gets one line that is rewritten in place, everything else one line per phase.
 * `end` clears the line and stops the redraw.
 */
export function showProgress(out: ProgressStream, now: () => number = () => performance.now()) {
  return out.isTTY ? showOnTerminal(out, now) : showInLog(out)
}

function showInLog(out: ProgressStream) {
  let shown: string | undefined
  const report: ProgressReport = ({ phase }) => {
    if (phase !== shown) out.write(`${phase} …\n`)
    shown = phase
  }
  return { report, end: () => undefined }
}

function showOnTerminal(out: ProgressStream, now: () => number) {
  let current: CommandProgress | undefined
  let begun = 0
  let drawn = -Infinity
  let estimate = estimateTimeLeft()
  const draw = () => {
    if (!current) return
    drawn = now()
    const { done, total } = current
    const left = done === undefined || total === undefined ? undefined : estimate({ ms: drawn, done, total })
    const line = lineOf(current, { left, elapsed: (drawn - begun) / 1000 })
    out.write(`${CLEAR_LINE}${line.slice(0, (out.columns || DEFAULT_COLUMNS) - 1)}`)
  }
  const timer = setInterval(draw, TICK_MS).unref()
  const report: ProgressReport = (progress) => {
    const isNew = progress.phase !== current?.phase
    current = progress
    if (isNew) [begun, estimate] = [now(), estimateTimeLeft()]
    if (isNew || now() - drawn >= REDRAW_MS) draw()
  }
  const end = () => {
    clearInterval(timer)
    if (current) out.write(CLEAR_LINE)
    current = undefined
  }
  return { report, end }
}

/** For example `Loading rows: 45%, 450,000 of 1,000,000 rows, 12 s left`. */
function lineOf({ phase, done, total, unit }: CommandProgress, { left, elapsed }: { left: number | undefined; elapsed: number }): string {
  if (done === undefined || total === undefined) return `${phase} … ${durationOf(elapsed)}`
  const percent = total > 0 ? Math.floor(Math.min(1, done / total) * 100) : 100
  const counts = unit === undefined ? '' : `, ${amountOf(done, unit)} of ${amountOf(total, unit)}${unit === 'bytes' ? '' : ` ${unit}`}`
  return `${phase}: ${percent}%${counts}${left === undefined ? '' : `, ${durationOf(left)} left`}`
}

function amountOf(count: number, unit: string): string {
  if (unit !== 'bytes') return numberText(count)
  return count < 1e9 ? `${(count / 1e6).toFixed(1)} MB` : `${(count / 1e9).toFixed(2)} GB`
}

function durationOf(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
