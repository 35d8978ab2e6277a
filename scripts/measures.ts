import { countCasts, countNodes, deepest, functionsOf } from './measure-code.ts'
import { cyclesOf } from './measure-imports.ts'
import { readSources, type Source } from './source.ts'

type Measure = { what: string; found: number | string; bar: string; ok: boolean; where?: string[] }

const sources = readSources()
const product = sources.filter(({ part }) => part === 'product')
const tests = sources.filter(({ part }) => part === 'test')

/** Names that React Router gives a meaning: each page has its own. */
const FRAMEWORK_NAMES = new Set(['loader', 'action', 'meta', 'handle', 'links', 'headers', 'shouldRevalidate', 'ErrorBoundary', 'default'])

const measures: Measure[] = [
  ...fileLengths(),
  ...functionLengths(),
  nesting(),
  ...imports(),
  ...typeHoles(),
  uncheckedTypes(),
  doubledNames(),
  vagueFolders(),
  platformShare(),
  testShare(),
]

const width = Math.max(...measures.map(({ what }) => what.length))
for (const { what, found, bar, ok, where = [] } of measures) {
  process.stdout.write(`${ok ? 'ok  ' : 'FAIL'}  ${what.padEnd(width)}  ${String(found).padStart(6)}  (${bar})\n`)
  if (!ok) for (const place of where.slice(0, 20)) process.stdout.write(`        ${place}\n`)
}
process.exitCode = measures.every(({ ok }) => ok) ? 0 : 1

function fileLengths(): Measure[] {
  const sorted = sources.toSorted((one, other) => other.lines - one.lines)
  const longest = sorted.map(({ file, lines }) => `${file}: ${lines}`)
  const at = (share: number) => sorted[Math.floor(sorted.length * (1 - share))]?.lines ?? 0
  return [
    atMost('file length, 95th percentile', at(0.95), 250, longest),
    atMost('file length, longest but for the map of tables', sorted.find(({ file }) => file !== 'db/tables.ts')?.lines ?? 0, 500, longest),
  ]
}

function functionLengths(): Measure[] {
  const named = sources.flatMap(functionsOf)
  const long = named.filter(({ lines }) => lines > 50)
  const where = long.map(({ file, name, lines }) => `${file} ${name}: ${lines}`)
  return [atMost('functions over 50 lines, in percent', percent(long.length, named.length), 2, where)]
}

function nesting(): Measure {
  const depths = sources.map((source) => ({ file: source.file, depth: deepest(source) }))
  const worst = Math.max(...depths.map(({ depth }) => depth))
  const where = depths.filter(({ depth }) => depth > 3).map(({ file, depth }) => `${file}: ${depth}`)
  return atMost('nesting of control flow, deepest', worst, 3, where)
}

function imports(): Measure[] {
  const cycles = cyclesOf(product)
  return [atMost('import cycles', cycles.length, 0, cycles)]
}

function typeHoles(): Measure[] {
  const lines = total(sources)
  const found = (count: (source: Source) => number) =>
    sources.map((source) => ({ file: source.file, count: count(source) })).filter(({ count: n }) => n > 0)
  const anys = found((source) => countNodes(source, 'TSAnyKeyword'))
  const casts = found(countCasts)
  const sum = (places: { count: number }[]) => places.reduce((all, { count }) => all + count, 0)
  const list = (places: { file: string; count: number }[]) => places.map(({ file, count }) => `${file}: ${count}`)
  return [
    atMost('any', sum(anys), 0, list(anys)),
    atMost('casts per 1,000 lines', Math.round((sum(casts) / lines) * 10_000) / 10, 1, list(casts)),
  ]
}

/** Types that are claimed for outside data: a generic of `sql`, and a type beside `JSON.parse`. */
function uncheckedTypes(): Measure {
  const places = product.flatMap(({ file, text }) =>
    [...text.matchAll(/\bsql<(?!unknown)|: (?!unknown)[\w<>{}[\], |]+ = JSON\.parse\(/g)].map(
      ({ index }) => `${file}:${text.slice(0, index).split('\n').length}`,
    ),
  )
  return atMost('types of SQL and JSON that nothing checks', places.length, 20, places)
}

function doubledNames(): Measure {
  const places = Map.groupBy(
    product
      .flatMap(({ file, text }) =>
        [...text.matchAll(/^export (?:async )?(?:function\*?|const|let|class|type|interface) (\w+)/gm)].map(([, name = '']) => ({
          file,
          name,
        })),
      )
      .filter(({ name }) => !FRAMEWORK_NAMES.has(name)),
    ({ file, name }) => `${nounOf(file)} ${name}`,
  )
  const doubled = [...places].filter(([, found]) => new Set(found.map(({ file }) => file)).size > 1)
  const where = doubled.map(([name, found]) => `${name}: ${found.map(({ file }) => file).join(', ')}`)
  return atMost('exported names that mean two things in one noun', doubled.length, 0, where)
}

/** `app/leads/contact.ts` belongs to leads, and `db/seed.ts` to db. */
function nounOf(file: string): string {
  return file.replace(/^app\//, '').split('/')[0] ?? ''
}

function vagueFolders(): Measure {
  const vague = sources.map(({ file }) => file).filter((file) => /(^|\/)(utils?|lib|helpers?|shared|common)\//.test(file))
  return atMost('folders that say nothing (utils, lib, helpers, shared)', vague.length, 0, vague)
}

function platformShare(): Measure {
  const platform = product.filter(({ file }) => file.startsWith('app/platform/'))
  return atMost('platform, percent of the product', percent(total(platform), total(product)), 15)
}

/** The words and figures of the site are data: content tests cover them, and a new sentence needs no further test. */
function testShare(): Measure {
  const behaviour = product.filter(({ file }) => !file.startsWith('app/content/'))
  const ratio = Math.round((total(tests) / total(behaviour)) * 100) / 100
  return { what: 'lines of tests to lines of product', found: ratio, bar: '0.5 to 1', ok: ratio >= 0.5 && ratio <= 1 }
}

function atMost(what: string, found: number, bar: number, where?: string[]): Measure {
  return { what, found, bar: `at most ${bar}`, ok: found <= bar, ...(where && { where }) }
}

function total(files: Source[]): number {
  return files.reduce((sum, { lines }) => sum + lines, 0)
}

function percent(part: number, whole: number): number {
  return Math.round((part / whole) * 1000) / 10
}
