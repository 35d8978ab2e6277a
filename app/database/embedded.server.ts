import { PGlite, type PGliteInterface, protocol, type Results } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { citext } from '@electric-sql/pglite/contrib/citext'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { existsSync, fsyncSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { finishRestore, lockFolder, makeFolder, syncPath, syncTree } from './data-folder.server.ts'
import type { CopyOut } from '#app/platform/db.server.ts'
import { OperatorError } from '#app/platform/operator-error.ts'
import { Upkeep } from './upkeep.server.ts'

/** The major version of PostgreSQL inside, part of the folder's name: another major cannot read the files. */
export const MAJOR = 'pg18'

type Options = ConstructorParameters<typeof PGlite>[0] & object
type FileOperations = { fsync?: (stream: { nfd: number }) => void }

/** What of the engine the query layer uses. */
export type Embedded = Pick<PGliteInterface, 'query' | 'exec' | 'transaction' | 'close' | 'closed' | 'ready' | 'waitReady' | 'listen'> & {
  copyOut: CopyOut
}

/** PGlite's own file system never calls fsync; this one does, and counts, so that the start can prove it. */
class DurableFS extends NodeFS {
  syncs = 0

  override async init(pg: PGlite, options: Parameters<NodeFS['init']>[1]) {
    const { emscriptenOpts } = await super.init(pg, options)
    const hook = (module: object) => {
      fileOperationsOf(module).fsync = ({ nfd }) => {
        fsyncSync(nfd)
        this.syncs += 1
      }
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), hook] } }
  }
}

/** Where the engine's C library finds what to do with a file. */
function fileOperationsOf(module: object): FileOperations {
  const nodeFs: unknown = Reflect.get(module, 'NODEFS')
  const operations: unknown = typeof nodeFs === 'object' && nodeFs ? Reflect.get(nodeFs, 'stream_ops') : undefined
  if (typeof operations !== 'object' || !operations) throw new Error('The embedded database has changed how it reaches its files.')
  return operations
}

/**
 * Opens the embedded database in a folder, creating it at the first start. One process at a time: a second one gets a sentence.
 * Throws when writes would not be durable.
 */
export async function openEmbedded(dataDir: string): Promise<Embedded> {
  makeFolder(dataDir)
  const unlock = lockFolder(dataDir)
  try {
    const folder = path.join(dataDir, MAJOR)
    finishRestore(dataDir)
    if (!existsSync(folder)) await createAside(dataDir, folder)
    const fs = new DurableFS(folder)
    const engine = await PGlite.create({ ...options, fs })
    hearDeath(engine)
    await proveDurable(engine, fs)
    return attended(engine, unlock)
  } catch (error) {
    unlock()
    throw error
  }
}

const options: Options = {
  // Without -F, which would turn fsync off. The sizes keep 200 instead of 310 MB resident.
  startParams: [
    ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
    ...['wal_sync_method=fsync', 'shared_buffers=32MB', 'max_wal_size=64MB', 'min_wal_size=32MB', 'timezone=UTC'].flatMap((setting) => [
      '-c',
      setting,
    ]),
  ],
  // Those that a migration creates, and no others: each one is loaded at every start.
  extensions: { citext, pg_trgm },
  parsers: { 20: Number, 1082: String },
}

/** A first start that is cut off leaves no half-made database behind. */
async function createAside(dataDir: string, folder: string) {
  const other = readdirSync(dataDir).find((name) => /^pg\d+$/.test(name))
  if (other) {
    throw new OperatorError(
      `${dataDir} holds a database of PostgreSQL ${other.slice(2)}, this version reads ${MAJOR.slice(2)}: make a backup with the version that wrote it and restore that here.`,
    )
  }
  const aside = `${folder}.initialising`
  rmSync(aside, { recursive: true, force: true })
  const engine = await PGlite.create({ ...options, fs: new DurableFS(aside) })
  await engine.close()
  syncTree(aside)
  renameSync(aside, folder)
  syncPath(dataDir)
}

/** The hook into the file system is an internal of the engine: an update could drop it without a word. */
async function proveDurable(engine: PGlite, fs: DurableFS) {
  const { rows } = await engine.query<{ fsync: string }>('SHOW fsync')
  const before = fs.syncs
  await engine.query(`SELECT pg_logical_emit_message(true, 'winnow', 'is a commit durable?')`)
  if (rows[0]?.fsync !== 'on' || fs.syncs === before) {
    await engine.close()
    throw new Error(
      'The embedded database would not keep its writes through a power cut (fsync is not called). This version of it must not be used.',
    )
  }
}

/** What the engine dies of in the middle of a statement it keeps to itself, and gives empty results from then on. */
function hearDeath({ Module }: PGlite) {
  const LOOP = '_PostgresMainLoopOnce'
  const loop: unknown = Reflect.get(Module, LOOP)
  if (typeof loop !== 'function') throw new Error('The embedded database has changed how it runs a statement.')
  const heard = () => {
    try {
      return Reflect.apply(loop, Module, [])
    } catch (error) {
      if (isDeath(error)) throwUncaught(error)
      throw error
    }
  }
  Reflect.set(Module, LOOP, heard)
}

/**
 * Lets timers and sockets have their turn between queries, which otherwise would follow each other without a pause, keeps the engine up, and
 * ends the process when the engine has died.
 */
function attended(engine: PGlite, unlock: () => void): Embedded {
  const queryEngine = attend((...call) => engine.query(...call))
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
    async copyOut(statement, take) {
      for (const line of await watched(() => copyLines(engine, statement))) take(line)
    },
    async close() {
      upkeep.end()
      if (!engine.closed) await engine.close()
      unlock()
    },
  }
}

/** Reads a `COPY … TO STDOUT` by the protocol, which holds one message for each row. Alone: the protocol does not wait for an open transaction. */
async function copyLines(engine: PGlite, statement: string): Promise<Buffer[]> {
  const read = () => engine.execProtocol(protocol.serialize.query(statement))
  const { messages } = await engine.transaction(() => engine.runExclusive(read))
  return messages.flatMap((message) => ('chunk' in message && message.chunk instanceof Uint8Array ? [asBuffer(message.chunk)] : []))
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** An engine that has died takes the process with it, whoever had asked: no later query could succeed. */
function throwUncaught(error: unknown) {
  setImmediate(() => {
    throw error
  })
}

const breathe = () => new Promise<void>((resolve) => setImmediate(resolve))

function attend(query: PGlite['query']): PGlite['query'] {
  return async <T>(...call: Parameters<PGlite['query']>) => watched(() => query<T>(...call))
}

async function watched<T>(work: () => Promise<T>): Promise<T> {
  await breathe()
  try {
    return await work()
  } catch (error) {
    if (isDeath(error)) throwUncaught(error)
    throw error
  }
}

/** Not an error of a query but the end of the engine: it would answer nothing from now on. */
export function isDeath(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError || (error instanceof Error && error.message.startsWith('Aborted'))
}
