import { setTimeout as sleep } from 'node:timers/promises'
import type { Lock, RequestRelease } from '@tus/server'
import { sql } from 'kysely'
import { z } from 'zod'
import { onSignal, signal } from '#app/platform/database/signals.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { queryRows, secondsFromNow } from '#app/platform/database/sql.server.ts'
import { env } from '#app/platform/env.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { stop } from '#app/platform/errors/stop.ts'

/** A killed process loses its uploads after this time. */
export const LEASE_SECONDS = 10
const RENEW_MS = 3_000
/** Longer than the lease, so that the first request after a kill succeeds. */
const WAIT_MS = 15_000
const RETRY_MS = 250

const RELEASE = 'datasets.upload.release'

/** Locks of this process. */
const held = new Set<string>()

/** The exclusive right of one request, in any process, to an upload. */
export class UploadLock implements Lock {
  readonly #id: string
  readonly #ownerId: string
  readonly #claim: string
  #end: (() => void) | undefined

  /** Writes to the row need the claim in it. */
  constructor(id: string, ownerId: string, claim: string) {
    this.#id = id
    this.#ownerId = ownerId
    this.#claim = claim
  }

  /** Asks another holder to stop, and waits. The bytes that the holder received stay. */
  async lock(aborted: AbortSignal, release: RequestRelease): Promise<void> {
    held.add(this.#claim)
    try {
      await this.#wait(aborted)
    } catch (error) {
      held.delete(this.#claim)
      throw error
    }
    const renewal = setInterval(() => void this.#renew(), RENEW_MS)
    const deafen = onSignal(RELEASE, (id) => id === this.#id && void release())
    this.#end = () => {
      clearInterval(renewal)
      deafen()
    }
  }

  async unlock(): Promise<void> {
    this.#end?.()
    held.delete(this.#claim)
    await this.#set({ claimedBy: null, claimedUntil: null })
  }

  async #wait(aborted: AbortSignal): Promise<void> {
    const until = Date.now() + WAIT_MS
    while (!(await this.#take())) {
      if (aborted.aborted || Date.now() > until)
        stop('locked', 'Another request is writing to this upload. Try again in a moment.', { retryAfter: 1 })
      await signal(RELEASE, this.#id)
      await sleep(RETRY_MS)
    }
  }

  /** True as well if there is no such upload yet. */
  async #take(): Promise<boolean> {
    const rows = await queryRows(
      db,
      { taken: z.boolean() },
      sql`
      WITH found AS (SELECT id FROM dataset_uploads WHERE id = ${this.#id} AND created_by = ${this.#ownerId}),
      taken AS (
        UPDATE dataset_uploads SET claimed_by = ${this.#claim}, claimed_until = ${inSeconds(LEASE_SECONDS)}
        WHERE id IN (SELECT id FROM found) AND (claimed_until IS NULL OR claimed_until < now() ${this.#isDead()})
        RETURNING id
      )
      SELECT NOT EXISTS (SELECT FROM found) OR EXISTS (SELECT FROM taken) AS taken`,
    )
    return rows[0]?.taken === true
  }

  /** The embedded database has one process, so a claim of another one is dead. */
  #isDead() {
    return env.DATABASE_URL ? sql`` : sql`OR NOT (claimed_by = ANY (${[...held]}::uuid[]))`
  }

  async #renew() {
    try {
      await this.#set({ claimedUntil: inSeconds(LEASE_SECONDS) })
    } catch (error) {
      log.warn({ error }, 'the lock of an upload was not renewed')
    }
  }

  async #set(columns: { claimedBy?: null; claimedUntil: null | ReturnType<typeof inSeconds> }) {
    await db.updateTable('datasetUploads').set(columns).where('id', '=', this.#id).where('claimedBy', '=', this.#claim).execute()
  }
}

/** The end of a new claim. */
function inSeconds(seconds: number) {
  return secondsFromNow(seconds)
}
