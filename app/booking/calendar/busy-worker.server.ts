// A thread has no origin to name.
/* oxlint-disable unicorn/require-post-message-target-origin */
import { parentPort, workerData } from 'node:worker_threads'
import { BrokenCalendar } from './broken-calendar.ts'
import { type BusyRange, type BusyTimes, busyTimesOf } from './busy-times.ts'

/** The data of the thread. Events whose UID ends with `ownUids` are calls of our own. */
export type BusyWork = {
  text: string
  range: BusyRange
  ownUids: string
  /** The places of series that took too long, which are not read. */
  skip?: number[]
  /** Shared: the place of the series that is read at the moment. */
  place?: Int32Array
}

/** The message of the thread: its only one, after which it is ended. */
export type BusyReply = { read: BusyTimes } | { broken: string }

// Reads one calendar of a stranger in a thread of its own, which can be ended at any time.
const given: BusyWork = workerData
parentPort?.postMessage(replyTo(given))

function replyTo({ text, range, ownUids, skip, place }: BusyWork): BusyReply {
  try {
    const onSeries = (at: number) => place && Atomics.store(place, 0, at)
    return { read: busyTimesOf(text, range, { isOurs: (uid) => uid.endsWith(ownUids), skip, onSeries }) }
  } catch (error) {
    if (!(error instanceof BrokenCalendar)) throw error
    return { broken: error.message }
  }
}
