import type { Source } from './source.ts'

type Graph = Map<string, string[]>

function graphOf(sources: Source[], withTypes: boolean): Graph {
  const known = new Set(sources.map(({ file }) => file))
  return new Map(
    sources.map(({ file, imports }) => [
      file,
      imports.filter(({ typeOnly }) => withTypes || !typeOnly).flatMap(({ file: to }) => (to && known.has(to) ? [to] : [])),
    ]),
  )
}

/** Each cycle once, as the files on the way round; imports of types count. */
export function cyclesOf(sources: Source[]): string[] {
  const graph = graphOf(sources, true)
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

/** The longest way from a file down its imports, as it is at run time: imports of types are gone by then. */
export function longestChainOf(sources: Source[]): string[] {
  const graph = graphOf(sources, false)
  const chains = new Map<string, string[]>()
  const chainFrom = (file: string): string[] => {
    const known = chains.get(file)
    if (known) return known
    // A file that is met again while its chain is still unknown closes a cycle, which another measure reports.
    chains.set(file, [file])
    const chain = [file, ...longest((graph.get(file) ?? []).map(chainFrom))]
    chains.set(file, chain)
    return chain
  }
  return longest([...graph.keys()].map(chainFrom))
}

function longest(chains: string[][]): string[] {
  return chains.reduce((best, chain) => (chain.length > best.length ? chain : best), [])
}
