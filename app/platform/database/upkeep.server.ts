import type { PGlite } from '@electric-sql/pglite'
import { log } from '#app/platform/process/log.server.ts'

const CHECKPOINT_MS = 5 * 60_000
const CHECKPOINT_WRITES = 50_000
const VACUUM_MS = 60 * 60_000

/** Runs checkpoints and vacuum, because the engine has no background processes. A short journal makes a start quick. */
export class Upkeep {
  #engine: Pick<PGlite, 'exec' | 'query'>
  #writes = 0
  #writesToVacuum = 0
  #timers: NodeJS.Timeout[]
  #holds = 0

  constructor(engine: Pick<PGlite, 'exec' | 'query'>) {
    this.#engine = engine
    this.#timers = [
      setInterval(() => this.#begin(this.checkpoint()), CHECKPOINT_MS),
      setInterval(() => this.#begin(this.vacuum()), VACUUM_MS),
    ]
    for (const timer of this.#timers) timer.unref()
  }

  /** Counts written rows. */
  noteWrites(rows: number) {
    this.#writes += rows
    this.#writesToVacuum += rows
    if (this.#writes >= CHECKPOINT_WRITES) this.#begin(this.checkpoint())
  }

  /** Blocks new checkpoints until the returned function is called. One may be in progress. */
  holdCheckpoints(): () => void {
    this.#holds += 1
    return () => {
      this.#holds -= 1
    }
  }

  async checkpoint() {
    if (this.#writes === 0 || this.#holds > 0) return
    this.#writes = 0
    await this.#engine.exec('CHECKPOINT')
  }

  /** Table by table, because it blocks everything else. */
  async vacuum() {
    if (this.#writesToVacuum === 0) return
    this.#writesToVacuum = 0
    const { rows } = await this.#engine.query<{ name: string }>(
      `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
    )
    for (const { name } of rows) await this.#engine.exec(`VACUUM (ANALYZE) ${name}`)
  }

  end() {
    for (const timer of this.#timers) clearInterval(timer)
  }

  #begin(work: Promise<void>) {
    work.catch((error: unknown) => log.warn({ err: error }, 'the embedded database could not be kept up'))
  }
}
