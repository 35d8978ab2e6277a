import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type Import, readSources, type Source } from '#scripts/source.ts'
import { opensDatabase } from './needs.ts'

/** The nouns of the business, lowest first: each may use those before it. */
const nouns = [
  'platform',
  'ui',
  'content',
  'mail',
  'auth',
  'account',
  'organizations',
  'leads',
  'users',
  'booking',
  'ops',
  'redirects',
  'blog',
  'datasets',
  'data-api',
  'billing',
  'workspace',
  'site',
  'dev',
]

const files = readSources().filter(({ part }) => part === 'product')
const nounOf = (file = '') => /^app\/([\w-]+)\//.exec(file)?.[1] ?? ''
/** `noun/part`; a file beside the parts of its noun is in none. */
const partOf = (file = '') => /^app\/([\w-]+\/[\w-]+)\//.exec(file)?.[1]
const rankOf = (file = '') => nouns.indexOf(nounOf(file))
const inFeature = ({ file }: Source) => rankOf(file) > nouns.indexOf('ui')
const isShape = (source: Source) => inFeature(source) && /\/[\w-]+\.ts$/.test(source.file) && nounOf(source.file) !== 'content'
const isModel = (source: Source) => inFeature(source) && /\.server\.tsx?$/.test(source.file)
const isBelow = ({ file }: Source) => file.startsWith('app/platform/') || file.startsWith('app/ui/')
const reachesBrowser = (source: Source) => isShape(source) || /\.(page|layout|island)\.tsx$|^app\/ui\//.test(source.file)
const isOurs = (file = '') => file.startsWith('app/')

const imports: { because: string; from: (source: Source) => boolean; never: (path: Import, source: Source) => boolean }[] = [
  {
    because: 'platform and ui stand below the features',
    from: isBelow,
    never: ({ file }) => isOurs(file) && !/^app\/(platform|ui)\//.test(file ?? ''),
  },
  {
    because: 'ui knows no server and no table',
    from: ({ file }) => file.startsWith('app/ui/'),
    never: ({ file }) => /\.server\.|^db\//.test(file ?? ''),
  },
  { because: 'a shape knows no server and no table', from: isShape, never: ({ file }) => /\.server\.|^db\//.test(file ?? '') },
  {
    because: 'a shape runs anywhere, without React or Node',
    from: isShape,
    never: ({ specifier, typeOnly }) => !typeOnly && /^(node:|react)/.test(specifier),
  },
  { because: 'a browser gets zod/mini, a quarter of the size', from: reachesBrowser, never: ({ specifier }) => specifier === 'zod' },
  {
    because: 'only routes.ts names pages; only server.ts and the file of a noun that registers its endpoints name endpoints',
    from: ({ file }) => file !== 'app/server.ts' && file !== `app/${nounOf(file)}/${nounOf(file)}.api.ts`,
    never: ({ file, specifier }) => /\.(page|layout|api)\.tsx?$/.test(file ?? '') && !specifier.startsWith('./+types/'),
  },
  {
    because: 'a noun uses only those before it',
    from: ({ file }) => rankOf(file) >= 0,
    never: ({ file: to }, { file }) => rankOf(to) > rankOf(file),
  },
  { because: 'no climbing and no barrels', from: () => true, never: ({ specifier }) => /^\.\.\/|(^|\/)index(\.\w+)?$/.test(specifier) },
  {
    because: 'a path says the whole name of its file',
    from: () => true,
    never: ({ specifier }) => /^[.#]/.test(specifier) && !/\.\w+(\?[\w-]+)?$/.test(specifier),
  },
]

test('each folder below app/ is a noun of the line, or it would escape every rule; parts of a noun hold no folders', () => {
  expect(foldersIn('app').filter((folder) => !nouns.includes(folder))).toEqual([])
  const parts = nouns.filter((noun) => noun !== 'content').flatMap((noun) => foldersIn(`app/${noun}`).map((part) => `app/${noun}/${part}`))
  expect(parts.flatMap((part) => foldersIn(part).map((folder) => `${part}/${folder}`))).toEqual([])
})

test('the README names every noun and part, and no other', () => {
  const rows = [...readFileSync('README.md', 'utf8').matchAll(/^\| `app\/([\w-]+)` \|([^|]*)\|/gm)]
  const named = Object.fromEntries(rows.map(([, noun, parts = '']) => [noun, [...parts.matchAll(/`([\w-]+)`/g)].map(([, part]) => part)]))
  expect(named).toEqual(Object.fromEntries(nouns.map((noun) => [noun, foldersIn(`app/${noun}`).toSorted()])))
})

test('parts of a noun use one another without circles', () => {
  const links = files.flatMap(({ file, imports }) => imports.map(({ file: to }) => [partOf(file), partOf(to)] as const))
  const uses = new Map<string, Set<string>>()
  for (const [from, to] of links) {
    if (from && to && from !== to && from.split('/')[0] === to.split('/')[0]) uses.set(from, (uses.get(from) ?? new Set()).add(to))
  }
  expect(circles(uses)).toEqual([])
})

function foldersIn(path: string): string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []))
}

function circles(uses: Map<string, Set<string>>): string[] {
  const found = new Set<string>()
  const done = new Set<string>()
  const walk = (part: string, trail: string[]) => {
    const at = trail.indexOf(part)
    if (at >= 0) found.add([...trail.slice(at), part].join(' → '))
    if (at >= 0 || done.has(part)) return
    for (const next of uses.get(part) ?? []) walk(next, [...trail, part])
    done.add(part)
  }
  for (const part of uses.keys()) walk(part, [])
  return [...found]
}

test.each(imports)('$because', ({ from, never }) => {
  const broken = files
    .filter(from)
    .flatMap((source) => source.imports.filter((path) => never(path, source)).map((path) => `${source.file} imports ${path.specifier}`))
  expect(broken).toEqual([])
})

const texts: { because: string; of: (source: Source) => boolean; never: RegExp }[] = [
  {
    because: 'a model knows no request and no response',
    of: isModel,
    never: /\b(Fastify(Request|Reply)|(?<!\w)(Request|Response)(?=[\s,;)>|[{]))/,
  },
  {
    because: 'one file reads the settings',
    of: ({ file }) => isOurs(file) && file !== 'app/platform/env.server.ts',
    never: /process\.env/,
  },
  {
    because:
      'what one page checks is in the script of the public forms as well: these cost them up to a kilobyte each, and a pattern or a refinement does as well',
    of: reachesBrowser,
    never:
      /\bz\.(pipe|transform|preprocess|codec|intersection|lazy|map|set|date|iso|file|bigint|templateLiteral|url|uuid|guid|email|jwt)\(/,
  },
  {
    because: 'only what React Router asks for is a default export',
    of: ({ file }) => !/\.(page|layout)\.tsx$|^app\/(root|routes|entry\.\w+)\.tsx?$/.test(file),
    never: /^export default/m,
  },
]

test.each(texts)('$because', ({ of, never }) => {
  const broken = files.filter(of).filter((source) => never.test(codeOf(source)))
  expect(broken.map(({ file }) => file)).toEqual([])
})

test('raw SQL is tested on both engines, in its folder or in a part of it, and by the test of its own name', () => {
  const raw = files.filter((source) => isOurs(source.file) && /\bsql(<[^`]*>)?`/.test(codeOf(source))).map(({ file }) => file)
  const onBoth = globSync('app/**/*.{sql,sql.long,postgres}.test.{ts,tsx}')
  expect(raw.filter((file) => !onBoth.some((tested) => tested.startsWith(`${path.dirname(file)}/`)))).toEqual([])
  const named = raw.map((file) => file.replace(/(\.\w+)?\.ts$/, '.test.ts')).filter((file) => existsSync(file))
  expect(named.filter((file) => opensDatabase(readFileSync(file, 'utf8')))).toEqual([])
  expect(raw.length).toBeGreaterThan(50)
})

/** Without comments. */
function codeOf({ text }: Source): string {
  return text.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '')
}

test('a file is called noun.role.ts', () => {
  const roles = /^[a-z\d-]+(\.(server|page|layout|api|island|email))?\.tsx?$/
  expect(
    files
      .filter(inFeature)
      .map(({ file }) => file)
      .filter((file) => !roles.test(file.split('/').at(-1) ?? '')),
  ).toEqual([])
})
