import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

/** The Node version of the lockfile, the same on every machine. */
export const pinnedNode = path.join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')

/** A failure that is shown as one sentence, without a stack. */
export class Refusal extends Error {}

/**
 * Installs missing packages. The groups of package.json: `dependencies` run the built product, `peerDependencies` build it, and only
 * `devDependencies` check it, so a start needs none of those. Once installed, they stay.
 */
export async function install({ withChecks }) {
  if (isInstalled(withChecks)) return
  say('Installing the packages …')
  const groups = withChecks || existsSync(path.join(root, 'node_modules/vitest')) ? '--include=dev' : '--omit=dev'
  const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm']
  // Not `npm ci`: it refuses a lockfile written by a registry without the binaries of other platforms. The check below compares the
  // installed versions with the lockfile.
  const code = await run([...npm, 'install', '--no-save', groups, '--include=peer', '--no-audit', '--no-fund', '--loglevel=error'], {
    NODE_ENV: undefined,
  })
  if (code === 'ENOENT') throw new Refusal('npm was not found. Install npm 11, for example with Node from nodejs.org.')
  if (code !== 0) throw new Refusal('The packages could not be installed: npm says why above. Is the registry within reach?')
  if (!isInstalled(withChecks)) {
    throw new Refusal('The installed packages do not match the lockfile. Delete the folder node_modules, then try again.')
  }
  removeHeaders()
}

/** The package of Node holds 67 MB of headers for compiling add-ons. No package here compiles any. */
function removeHeaders() {
  const builds = path.join(root, 'node_modules/node/node_modules')
  if (!existsSync(builds)) return
  for (const name of readdirSync(builds)) {
    const headers = path.join(builds, name, 'include')
    // Node 20 fails to delete a path below a file even with `force`, and npm keeps its record between these folders.
    if (existsSync(headers)) rmSync(headers, { recursive: true })
  }
}

/** npm writes its record of node_modules last, so a broken install has none. */
function isInstalled(withChecks) {
  const found = readJson('node_modules/.package-lock.json')
  if (!found || !existsSync(pinnedNode)) return false
  return Object.entries(readJson('package-lock.json').packages).every(([place, { version, dev, optional, devOptional }]) => {
    const there = found.packages[place]
    return place === '' || (there ? there.version === version : optional || devOptional || (dev && !withChecks))
  })
}

function readJson(file) {
  const place = path.join(root, file)
  return existsSync(place) ? JSON.parse(readFileSync(place, 'utf8')) : undefined
}

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
function run([program, ...args], env) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 2, 2], env: withTools(env), shell: program === 'npm' })
    child.on('error', () => resolve('ENOENT'))
    child.on('exit', (code) => resolve(code === 127 ? 'ENOENT' : (code ?? 1)))
  })
}

/**
 * Has the C library return freed memory to the system: few arenas, larger blocks mapped one by one, and the free end of the heap cut off.
 * Fixed thresholds also keep glibc from raising its own with use. Other C libraries ignore these variables.
 */
const memory = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '131072' }

/** The environment of all child processes: the pinned Node and the project's tools come first. */
export function withTools(more) {
  const tools = [path.dirname(pinnedNode), path.join(root, 'node_modules/.bin')]
  const env = { ...memory, ...process.env, PATH: [...tools, process.env.PATH].join(path.delimiter), ...more }
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined))
}

export function say(sentence) {
  process.stderr.write(`${sentence}\n`)
}
