import type { Source } from './source.ts'

type Graph = Map<string, string[]>

/** Imports of types count. */
function graphOf(sources: Source[]): Graph {
  const known = new Set(sources.map(({ file }) => file))
  return new Map(sources.map(({ file, imports }) => [file, imports.flatMap(({ file: to }) => (to && known.has(to) ? [to] : []))]))
}

/** Each cycle once, as a list of its files. */
export function cyclesOf(sources: Source[]): string[] {
  const graph = graphOf(sources)
  const cycles = new Set<string>()
  const done = new Set<string>()
  const walk = (file: string, trail: string[]) => {
    const at = trail.indexOf(file)
    if (at >= 0) cycles.add([...trail.slice(at), file].join(' → '))
    if (at >= 0 || done.has(file)) return
    for (const next of graph.get(file) ?? []) walk(next, [...trail, file])
    done.add(file)
  }
  for (const file of graph.keys()) walk(file, [])
  return [...cycles]
}
