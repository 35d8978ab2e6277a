import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readEnv } from '#app/platform/env.server.ts'

const readme = readFileSync('README.md', 'utf8')
const settings = readFileSync('app/platform/env.server.ts', 'utf8')
const known = [...settings.matchAll(/^ {2}([A-Z][A-Z\d_]+): /gm)].map(([, name]) => name)

/** Each setting of a table with its documented default. A row may name a family: `A`, `B`. */
const settingsIn = (text: string) =>
  [...text.matchAll(/^\| ((?:`[A-Z][A-Z\d_]+`[, ]*)+) \| ([^|]*) \|/gm)].flatMap(([, names = '', defaults = '']) => {
    const values = defaults.split(', ')
    return [...names.matchAll(/`([^`]+)`/g)].map(([, name = ''], index) => ({ name, value: values[index] ?? values[0] ?? '' }))
  })

test('docs/settings.md names exactly the settings that exist, and the README ten of them with the same defaults', () => {
  const all = settingsIn(readFileSync('docs/settings.md', 'utf8'))
  expect(known).not.toEqual([])
  expect(new Set(all.map(({ name }) => name))).toEqual(new Set(known))
  expect(all).toHaveLength(known.length)
  const ten = settingsIn(readme)
  expect(ten).toHaveLength(10)
  expect(all).toEqual(expect.arrayContaining(ten))
})

test('the documented defaults are those of the code', () => {
  const defaults = new Map(Object.entries(readEnv({})))
  const literal = settingsIn(readFileSync('docs/settings.md', 'utf8')).filter(({ value }) => /^`[a-z\d./]+`$/.test(value))
  expect(literal.length).toBeGreaterThan(30)
  // Times are in seconds.
  const plain = (value: string) => value.replaceAll('`', '').replace(/^(\d+)s$/, '$1')
  const wrong = literal.filter(({ name, value }) => JSON.stringify(defaults.get(name))?.replaceAll('"', '') !== plain(value))
  expect(wrong).toEqual([])
})

test('.env.example shows the settings of the README', () => {
  const shown = readFileSync('.env.example', 'utf8').matchAll(/^# ([A-Z_]+)=/gm)
  expect(new Set(Array.from(shown, ([, name]) => name))).toEqual(new Set(settingsIn(readme).map(({ name }) => name)))
})

test('the README can be read in one sitting', () => {
  expect(readme.split('\n').length).toBeLessThan(150)
})

test('the README describes every script', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'))
  const untold = Object.keys(scripts).filter((name) => !readme.includes(`npm run ${name}`) && !readme.includes(`npm ${name}`))
  expect(untold).toEqual([])
})

test('every file that the README links to exists', () => {
  const places = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, place = '']) => place)
  expect(places.filter((place) => !existsSync(place))).toEqual([])
})

test('a decision gives the purpose of every package', () => {
  const { dependencies, devDependencies }: Record<string, Record<string, string>> = JSON.parse(readFileSync('package.json', 'utf8'))
  const reasons = readFileSync('docs/decisions/0008-dependencies.md', 'utf8')
  const families = [...reasons.matchAll(/`([@\w/-]+)\*`/g)].map(([, beginning = '']) => beginning)
  const isNamed = (name: string) => reasons.includes(`\`${name}\``) || families.some((beginning) => name.startsWith(beginning))
  expect(Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !isNamed(name))).toEqual([])
})

test('every file that a document names exists', () => {
  const named = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md')].flatMap((file) => {
    const places = readFileSync(file, 'utf8').matchAll(/`((?:app|db|test|bench|scripts)\/[\w./-]+)`/g)
    return [...places].map(([, place = '']) => ({ file, place }))
  })
  expect(named.filter(({ place }) => !existsSync(place))).toEqual([])
})

test('every place that names the version of Node names the same', () => {
  const { optionalDependencies }: { optionalDependencies: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'))
  const pinned = new Set(Object.entries(optionalDependencies).flatMap(([name, version]) => (name.startsWith('node-') ? version : [])))
  expect([...pinned]).toEqual([readFileSync('.nvmrc', 'utf8').trim()])
})
