import { Pace } from './pace.ts'

/** Delays in milliseconds before each retry; the last one repeats. */
const WAITS_MS = [1_000, 2_000, 5_000, 10_000, 30_000]

/** How much of a file has arrived. */
export type Arrived = { received: number }

export type Piece = { offset: number; data: Blob; signal: AbortSignal; onProgress: (bytes: number) => void }

/** The transport. Each method rejects with a `Setback`, or with an error that ends the upload. */
export type Carrier = {
  find: () => Promise<Arrived>
  send: (piece: Piece) => Promise<Arrived>
}

/** The connection failed, or the server has another offset: ask for it and resume. */
export class Setback extends Error {}

export type SendState =
  | { kind: 'sending'; perSecond: number | undefined }
  | { kind: 'paused' }
  /** The connection is lost; a retry is scheduled. */
  | { kind: 'waiting' }
  | { kind: 'arrived' }
  | { kind: 'failed'; error: Error }

export type SendProgress = { sent: number; bytes: number; state: SendState }

type Given = {
  file: Blob
  received: number
  /** Bytes per chunk: at most this much is sent again after a failure. */
  pieceBytes: number
  carrier: Carrier
  onProgress: (progress: SendProgress) => void
  now: () => number
  /** Schedules a callback; returns a function that cancels it. */
  later: (callback: () => void, ms: number) => () => void
}

/** Sends a file in chunks, in order, from the server's offset. It can pause, and resumes automatically when the connection returns. */
export class UploadSender {
  readonly #given: Given
  readonly #pace = new Pace()
  #sent: number
  #state: SendState = { kind: 'paused' }
  #abort: AbortController | undefined
  #callOff: (() => void) | undefined
  #tries = 0

  constructor(given: Given) {
    this.#given = given
    this.#sent = given.received
  }

  /** Starts or resumes; does nothing while it is running. */
  async go(): Promise<void> {
    if (this.#abort || this.#state.kind === 'arrived') return
    this.#callOff?.()
    const abort = new AbortController()
    this.#abort = abort
    this.#pace.forget()
    this.#tell({ kind: 'sending', perSecond: undefined })
    try {
      this.#sent = (await this.#given.carrier.find()).received
      while (this.#sent < this.#given.file.size && !abort.signal.aborted) await this.#sendPiece(abort.signal)
      if (!abort.signal.aborted) this.#tell({ kind: 'arrived' })
    } catch (error) {
      if (!abort.signal.aborted) this.#stumble(error)
    } finally {
      if (this.#abort === abort) this.#abort = undefined
    }
  }

  /** The unfinished part of the current chunk is sent again later. */
  pause(): void {
    if (this.#state.kind === 'arrived' || this.#state.kind === 'failed') return
    this.#halt()
    this.#tell({ kind: 'paused' })
  }

  /** Stops sending and reporting. */
  end(): void {
    this.#halt()
    this.#state = { kind: 'paused' }
  }

  async #sendPiece(signal: AbortSignal): Promise<void> {
    const { file, pieceBytes, carrier, now } = this.#given
    const offset = this.#sent
    const onProgress = (bytes: number) => {
      if (signal.aborted) return
      this.#pace.mark(now(), offset + bytes)
      this.#tell({ kind: 'sending', perSecond: this.#pace.perSecond() }, offset + bytes)
    }
    const { received } = await carrier.send({ offset, data: file.slice(offset, offset + pieceBytes), signal, onProgress })
    if (signal.aborted) return
    if (received <= offset) throw new Setback('Nothing of the piece has arrived.')
    this.#sent = received
    this.#tries = 0
    onProgress(0)
  }

  #stumble(error: unknown) {
    this.#abort = undefined
    if (!(error instanceof Setback)) {
      this.#tell({ kind: 'failed', error: error instanceof Error ? error : new Error('The upload has stopped.') })
      return
    }
    const wait = WAITS_MS[Math.min(this.#tries, WAITS_MS.length - 1)] ?? 0
    this.#tries += 1
    this.#tell({ kind: 'waiting' })
    this.#callOff = this.#given.later(() => void this.go(), wait)
  }

  #halt() {
    this.#callOff?.()
    this.#abort?.abort()
    this.#abort = undefined
  }

  #tell(state: SendState, sent = this.#sent) {
    this.#state = state
    this.#given.onProgress({ sent, bytes: this.#given.file.size, state })
  }
}
