import type { PostFields } from './post-fields.ts'

/** Milliseconds without a key before a draft is sent, and the longest delay during continuous typing. */
export const TYPING_PAUSE = 2_000
export const LONGEST_WAIT = 5_000
/** Milliseconds before a failed request is repeated. */
export const RETRY_PAUSE = 10_000

/**
 * `waiting`: typed, not sent yet. `failed`: retried until it succeeds. `elsewhere`: someone else changed the draft; saving is paused until
 * the writer decides.
 */
export type DraftSaveState = { kind: 'idle' | 'waiting' | 'saving' | 'failed' | 'elsewhere' } | { kind: 'saved'; at: string }

type Kept = { version: number; updatedAt: string }

type Ways = {
  /** Sends the fields over version `over` of the draft, based on version `baseVersion` of the post. Returns the new version of the draft. */
  send: (fields: PostFields, over: number | undefined, baseVersion: number | undefined) => Promise<Kept>
  /** Whether a failure means that someone else changed the draft. */
  isTaken: (error: unknown) => boolean
  onState: (state: DraftSaveState) => void
  /** Calls back after some milliseconds, unless the returned function is called. */
  later: (callback: () => void, ms: number) => () => void
  now: () => number
}

/** Saves the draft on the server: debounced, one request at a time, and never over someone else's changes. */
export class DraftSaver {
  readonly #ways: Ways
  /** The last known version of the draft on the server. */
  version: number | undefined
  /** The version of the post that the fields are based on. */
  #baseVersion: number | undefined
  #pending: PostFields | undefined
  #typedAt = 0
  #sending: Promise<void> | undefined
  #cancel = () => undefined as void
  #isHeld = false

  constructor(ways: Ways, version?: number) {
    this.#ways = ways
    this.version = version
  }

  get isHeld() {
    return this.#isHeld
  }

  buildUpon(version: number | undefined): void {
    this.#baseVersion = version
  }

  type(fields: PostFields): void {
    if (!this.#pending) this.#typedAt = this.#ways.now()
    this.#pending = fields
    if (this.#isHeld) return
    if (!this.#sending) this.#ways.onState({ kind: 'waiting' })
    this.#wait(Math.min(TYPING_PAUSE, this.#typedAt + LONGEST_WAIT - this.#ways.now()))
  }

  /** Sends pending changes now. Resolves when no request is pending. */
  async flush(): Promise<void> {
    this.#cancel()
    await this.#sending
    if (!this.#pending || this.#isHeld) return
    this.#sending = this.#send(this.#pending)
    await this.#sending
  }

  /** Pauses until `resume`. Resolves when no request is pending. */
  async hold(): Promise<void> {
    this.#isHeld = true
    this.#cancel()
    await this.#sending
  }

  /** Continues from a version of the draft, and sends what was typed during the pause. */
  resume(version = this.version): void {
    this.version = version
    this.#isHeld = false
    if (this.#pending) this.#wait(0)
  }

  /** Drops pending changes. */
  forget(): void {
    this.#pending = undefined
    this.#cancel()
    this.#ways.onState({ kind: 'idle' })
  }

  #wait(ms: number): void {
    this.#cancel()
    this.#cancel = this.#ways.later(() => void this.flush(), Math.max(0, ms))
  }

  async #send(fields: PostFields): Promise<void> {
    this.#pending = undefined
    this.#ways.onState({ kind: 'saving' })
    try {
      const kept = await this.#ways.send(fields, this.version, this.#baseVersion)
      this.version = kept.version
      this.#ways.onState(this.#pending ? { kind: 'waiting' } : { kind: 'saved', at: kept.updatedAt })
    } catch (error) {
      this.#pending ??= fields
      this.#fail(error)
    }
    this.#sending = undefined
  }

  #fail(error: unknown): void {
    if (this.#ways.isTaken(error)) {
      this.#isHeld = true
      this.#cancel()
      return this.#ways.onState({ kind: 'elsewhere' })
    }
    this.#ways.onState({ kind: 'failed' })
    if (!this.#isHeld) this.#wait(RETRY_PAUSE)
  }
}
