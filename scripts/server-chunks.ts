import type { Plugin } from 'vite'
import { graphOf, idsOf, reachOf } from './module-graph.ts'

const SERVER = /^app\/server\.ts$/
/** Commands of the operator load no pages. */
const PAGES = /virtual:react-router\/server-build$/
/** Files that load little on purpose: the first two of the process, and those of its threads and child processes. */
const LEAN =
  /^app\/(start|main)\.server\.ts$|\/(read-email-worker|busy-worker|render-worker|query-starter|query-child|import-process)\.server\.ts$/
/** The eight lean files and the server. */
const MOST_USERS = 9

/**
 * Puts the server's code into two files, because Node takes longer to find and open 200 files than to read their code. Modules of lean files
 * stay apart, in one file for each set of users: a lean file loads nothing of the server, and the server no parser that only a thread needs. Code for
 * later keeps files of its own.
 */
export function serverChunks(): Plugin {
  let server = new Set<string>()
  let pages = new Set<string>()
  let usersOf = new Map<string, string[]>()
  const isFor = (count: number) => (id: string) => (usersOf.get(id)?.length ?? 0) === count
  const groups = [
    // A group takes the dependencies of its modules. A dependency has at least the users of its module, and one with more is in a group before.
    ...Array.from({ length: MOST_USERS }, (_, index) => ({
      name: (id: string) => `for-${(usersOf.get(id) ?? []).join('-')}`,
      debugName: 'parts of lean files',
      test: isFor(MOST_USERS - index),
      priority: MOST_USERS + 1 - index,
    })),
    { name: 'product', test: (id: string) => server.has(id), priority: 1 },
    { name: 'pages', test: (id: string) => pages.has(id), priority: 0 },
  ]
  return {
    name: 'winnow:server-chunks',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'ssr',
    config: () => ({ environments: { ssr: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } } } }),
    buildEnd() {
      const graph = graphOf(this)
      // The server finds its other files beside its own.
      server = reachOf(graph, idsOf(graph, SERVER)).difference(new Set(idsOf(graph, SERVER)))
      pages = reachOf(graph, idsOf(graph, PAGES))
      usersOf = new Map()
      for (const lean of idsOf(graph, LEAN)) {
        const user = /([\w-]+)\.server\.ts$/.exec(lean)?.[1] ?? ''
        // The file itself begins its work when it is loaded, so nothing else may be in its chunk.
        for (const id of reachOf(graph, [lean]).difference(new Set([lean]))) usersOf.set(id, [...(usersOf.get(id) ?? []), user])
      }
      for (const [id, users] of usersOf) if (server.has(id) || pages.has(id)) usersOf.set(id, [...users, 'server'])
    },
  }
}
