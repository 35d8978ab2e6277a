import path from 'node:path'
import type { Rolldown } from 'vite'

/** The path of a module in this project, the modules that it loads, at once or later, and its characters of source. */
type Module = { file: string; needs: readonly string[]; later: readonly string[]; size: number }
type Graph = ReadonlyMap<string, Module>

/** Each question about a module copies all that the bundler knows of it, so each is asked once. */
export function graphOf(context: Rolldown.PluginContext): Graph {
  const root = process.cwd()
  const modules = [...context.getModuleIds()].map((id): [string, Module] => {
    const { importedIds = [], dynamicallyImportedIds = [], code } = context.getModuleInfo(id) ?? {}
    return [id, { file: path.relative(root, id), needs: importedIds, later: dynamicallyImportedIds, size: code?.length ?? 0 }]
  })
  return new Map(modules)
}

/** The modules of our own with such a path. */
export function idsOf(graph: Graph, test: RegExp): string[] {
  return [...graph].flatMap(([id, { file }]) => (test.test(file) ? id : []))
}

type Reach = { withLater?: boolean; found?: Set<string> }

/** The modules that are loaded with these, or also later with `import()`. */
export function reachOf(graph: Graph, ids: readonly string[], { withLater = false, found = new Set() }: Reach = {}): Set<string> {
  for (const id of ids) {
    if (found.has(id)) continue
    found.add(id)
    const { needs = [], later = [] } = graph.get(id) ?? {}
    reachOf(graph, withLater ? [...needs, ...later] : needs, { withLater, found })
  }
  return found
}
