import { countNodes, deepest, functionsOf } from './measure-code.ts'
import { cyclesOf } from './measure-imports.ts'
import { readSources } from './source.ts'

type Measure = { what: string; found: number; most: number; where: string[] }

const sources = readSources()
const measures = [functionLengths(), nesting(), cycles(), holes()]

const width = Math.max(...measures.map(({ what }) => what.length))
for (const { what, found, most, where } of measures) {
  const isOk = found <= most
  process.stdout.write(`${isOk ? 'ok  ' : 'FAIL'}  ${what.padEnd(width)}  ${String(found).padStart(6)}  (at most ${most})\n`)
  if (!isOk) for (const place of where.slice(0, 20)) process.stdout.write(`        ${place}\n`)
}
process.exitCode = measures.every(({ found, most }) => found <= most) ? 0 : 1

function functionLengths(): Measure {
  const named = sources.flatMap(functionsOf)
  const long = named.filter(({ lines }) => lines > 50)
  const found = Math.round((long.length / named.length) * 1000) / 10
  return {
    what: 'functions over 50 lines, in percent',
    found,
    most: 2,
    where: long.map(({ file, name, lines }) => `${file} ${name}: ${lines}`),
  }
}

function nesting(): Measure {
  const depths = sources.map((source) => ({ file: source.file, depth: deepest(source) }))
  const where = depths.filter(({ depth }) => depth > 3).map(({ file, depth }) => `${file}: ${depth}`)
  return { what: 'nesting of control flow, deepest', found: Math.max(...depths.map(({ depth }) => depth)), most: 3, where }
}

function cycles(): Measure {
  const where = cyclesOf(sources.filter(({ part }) => part === 'product'))
  return { what: 'import cycles', found: where.length, most: 0, where }
}

function holes(): Measure {
  const where = sources.filter((source) => countNodes(source, 'TSAnyKeyword') > 0).map(({ file }) => file)
  return { what: 'files with any', found: where.length, most: 0, where }
}
