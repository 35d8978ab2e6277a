import { isAscii } from 'node:buffer'
import { closeSync, fstatSync, openSync, readFileSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire, getCompileCacheDir } from 'node:module'
import path from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { constants, Script } from 'node:vm'
import { crc32 } from 'node:zlib'

/** The code that a file was compiled to, with the checksums of the file and of the code. */
type Stored = { source: number; checksum: number; compiled: Uint8Array }

type Loaded = { exports: object; source: number; script?: Script }

const FILE = 'start.code'
const HEAD = Buffer.from('(function (exports, require, module, __filename, __dirname) {')
const TAIL = Buffer.from('\n})')

/**
 * Loads files of the build, which are CommonJS, with the code that an earlier start compiled. Node's own cache has a file as it is compiled
 * before it runs, without most of its functions, so each start would compile thousands of them again. Here they are stored as well: in one
 * file, in the folder of Node's cache.
 */
export class CompiledCode {
  readonly #folder: string | undefined
  readonly #loaded = new Map<string, Loaded>()
  #stored: ReadonlyMap<string, Stored>
  #isComplete = true

  /** Without a folder, nothing is stored. */
  constructor(folder = getCompileCacheDir()) {
    this.#folder = folder
    this.#stored = folder === undefined ? new Map() : read(path.join(folder, FILE))
  }

  /** Returns the exports of a file. */
  load(file: string): object {
    const known = this.#loaded.get(file)
    if (known) return known.exports
    const bytes = wrapped(file)
    const source = crc32(bytes)
    const module: Loaded = { exports: {}, source }
    this.#loaded.set(file, module)
    const cachedData = this.#find(file, source)
    module.script = new Script(bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8'), {
      filename: file,
      ...(cachedData && { cachedData }),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    })
    if (module.script.cachedDataRejected !== false) this.#isComplete = false
    Reflect.apply(module.script.runInThisContext(), undefined, [module.exports, this.#requireFrom(file), module, file, path.dirname(file)])
    return module.exports
  }

  /**
   * Stores the code of all loaded files, with the functions that have run until now, unless all of it was found. A folder that cannot be written
   * makes later starts slower, and nothing else.
   */
  save() {
    const files = [...this.#loaded]
    if (this.#folder !== undefined && !this.#isComplete) write(path.join(this.#folder, FILE), new Map(files.flatMap(toStored)))
    this.#stored = new Map()
    for (const [, loaded] of files) delete loaded.script
  }

  #find(file: string, source: number): Uint8Array | undefined {
    const found = this.#stored.get(file)
    return found?.source === source && crc32(found.compiled) === found.checksum ? found.compiled : undefined
  }

  /** Node's own modules, other packages than CommonJS, and files that Node itself has loaded stay Node's. */
  #requireFrom(file: string) {
    const native = createRequire(file)
    const own = (name: string): unknown => {
      const wanted = name.startsWith('.') ? path.join(path.dirname(file), name) : native.resolve(name)
      return (name.startsWith('.') || wanted.endsWith('.cjs')) && !native.cache[wanted] ? this.load(wanted) : native(name)
    }
    return Object.assign(own, { resolve: native.resolve })
  }
}

/** A file as a function, in one piece: the engine would copy a text of several parts. */
function wrapped(file: string): Buffer {
  const open = openSync(file, 'r')
  try {
    const { size } = fstatSync(open)
    const bytes = Buffer.allocUnsafeSlow(HEAD.length + size + TAIL.length)
    HEAD.copy(bytes)
    readSync(open, bytes, { offset: HEAD.length, length: size })
    TAIL.copy(bytes, HEAD.length + size)
    return bytes
  } finally {
    closeSync(open)
  }
}

function toStored([file, { script, source }]: [string, Loaded]): [string, Stored][] {
  const compiled = script?.createCachedData()
  return compiled ? [[file, { source, checksum: crc32(compiled), compiled }]] : []
}

function read(file: string): ReadonlyMap<string, Stored> {
  try {
    const stored: unknown = deserialize(readFileSync(file))
    return stored instanceof Map ? stored : new Map()
  } catch {
    // The first start, or a file that was cut off.
    return new Map()
  }
}

/** Several processes may write at once. */
function write(file: string, stored: ReadonlyMap<string, Stored>) {
  const temporary = `${file}.${process.pid}`
  try {
    writeFileSync(temporary, serialize(stored))
    renameSync(temporary, file)
  } catch {
    rmSync(temporary, { force: true })
  }
}

/** The code of this process. */
export const compiledCode = new CompiledCode()
