import { Pace } from './pace.ts'

/** Milliseconds before each further try after the line broke; then the last one again and again. */
const WAITS_MS = [1_000, 2_000, 5_000, 10_000, 30_000]

/** How far a file has arrived. */
export type Arrived = { received: number }

export type Piece = { offset: number; data: Blob; signal: AbortSignal; onProgress: (bytes: number) => void }

/** The way to the server. Each rejects with a `Setback` or with an error that ends it. */
export type Carrier = {
  find: () => Promise<Arrived>
  send: (piece: Piece) => Promise<Arrived>
}

/** The line broke, or the server is somewhere else in the file: asked again, it goes on. */
export class Setback extends Error {}

export type SendState =
  | { kind: 'sending'; perSecond: number | undefined }
  | { kind: 'paused' }
  /** The line is broken, and it is tried again in a while. */
  | { kind: 'waiting' }
  | { kind: 'arrived' }
  | { kind: 'failed'; error: Error }

export type Progress = { sent: number; bytes: number; state: SendState }

type Given = {
  file: Blob
  received: number
  /** Bytes of a piece: what is sent again at most when the line breaks. */
  pieceBytes: number
  carrier: Carrier
  onProgress: (progress: Progress) => void
  now: () => number
  /** Calls back later; answers what calls that off. */
  later: (callback: () => void, ms: number) => () => void
}

/** Sends a file in pieces, one after the other, from where the server stands. It can pause, and goes on by itself when the line comes back. */
export class Sender {
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

  /** Begins, or goes on; while it is on its way already, nothing. */
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

  /** What has not arrived whole of the piece on its way is sent again later. */
  pause(): void {
    if (this.#state.kind === 'arrived' || this.#state.kind === 'failed') return
    this.#halt()
    this.#tell({ kind: 'paused' })
  }

  /** Nothing is sent or told any more. */
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
