import type { PostFields } from './post-fields.ts'

/** Milliseconds without a key before a draft is sent, and the longest that it waits while someone goes on typing. */
export const TYPING_PAUSE = 2_000
export const LONGEST_WAIT = 5_000
/** Milliseconds after which a draft that could not be sent is sent again. */
export const RETRY_PAUSE = 10_000

/** `waiting`: typed, not sent yet. `failed`: sent again by and by. `elsewhere`: another has changed the draft, nothing is sent until someone decides. */
export type KeepState = { kind: 'idle' | 'waiting' | 'saving' | 'failed' | 'elsewhere' } | { kind: 'saved'; at: string }

type Kept = { version: number; updatedAt: string }

type Ways = {
  /** Sends the fields over a version of the draft, made upon one of the post; answers the version that the draft is now. */
  send: (fields: PostFields, over: number | undefined, upon: number | undefined) => Promise<Kept>
  /** Whether a failure says that the draft is another's now. */
  isTaken: (error: unknown) => boolean
  onState: (state: KeepState) => void
  /** Calls back after some milliseconds, unless what it answers is called. */
  later: (callback: () => void, ms: number) => () => void
  now: () => number
}

/** Keeps what is typed on the server: a while after the last key, one request after the other, and never over what another has written. */
export class DraftKeeper {
  readonly #ways: Ways
  /** Of the draft on the server, as far as it is known here. */
  version: number | undefined
  /** Of the post that the fields began from. */
  #upon: number | undefined
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
    this.#upon = version
  }

  type(fields: PostFields): void {
    if (!this.#pending) this.#typedAt = this.#ways.now()
    this.#pending = fields
    if (this.#isHeld) return
    if (!this.#sending) this.#ways.onState({ kind: 'waiting' })
    this.#wait(Math.min(TYPING_PAUSE, this.#typedAt + LONGEST_WAIT - this.#ways.now()))
  }

  /** Sends at once what is still waiting, and answers when nothing is under way. */
  async flush(): Promise<void> {
    this.#cancel()
    await this.#sending
    if (!this.#pending || this.#isHeld) return
    this.#sending = this.#send(this.#pending)
    await this.#sending
  }

  /** Sends nothing more until `resume`. Answers when nothing is under way. */
  async hold(): Promise<void> {
    this.#isHeld = true
    this.#cancel()
    await this.#sending
  }

  /** Goes on over a version of the draft. What was typed meanwhile is sent. */
  resume(version = this.version): void {
    this.version = version
    this.#isHeld = false
    if (this.#pending) this.#wait(0)
  }

  /** What was typed is no longer to be kept. */
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
      const kept = await this.#ways.send(fields, this.version, this.#upon)
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
