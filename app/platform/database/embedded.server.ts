import { PGlite, type PGliteInterface, type Results } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { citext } from '@electric-sql/pglite/contrib/citext'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { existsSync, fsyncSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { finishRestore, lockFolder, MAJOR, makeFolder, syncTree } from './data-folder.server.ts'
import { copyFiles } from './copy-files.server.ts'
import { clearRestore } from './temporary-folder.server.ts'
import type { CopyInto } from './db.server.ts'
import { isDeath } from './database-error.ts'
import { diskFullSentence, hasRoomForJournal, isDiskFull } from '#app/platform/files/disk-room.server.ts'
import { syncPath } from '#app/platform/files/durable-rename.server.ts'
import { OperatorError } from '#app/platform/errors/operator-error.ts'
import { propertyOf } from '#app/platform/errors/property.ts'
import { Upkeep } from './upkeep.server.ts'

/** A checkpoint in progress can spoil the first copy. */
const MOST_COPIES = 3

type Options = ConstructorParameters<typeof PGlite>[0] & object
type FileOperations = { fsync: (stream: { nfd: number }) => void }
type NodeOperations = { setattr: (node: object, attributes: { mode?: number }) => void }

/** The part of the engine that the query layer uses. */
export type Embedded = Pick<
  PGliteInterface,
  'query' | 'exec' | 'transaction' | 'close' | 'closed' | 'ready' | 'waitReady' | 'listen' | 'refreshArrayTypes'
> & {
  copyInto: CopyInto
}

/** `durable: false` is for a database that is discarded, or synced as a whole before use. `isMade`: the caller has made the folder. */
export type OpenOptions = { durable?: boolean; isMade?: boolean }

/** PGlite's own file system never calls fsync, and leaves files readable for others. This one counts, so that the start can prove its hooks. */
class DurableFS extends NodeFS {
  syncs = 0
  /** Modes that were kept private. */
  modes = 0

  override async init(pg: PGlite, options: Parameters<NodeFS['init']>[1]) {
    const { emscriptenOpts } = await super.init(pg, options)
    const hook = (module: object) => {
      operationsOf<FileOperations>(module, 'stream_ops').fsync = ({ nfd }) => {
        fsyncSync(nfd)
        this.syncs += 1
      }
      const { setattr } = operationsOf<NodeOperations>(module, 'node_ops')
      if (!setattr) throw new Error(CHANGED)
      // The C library sets the requested mode after it has created a file, past the umask of the process: 0666 for some.
      operationsOf<NodeOperations>(module, 'node_ops').setattr = (node, { mode, ...attributes }) => {
        setattr(node, mode === undefined ? attributes : { ...attributes, mode: mode & ~0o077 })
        if (mode !== undefined) this.modes += 1
      }
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), hook] } }
  }
}

const CHANGED = 'The embedded database has changed how it reaches its files.'

/** The operations of the engine's C library on open files (`stream_ops`) or on names (`node_ops`). */
function operationsOf<Operations extends object>(module: object, kind: string): Partial<Operations> {
  const nodeFs: unknown = Reflect.get(module, 'NODEFS')
  const operations: unknown = typeof nodeFs === 'object' && nodeFs ? Reflect.get(nodeFs, kind) : undefined
  if (!isOperations<Operations>(operations)) throw new Error(CHANGED)
  return operations
}

function isOperations<Operations extends object>(found: unknown): found is Partial<Operations> {
  return typeof found === 'object' && found !== null
}

/**
 * Opens the embedded database in a folder and creates it at the first start. Only one process at a time can open it.
 * Throws when writes would not be durable.
 */
export async function openEmbedded(dataDir: string, { durable = true, isMade = false }: OpenOptions = {}): Promise<Embedded> {
  if (!isMade) makeFolder(dataDir)
  const unlock = lockFolder(dataDir)
  try {
    const folder = path.join(dataDir, MAJOR)
    finishRestore(dataDir)
    clearRestore(dataDir)
    rmSync(`${folder}.initialising`, { recursive: true, force: true })
    if (durable && !existsSync(folder)) await createAside(dataDir, folder)
    const fs = new DurableFS(folder)
    const engine = await PGlite.create({ ...(durable ? options : hasty), fs })
    const heard = hearDeath(engine)
    if (durable) await proveHooks(engine, fs, heard)
    return attended(engine, folder, unlock)
  } catch (error) {
    const isFull = isDiskFull(error) || !hasRoomForJournal(dataDir)
    unlock()
    throw isFull ? new OperatorError(diskFullSentence(dataDir), { cause: error }) : error
  }
}

const options: Options = {
  // Without -F, which would turn fsync off. Small sizes save 140 MB of memory; the system's own cache holds the files as well.
  startParams: [
    ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
    ...['wal_sync_method=fsync', 'shared_buffers=8MB', 'max_wal_size=64MB', 'min_wal_size=32MB', 'timezone=UTC'].flatMap((setting) => [
      '-c',
      setting,
    ]),
  ],
  // Only those that a migration creates: each one is loaded at every start.
  extensions: { btree_gist, citext, pg_trgm },
  parsers: { 20: Number, 1082: String },
}

const hasty: Options = { ...options, startParams: [...(options.startParams ?? []), '-F'] }

/** Creates the database aside, so that an interrupted first start leaves no half-made one. */
async function createAside(dataDir: string, folder: string) {
  const other = readdirSync(dataDir).find((name) => /^pg\d+$/.test(name))
  if (other) {
    throw new OperatorError(
      `${dataDir} holds a database of PostgreSQL ${other.slice(2)}, this version reads ${MAJOR.slice(2)}: make a backup with the version that wrote it and restore that here.`,
    )
  }
  const aside = `${folder}.initialising`
  const engine = await PGlite.create({ ...options, fs: new DurableFS(aside) })
  await engine.close()
  syncTree(aside)
  renameSync(aside, folder)
  syncPath(dataDir)
}

/** The hooks are internals of the engine: an update could drop one of them silently. */
async function proveHooks(engine: PGlite, fs: DurableFS, heard: { statements: number }) {
  const before = { syncs: fs.syncs, statements: heard.statements }
  // One call into the engine for both questions, because each start asks them.
  const [shown] = await engine.exec(
    `SELECT current_setting('fsync') AS fsync, pg_logical_emit_message(true, 'winnow', 'is a commit durable?')`,
  )
  const missing = [
    ...(propertyOf(shown?.rows[0], 'fsync') !== 'on' || fs.syncs === before.syncs
      ? ['it would not keep its writes through a power cut (fsync is not called)']
      : []),
    // Each start writes the file of its process and a cache.
    ...(fs.modes === 0 ? ['its files would be open to other users of this machine (modes are not set)'] : []),
    ...(heard.statements === before.statements ? ['its death would not be noticed (statements run another way)'] : []),
  ]
  if (missing.length === 0) return
  await engine.close()
  throw new Error(`This version of the embedded database must not be used: ${missing.join('; ')}.`)
}

/** The engine hides its own death in the middle of a statement, and returns empty results from then on. Counts the statements it hears. */
function hearDeath({ Module }: PGlite): { statements: number } {
  const LOOP = '_PostgresMainLoopOnce'
  const loop: unknown = Reflect.get(Module, LOOP)
  if (typeof loop !== 'function') throw new Error('The embedded database has changed how it runs a statement.')
  const heard = { statements: 0 }
  Reflect.set(Module, LOOP, () => {
    heard.statements += 1
    try {
      return Reflect.apply(loop, Module, [])
    } catch (error) {
      if (isDeath(error)) throwUncaught(error)
      throw error
    }
  })
  return heard
}

/**
 * Gives timers and sockets a turn between queries, which would otherwise run without a pause. Runs checkpoints and vacuum, and ends the
 * process when the engine has died.
 */
function attended(engine: PGlite, folder: string, unlock: () => void): Embedded {
  const queryEngine = attend(engine.query.bind(engine))
  const upkeep = new Upkeep({ query: queryEngine, exec: engine.exec.bind(engine) })
  const noteWrites = <T>(results: Results<T>) => {
    upkeep.noteWrites(results.affectedRows ?? 0)
    return results
  }
  return {
    get closed() {
      return engine.closed
    },
    get ready() {
      return engine.ready
    },
    waitReady: engine.waitReady,
    query: async <T>(...[text, parameters, settings]: Parameters<PGlite['query']>) =>
      noteWrites(await queryEngine<T>(text, parameters, settings)),
    exec: async (...call) => {
      await breathe()
      return engine.exec(...call)
    },
    transaction: (work) =>
      engine.transaction((trx) => {
        const queryInside = attend(trx.query.bind(trx))
        trx.query = async <T>(...[text, parameters, settings]: Parameters<PGlite['query']>) =>
          noteWrites(await queryInside<T>(text, parameters, settings))
        return work(trx)
      }),
    listen: (channel, callback) => engine.listen(channel, callback),
    refreshArrayTypes: () => engine.refreshArrayTypes(),
    async copyInto(target, signal) {
      const release = upkeep.holdCheckpoints()
      try {
        for (let attempt = 1; ; attempt += 1) {
          const before = await lastCheckpoint(queryEngine)
          await copyFiles(folder, path.join(target, MAJOR), signal)
          if ((await lastCheckpoint(queryEngine)) === before) return
          if (attempt === MOST_COPIES) throw new Error('Checkpoints kept the database from being copied.')
          await rm(path.join(target, MAJOR), { recursive: true })
        }
      } finally {
        release()
      }
    },
    async close() {
      upkeep.end()
      if (!engine.closed) await engine.close()
      unlock()
    },
  }
}

async function lastCheckpoint(query: PGlite['query']): Promise<string | undefined> {
  const { rows } = await query<{ at: string }>('SELECT checkpoint_lsn::text AS at FROM pg_control_checkpoint()')
  return rows[0]?.at
}

/** A dead engine takes the process with it: no later query could succeed. */
function throwUncaught(error: unknown) {
  setImmediate(() => {
    throw error
  })
}

/** Milliseconds of queries without a pause. A pause before each would cost a turn of the event loop, which is long under load. */
const SLICE_MS = 8
let pausedAt = 0

async function breathe(): Promise<void> {
  if (performance.now() - pausedAt < SLICE_MS) return
  await new Promise<void>((resolve) => setImmediate(resolve))
  pausedAt = performance.now()
}

function attend(query: PGlite['query']): PGlite['query'] {
  return async <T>(...call: Parameters<PGlite['query']>) => {
    await breathe()
    try {
      return await query<T>(...call)
    } catch (error) {
      if (isDeath(error)) throwUncaught(error)
      throw error
    }
  }
}
