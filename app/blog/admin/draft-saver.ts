import type { PostDraft } from '#app/blog/posts/draft.ts'
import type { PostFields } from './post-fields.ts'

/** Milliseconds without a key before a draft is sent, and the longest delay during continuous typing. */
export const TYPING_PAUSE = 2_000
export const LONGEST_WAIT = 5_000
/** Milliseconds before a failed request is repeated. */
export const RETRY_PAUSE = 10_000

/**
 * `waiting`: typed, not sent yet. `failed`: retried until it succeeds. `refused`: the server does not take this text, for the `reason`.
 * `elsewhere`: someone else changed the draft, to `theirs` where a refused save has shown it; saving is paused until the writer decides.
 */
export type DraftSaveState =
  | { kind: 'idle' | 'waiting' | 'saving' }
  | { kind: 'elsewhere'; theirs?: PostDraft }
  | { kind: 'saved'; at: string }
  | { kind: 'failed'; isOffline: boolean }
  | { kind: 'refused'; reason: string }

/**
 * The meaning of a failure. `adopt`: the draft has this version now and holds nothing unseen, so the request is repeated over it. `taken`:
 * someone else changed the draft, to `theirs` if the response holds it.
 */
export type DraftVerdict =
  | { kind: 'adopt'; version: number | undefined }
  | { kind: 'taken'; theirs?: PostDraft }
  | Extract<DraftSaveState, { kind: 'failed' | 'refused' }>

type Kept = { version: number; updatedAt: string }

type Ways = {
  /** Sends the fields over version `over` of the draft, based on version `baseVersion` of the post. Returns the new version of the draft. */
  send: (fields: PostFields, over: number | undefined, baseVersion: number | undefined) => Promise<Kept>
  /** Judges a failure. `tried` are the fields of requests that may have arrived although they failed. */
  judge: (error: unknown, tried: readonly PostFields[]) => DraftVerdict
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
  #tried: PostFields[] = []
  #typedAt = 0
  #sending: Promise<void> | undefined
  #cancel = () => undefined as void
  #isHeld = false

  constructor(ways: Ways, version?: number) {
    this.#ways = ways
    this.version = version
  }

  /** Whether some changes are not on the server. */
  get hasPending() {
    return this.#pending !== undefined
  }

  get isHeld() {
    return this.#isHeld
  }

  /** Whether a request is under way, so that the version on the server may be newer than `version`. */
  get isSending() {
    return this.#sending !== undefined
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
    if (this.#pending && !this.#isHeld) this.#sending = this.#send(this.#pending)
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
      this.#tried = []
      this.#ways.onState(this.#pending ? { kind: 'waiting' } : { kind: 'saved', at: kept.updatedAt })
    } catch (error) {
      this.#pending ??= fields
      this.#fail(this.#ways.judge(error, this.#tried))
      // The last ones are enough: only the newest of them can be on the server.
      this.#tried = [...this.#tried.slice(-20), fields]
    }
    this.#sending = undefined
  }

  #fail(verdict: DraftVerdict): void {
    if (verdict.kind === 'adopt') {
      this.version = verdict.version
      if (!this.#isHeld) this.#wait(0)
      return
    }
    if (verdict.kind === 'taken') {
      this.#isHeld = true
      this.#cancel()
      return this.#ways.onState({ ...verdict, kind: 'elsewhere' })
    }
    this.#ways.onState(verdict)
    // Only another text, or another moment, can change a refusal.
    if (!this.#isHeld && verdict.kind === 'failed') this.#wait(RETRY_PAUSE)
  }
}
