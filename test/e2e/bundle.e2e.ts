import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { parseSync } from 'vite'
import { bareTest as test, expect } from './fixtures.ts'

/** The build's public files, which anyone can read. */
const files = globSync('build/client/**/*.{js,css,html,json,svg,txt,webmanifest}').map((file) => ({
  file,
  text: readFileSync(file, 'utf8'),
}))

test('nothing for browsers holds code of the server, reads settings, or names one that is secret', () => {
  expect(files.length).toBeGreaterThan(50)
  const traces =
    /process\.env|import\.meta\.env|["'`]node:|sourceMappingURL|\b(SECRET|PASSWORD_HASH|DATABASE_URL|METRICS_TOKEN|JWT_(KEYS|SECRET)|\w+_SECRETS?\b|\w+_SECRET_KEY)|argon2|INSERT INTO|postgres:\/\//
  expect(files.flatMap(({ file, text }) => (traces.exec(text) ? `${file}: ${traces.exec(text)?.[0]}` : []))).toEqual([])
})

test('nothing of the environment in which it was built is in it', () => {
  const values = Object.entries(process.env).filter(
    ([name, value = '']) => /(TOKEN|SECRET|PASSWORD|_KEY)$/.test(name) && value.length >= 12,
  )
  expect(
    values.flatMap(([name, value = '']) => files.filter(({ text }) => text.includes(value)).map(({ file }) => `${file}: ${name}`)),
  ).toEqual([])
})

/** In bytes, compressed: React and its router are two thirds of it. */
const MOST_SCRIPT = 250_000

/** Code that these pages ask for as soon as they are there, so it counts as theirs. */
const LOADED_AT_ONCE: Readonly<Record<string, string>> = { 'site/settings/settings.page': 'section-panel' }

/** The part of React Router's list of routes that is read here. */
type Route = { id: string; parentId?: string; module: string; hasDefaultExport: boolean }

test('signed-in and public pages load at most 250 kB of compressed script', () => {
  const [list = ''] = globSync('build/client/assets/manifest-*.js')
  const text = readFileSync(list, 'utf8')
  const { entry, routes }: { entry: { module: string }; routes: Record<string, Route> } = JSON.parse(
    text.slice(text.indexOf('=') + 1, text.lastIndexOf(';')),
  )
  const weights = Object.values(routes).map((route) => {
    const files = new Set([list])
    addImports(`build/client${entry.module}`, files)
    for (let part: Route | undefined = route; part; part = routes[part.parentId ?? '']) addImports(`build/client${part.module}`, files)
    const atOnce = LOADED_AT_ONCE[route.id]
    const [code] = atOnce ? globSync(`build/client/assets/${atOnce}-*.js`) : []
    if (code) addImports(code, files)
    return [route.id, [...files].reduce((sum, file) => sum + sentSize(file), 0)] as const
  })
  expect(weights.find(([id]) => id === 'workspace/dashboard.page')?.[1]).toBeGreaterThan(100_000)
  expect(weights.filter(([, bytes]) => bytes > MOST_SCRIPT)).toEqual([])
  expect(Object.values(LOADED_AT_ONCE).flatMap((code) => globSync(`build/client/assets/${code}-*.js`))).toHaveLength(1)
})

/** Adds a script and all that it imports from the beginning. */
function addImports(file: string, found: Set<string>) {
  if (found.has(file)) return
  found.add(file)
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/\b(?:from|import)\s*"\.\/([^"]+\.js)"/g)) {
    addImports(`build/client/assets/${name}`, found)
  }
}

function sentSize(file: string): number {
  return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size
}

test('a start loads no package beside the bundle, and each of them only when its work comes', () => {
  const [pages = '', ...others] = globSync('build/server/server-build-*.js')
  expect(others).toEqual([])
  const start = loadedBy('build/server/index.js', pages)
  expect(start.files.size).toBeGreaterThan(5)
  expect(start.packages).toEqual(new Set())
  expect(loadedBy('build/server/index.js').files).not.toContain(pages)
  const [embedded = ''] = globSync('build/server/embedded.server-*.js')
  expect(loadedBy(embedded).packages).toContain('@electric-sql/pglite')
})

test('threads and child processes of the server do not load the server', () => {
  const begins = globSync('build/server/{read-email-worker,busy-worker,render-worker,query-starter,query-child,import-process}.js')
  expect(begins).toHaveLength(6)
  for (const begin of begins) {
    expect([...loadedBy(begin).files].filter((file) => /\/(index|server-build-.*)\.js$/.test(file))).toEqual([])
  }
})

/** The files that these load from the beginning, and the packages beside the bundle. */
function loadedBy(...begins: string[]) {
  const found = { files: new Set<string>(), packages: new Set<string>() }
  const add = (file: string) => {
    if (found.files.has(file)) return
    found.files.add(file)
    for (const { moduleRequest } of parseSync(file, readFileSync(file, 'utf8')).module.staticImports) {
      const name = moduleRequest.value
      if (name.startsWith('.')) add(path.join(path.dirname(file), name))
      else if (!isBuiltin(name)) found.packages.add(name)
    }
  }
  for (const begin of begins) add(begin)
  return found
}
