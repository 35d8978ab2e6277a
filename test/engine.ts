import { PGlite as Engine, type PGliteOptions } from '../node_modules/@electric-sql/pglite/dist/index.js'
import path from 'node:path'
import { type Connection, emptyDatabase, lookAtTemplate, type Template } from './empty-database.ts'

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
  #first: Template | undefined
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
    this.#first = await lookAtTemplate(this.#connection)
    globalThis.keptEngine = this
  }

  /** Each opening has its own file system and its own listener; the engine continues with its first. */
  takeUp(files: Files): PGlite {
    this.#isLeft = false
    Object.defineProperty(files, 'syncs', { get: () => this.#files?.syncs })
    Reflect.set(this.Module, LOOP, this.#loop)
    return this
  }

  /** Empties it and returns whether it equals the template: false as well after a test that left the engine open. */
  async empty(): Promise<boolean> {
    return this.#isLeft && this.#first !== undefined && emptyDatabase(this.#connection, this.#first)
  }

  /** Also after the product has closed it. */
  #connection: Connection = {
    run: (statements) => super.exec(statements),
    ask: async <Row>(statement: string, values?: unknown[]) => (await super.query<Row>(statement, values)).rows,
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
