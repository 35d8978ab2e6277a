import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const readme = readFileSync('README.md', 'utf8')
const settings = readFileSync('app/platform/env.server.ts', 'utf8')

test('the README names exactly the settings that exist', () => {
  // A row may name a family: `A`, `B`.
  const rows = [...readme.matchAll(/^\| ((?:`[A-Z][A-Z\d_]+`[, ]*)+) \|/gm)].map(([, names = '']) => names)
  const named = rows.flatMap((names) => [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name))
  const known = [...settings.matchAll(/^ {2}([A-Z][A-Z\d_]+): /gm)].map(([, name]) => name)
  expect(known).not.toEqual([])
  expect(new Set(named)).toEqual(new Set(known))
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

test('a decision gives the reason for every package outside of the bundle', () => {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'))
  const reasons = readFileSync('docs/decisions/0008-dependencies.md', 'utf8')
  expect(Object.keys(dependencies).filter((name) => !reasons.includes(`\`${name}\``))).toEqual([])
})

test('every file that a document names exists', () => {
  const named = ['README.md', ...globSync('docs/**/*.md')].flatMap((file) => {
    const places = readFileSync(file, 'utf8').matchAll(/`((?:app|db|test|bench|scripts)\/[\w./-]+)`/g)
    return [...places].map(([, place = '']) => ({ file, place }))
  })
  expect(named.filter(({ place }) => !existsSync(place))).toEqual([])
})

test('every place that names the version of Node names the same', () => {
  const { optionalDependencies }: { optionalDependencies: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'))
  const pinned = new Set(Object.entries(optionalDependencies).flatMap(([name, version]) => (/^node-/.test(name) ? version : [])))
  expect([...pinned]).toEqual([readFileSync('.nvmrc', 'utf8').trim()])
})
