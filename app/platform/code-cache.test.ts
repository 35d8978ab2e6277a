import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CodeCache } from './code-cache.server.ts'

let folder = ''
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'winnow-code-'))))
afterEach(() => rmSync(folder, { recursive: true }))

const at = (name: string) => path.join(folder, name)
const stored = () => readFileSync(at('start.code'))
/** The inode: each save replaces the file, so it changes. */
const fileNumber = () => statSync(at('start.code')).ino

/** Writes a file with a function that is compiled when it runs. */
function write(name: string, value: string) {
  writeFileSync(at(name), `exports.value = 0\nexports.run = function run() { return ${value} }`)
  return at(name)
}

/** Loads a file as a start does, runs its function, and stores the code. */
function start(file: string, { isProvisional = false } = {}): unknown {
  const code = new CodeCache(folder)
  const loaded = code.load(file)
  const run: unknown = Reflect.get(loaded, 'run')
  const result: unknown = typeof run === 'function' ? Reflect.apply(run, undefined, []) : undefined
  code.save({ isProvisional })
  return result
}

test('a second start has the same result, and stores nothing again', () => {
  const file = write('one.js', `'α' + 1`)
  expect(start(file)).toBe('α1')
  const before = fileNumber()
  expect(start(file)).toBe('α1')
  expect(fileNumber()).toBe(before)
  expect(readdirSync(folder).toSorted()).toEqual(['one.js', 'start.code'])
})

test('the code of a first start is used, and the next start replaces it once', () => {
  const file = write('one.js', '1')
  const numbers = [true, true, false, false, true].map((isProvisional) => {
    expect(start(file, { isProvisional })).toBe(1)
    return fileNumber()
  })
  const [first, , usual] = numbers
  expect(numbers).toEqual([first, first, usual, usual, usual])
  expect(usual).not.toBe(first)
})

test('what is stored has the functions that have run', () => {
  const body = Array.from({ length: 200 }, (_, index) => `const part${index} = ${index}`).join('; ')
  const file = write('one.js', `(() => { ${body} })()`)
  const idle = new CodeCache(folder)
  idle.load(file)
  idle.save()
  const without = stored().length
  rmSync(at('start.code'))
  start(file)
  expect(stored().length).toBeGreaterThan(without + 1000)
})

test('a file that has changed is compiled again, even at the same length', () => {
  expect(start(write('one.js', '1'))).toBe(1)
  expect(start(write('one.js', '2'))).toBe(2)
  expect(start(at('one.js'))).toBe(2)
})

test.each([
  ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
  ['not its own', () => Buffer.from('something else')],
  ['of another format', (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replace('compiled', 'computed'), 'latin1')],
  ['damaged in its code', (bytes: Buffer) => bytes.fill(0, bytes.length - 64, bytes.length - 32)],
])('stored code that is %s is not used', (_, spoil) => {
  const file = write('one.js', '1')
  start(file)
  writeFileSync(at('start.code'), spoil(stored()))
  const spoilt = fileNumber()
  expect(start(file)).toBe(1)
  expect(fileNumber()).not.toBe(spoilt)
  const repaired = fileNumber()
  expect(start(file)).toBe(1)
  expect(fileNumber()).toBe(repaired)
})

test('files that require each other, modules of Node and `import()` work', async () => {
  writeFileSync(at('one.js'), `exports.name = 'one'; exports.other = require('./two.js'); exports.path = require('node:path')`)
  writeFileSync(at('two.js'), `exports.of = require('./one.js').name; exports.later = () => import('node:os'); exports.here = __dirname`)
  const loaded = new CodeCache(folder).load(at('one.js'))
  expect(loaded).toMatchObject({ name: 'one', other: { of: 'one', here: folder }, path })
  const other: unknown = Reflect.get(loaded, 'other')
  const later: unknown = typeof other === 'object' && other ? Reflect.get(other, 'later') : undefined
  expect(await (typeof later === 'function' ? later() : undefined)).toHaveProperty('tmpdir')
})

test('in a folder that cannot be written, files are loaded without being stored', () => {
  const file = write('one.js', '1')
  for (const place of ['missing', 'one.js']) {
    const code = new CodeCache(at(place))
    expect(code.load(file)).toHaveProperty('value', 0)
    code.save()
  }
  expect(readdirSync(folder)).toEqual(['one.js'])
})

test('CommonJS files of packages are stored too, and what Node has loaded stays one module', () => {
  const installed = path.join(folder, 'node_modules/some-package')
  mkdirSync(installed, { recursive: true })
  writeFileSync(path.join(installed, 'package.json'), '{ "main": "main.cjs" }')
  writeFileSync(path.join(installed, 'main.cjs'), `module.exports = { name: 'some-package' }`)
  writeFileSync(at('two.js'), `exports.two = 2`)
  writeFileSync(at('data.json'), '{ "is": "data" }')
  writeFileSync(
    at('one.js'),
    `Object.assign(exports, { package: require('some-package'), two: require('./two'), data: require('./data.json') })`,
  )
  const two: unknown = createRequire(at('one.js'))('./two.js')
  const code = new CodeCache(folder)
  const loaded = code.load(at('one.js'))
  code.save()
  expect(loaded).toHaveProperty('package.name', 'some-package')
  expect(loaded).toHaveProperty('data.is', 'data')
  expect(Reflect.get(loaded, 'two')).toBe(two)
  expect(stored().includes('main.cjs')).toBe(true)
})

test('a file that fails is run again', () => {
  writeFileSync(at('one.js'), `exports.half = 1; throw new Error('not yet')`)
  const code = new CodeCache(folder)
  expect(() => code.load(at('one.js'))).toThrow('not yet')
  expect(() => code.load(at('one.js'))).toThrow('not yet')
})
