import { PGlite as Engine, type PGliteOptions } from '../node_modules/@electric-sql/pglite/dist/index.js'
import path from 'node:path'

/** The interface of a worker's engine for its successive test files. */
export type KeptEngine = Pick<PGlite, 'folderName' | 'takeUp' | 'empty' | 'end'>

declare global {
  /** Some files reload their modules; the engine is not reloaded. */
  var keptEngine: KeptEngine | undefined
  /** The installation of the open engine. */
  var keepsEngineOf: string | undefined
}

export * from '../node_modules/@electric-sql/pglite/dist/index.js'

/** The parts of the product's file system that are used here. */
type Files = { rootDir: string; syncs: number }
type Written = { shape: string; bytes: number; seeded: unknown; stages: unknown; templates: unknown }

/** Deleted rows still take space in the files. Above this size, a new copy of the template is cheaper. */
const MOST_BYTES = 40_000_000

const LOOK = `
  SELECT md5(string_agg(oid::text || xmin::text, ',' ORDER BY oid)) AS shape, sum(pg_relation_size(oid))::float8 AS bytes,
    (SELECT jsonb_agg(installation) FROM installation) AS seeded, (SELECT jsonb_agg(lead_stages) FROM lead_stages) AS stages,
    (SELECT jsonb_agg(lead_templates) FROM lead_templates) AS templates
  FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i', 'v')`
const EMPTY = `
  ROLLBACK; RESET ALL; SET session_replication_role = replica;
  DO $$ DECLARE held regclass; BEGIN
    FOR held IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname !~ '^(kysely_|service_promises)'
    LOOP EXECUTE format('DELETE FROM %s', held); END LOOP;
  END $$;`
const SEED = 'INSERT INTO installation SELECT * FROM jsonb_populate_recordset(NULL::installation, $1)'
const SEED_STAGES = 'INSERT INTO lead_stages SELECT * FROM jsonb_populate_recordset(NULL::lead_stages, $1)'
const SEED_TEMPLATES = 'INSERT INTO lead_templates SELECT * FROM jsonb_populate_recordset(NULL::lead_templates, $1)'

/**
 * The embedded engine for tests. Opening one takes a third of a second, more than most files need. It therefore stays open when the product
 * closes it. The next file that opens the same folder gets it with only the template's rows (`test/isolate.ts`).
 */
export class PGlite extends Engine {
  /** Of its data, inside of the installation. */
  folderName = ''
  #isLeft = false
  #endings: (() => Promise<void>)[] = []
  #files: Files | undefined
  #first: Written | undefined
  #loop: unknown

  static async #open(options: PGliteOptions & { fs: Files }): Promise<PGlite> {
    const folder = path.resolve(options.fs.rootDir, '..')
    const kept = globalThis.keptEngine
    if (kept && folder === globalThis.keepsEngineOf) return kept.takeUp(options.fs)
    const engine = new PGlite(options)
    await engine.waitReady
    if (folder === globalThis.keepsEngineOf) await engine.#keep(options.fs)
    return engine
  }

  static {
    // Typed as its own, which opens in more ways than the product does.
    Object.defineProperty(this, 'create', { value: this.#open.bind(this) })
  }

  async #keep(files: Files) {
    this.#files = files
    this.folderName = path.basename(files.rootDir)
    this.#loop = Reflect.get(this.Module, LOOP)
    this.#first = (await this.query<Written>(LOOK)).rows[0]
    globalThis.keptEngine = this
  }

  /** Each opening has its own file system and its own listener; the engine continues with its first. */
  takeUp(files: Files): PGlite {
    this.#isLeft = false
    Object.defineProperty(files, 'syncs', { get: () => this.#files?.syncs })
    Reflect.set(this.Module, LOOP, this.#loop)
    return this
  }

  /** Empties it and returns whether it equals the template: false after a test that changed a table, left the engine open, or wrote very much. */
  async empty(): Promise<boolean> {
    if (!this.#isLeft || !this.#first) return false
    await super.exec(EMPTY)
    await super.query(SEED, [this.#first.seeded])
    await super.query(SEED_STAGES, [this.#first.stages])
    await super.query(SEED_TEMPLATES, [this.#first.templates])
    await super.exec('RESET ALL')
    const now = (await super.query<Written>(LOOK)).rows[0]
    return now?.shape === this.#first.shape && now.bytes < MOST_BYTES
  }

  async end() {
    globalThis.keptEngine = undefined
    if (!super.closed) await super.close()
  }

  override get closed() {
    return this.#isLeft || super.closed
  }

  override async listen(...call: Parameters<Engine['listen']>) {
    const end = await super.listen(...call)
    this.#endings.push(end)
    return end
  }

  override async close() {
    if (globalThis.keptEngine !== this) return super.close()
    const endings = this.#endings
    this.#endings = []
    for (const end of endings) await end()
    this.#isLeft = true
  }
}

const LOOP = '_PostgresMainLoopOnce'
