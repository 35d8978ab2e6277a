import { isAscii } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, openSync, readFileSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire, getCompileCacheDir } from 'node:module'
import path from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { constants, Script } from 'node:vm'
import { crc32 } from 'node:zlib'

/** The code that a file was compiled to, with the checksums of the file and of the code. */
type Stored = { source: number; checksum: number; compiled: Uint8Array }

/** `isProvisional`: stored by a first start, whose work is so long that V8 forgets functions that every start runs. */
type StoredFiles = { isProvisional: boolean; files: ReadonlyMap<string, Stored> }

const nothing: StoredFiles = { isProvisional: false, files: new Map() }

type Loaded = { exports: object; source: number; script?: Script }

const FILE = 'start.code'
const HEAD = Buffer.from('(function (exports, require, module, __filename, __dirname) {')
const TAIL = Buffer.from('\n})')

/**
 * Loads the build's CommonJS files with V8's code cache of an earlier start. Node's own compile cache is created before a file runs, so it has few
 * of its functions, and each start would compile thousands again. This one is created after the start, in one file beside Node's cache.
 */
export class CodeCache {
  readonly #folder: string | undefined
  readonly #loaded = new Map<string, Loaded>()
  #stored: StoredFiles | undefined
  #build: string | undefined
  #isComplete = true
  #isSaved = false

  /** Stores in the folder of Node's compile cache. If Node has none, nothing is stored. */
  constructor(folder = getCompileCacheDir()) {
    this.#folder = folder
  }

  /** Returns the exports of a file. The folder of the first one is that of the build. */
  load(file: string): object {
    const known = this.#loaded.get(file)
    if (known) return known.exports
    this.#build ??= path.dirname(file)
    const bytes = wrapped(file)
    const source = crc32(bytes)
    const cachedData = this.#find(file, source)
    // V8 reads text of one byte a character faster, and for ASCII the text is the same.
    const script = new Script(bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8'), {
      filename: file,
      ...(cachedData && { cachedData }),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    })
    if (script.cachedDataRejected !== false) this.#isComplete = false
    const module: Loaded = { exports: {}, source, ...(!this.#isSaved && { script }) }
    this.#loaded.set(file, module)
    try {
      Reflect.apply(script.runInThisContext(), undefined, [module.exports, this.#requireFrom(file), module, file, path.dirname(file)])
    } catch (error) {
      // As with Node, the next `require` runs the file again instead of returning half of its exports.
      this.#loaded.delete(file)
      throw error
    }
    return module.exports
  }

  /**
   * Stores the code of all loaded files, with the functions that have run until now, unless all of it was found. The next
   * start replaces provisional code. A folder that cannot be written makes later starts slower, and nothing else.
   */
  save({ isProvisional = false } = {}) {
    const files = [...this.#loaded]
    const isFound = this.#isComplete && (isProvisional || !this.#stored?.isProvisional)
    if (this.#folder !== undefined && !isFound)
      write(path.join(this.#folder, FILE), { isProvisional, files: new Map(files.flatMap(toStored)) })
    this.#stored = nothing
    this.#isSaved = true
    for (const [, loaded] of files) delete loaded.script
  }

  #find(file: string, source: number): Uint8Array | undefined {
    this.#stored ??= this.#folder === undefined ? nothing : read(path.join(this.#folder, FILE))
    const found = this.#stored.files.get(file)
    const isWhole = found?.source === source && found.compiled instanceof Uint8Array && crc32(found.compiled) === found.checksum
    return isWhole ? found.compiled : undefined
  }

  /**
   * Loads files of the build, and `.cjs` files of packages. Node loads its own modules, all other packages, and what it has loaded before, so that no
   * module exists twice.
   */
  #requireFrom(file: string) {
    const native = createRequire(file)
    const own = (name: string): unknown => {
      const wanted = native.resolve(name)
      return this.#isOurs(wanted) && !native.cache[wanted] ? this.load(wanted) : native(name)
    }
    return Object.assign(own, { resolve: native.resolve })
  }

  #isOurs(file: string): boolean {
    const { dir, ext } = path.parse(file)
    return path.isAbsolute(file) && (ext === '.cjs' || (ext === '.js' && dir === this.#build))
  }
}

/** The file as a function. Joined as bytes, because V8 would copy joined strings. */
function wrapped(file: string): Buffer {
  const open = openSync(file, 'r')
  try {
    const { size } = fstatSync(open)
    const bytes = Buffer.allocUnsafeSlow(HEAD.length + size + TAIL.length)
    HEAD.copy(bytes)
    if (readSync(open, bytes, { offset: HEAD.length, length: size }) !== size) throw new Error(`${file} changed while it was read.`)
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

function read(file: string): StoredFiles {
  try {
    const { isProvisional, files }: { isProvisional?: unknown; files?: unknown } = Object(deserialize(readFileSync(file)))
    return files instanceof Map ? { isProvisional: isProvisional === true, files } : nothing
  } catch {
    // The first start, or a file that was cut off.
    return nothing
  }
}

/** Several processes may write: each writes a file of its own, and renames it. */
function write(file: string, stored: StoredFiles) {
  const temporary = `${file}.${randomUUID()}`
  try {
    writeFileSync(temporary, serialize(stored), { flag: 'wx' })
    renameSync(temporary, file)
  } catch {
    removeIfPossible(temporary)
  }
}

function removeIfPossible(file: string) {
  try {
    rmSync(file, { force: true })
  } catch {
    // The folder cannot be entered.
  }
}

/** The cache of this process. */
export const codeCache = new CodeCache()
