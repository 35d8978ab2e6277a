import type { DetailedError, Upload, UploadOptions } from 'tus-js-client'
import { ApiError, readProblem } from '#app/platform/browser/api.ts'
import { Pace } from '#app/ui/pace.ts'

/** Delays in milliseconds before each retry; the last one repeats. */
const WAITS_MS = [1_000, 2_000, 5_000, 10_000, 30_000]

export type SendState =
  | { kind: 'sending'; perSecond: number | undefined }
  | { kind: 'paused' }
  /** The connection is lost; a retry is scheduled. */
  | { kind: 'waiting' }
  | { kind: 'arrived' }
  | { kind: 'failed'; error: Error }

export type SendProgress = { sent: number; bytes: number; state: SendState }

type Given = {
  bytes: number
  /** Bytes per request: at most this much is sent again after a failure. */
  chunkBytes: number
  /** The URL of the upload, which exists already. */
  uploadUrl: string
  /** Prepares a client of the tus protocol. Rejects if it cannot be loaded. */
  open: (options: UploadOptions) => Promise<Pick<Upload, 'start' | 'abort'>>
  onProgress: (progress: SendProgress) => void
  now: () => number
  /** Schedules a callback; returns a function that cancels it. */
  later: (callback: () => void, ms: number) => () => void
}

/** Sends a file in chunks, from the server's offset. It can pause, and resumes automatically when the connection returns. */
export class UploadSender {
  readonly #given: Given
  readonly #pace = new Pace()
  #sent = 0
  #state: SendState = { kind: 'paused' }
  #abort: AbortController | undefined
  #callOff: (() => void) | undefined
  #tries = 0

  constructor(given: Given) {
    this.#given = given
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
      const upload = await this.#given.open(this.#options(abort.signal))
      if (abort.signal.aborted) return
      abort.signal.addEventListener('abort', () => void upload.abort())
      upload.start()
    } catch {
      if (!abort.signal.aborted) this.#stumble()
    }
  }

  /** The unfinished part of the current chunk may be sent again later. */
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

  /** Retries are ours, because they never end. Without `endpoint`, the client never begins a second upload. */
  #options(signal: AbortSignal): UploadOptions {
    const { uploadUrl, chunkBytes, now, bytes } = this.#given
    return {
      uploadUrl,
      chunkSize: chunkBytes,
      retryDelays: null,
      storeFingerprintForResuming: false,
      onProgress: (sent) => {
        // A request reports its progress even after the client has ended it.
        if (signal.aborted) return
        this.#pace.mark(now(), sent)
        this.#tell({ kind: 'sending', perSecond: this.#pace.perSecond() }, sent)
      },
      onChunkComplete: (_size, accepted) => {
        this.#sent = accepted
        this.#tries = 0
      },
      onSuccess: () => {
        this.#sent = bytes
        this.#tell({ kind: 'arrived' })
      },
      onError: (error) => this.#stumble(error),
    }
  }

  #stumble(given?: Error | DetailedError) {
    this.#abort = undefined
    const error = toFailure(given)
    if (error) {
      this.#tell({ kind: 'failed', error })
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
    this.#given.onProgress({ sent, bytes: this.#given.bytes, state })
  }
}

/** Responses to HEAD have no body, so no reason. */
const reasons: Record<number, string> = {
  401: 'Please sign in first.',
  403: 'Your account may not do this.',
  404: 'There is no such upload.',
  410: 'This upload has expired. Start over.',
}

/** The refusal that ends an upload; undefined for a lost connection, a busy server or another offset, after which it resumes. */
function toFailure(error: Error | DetailedError | undefined): ApiError | undefined {
  const response = error && 'originalResponse' in error ? error.originalResponse : undefined
  if (!response) return undefined
  const status = response.getStatus()
  if (status >= 500 || [408, 409, 423, 429].includes(status)) return undefined
  const text = response.getBody()
  const reason = reasons[status]
  return new ApiError(
    status,
    text,
    readProblem(text) ?? (reason ? { type: 'about:blank', title: reason, status, detail: reason, message: reason } : undefined),
  )
}
