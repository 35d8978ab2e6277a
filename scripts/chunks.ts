import { createHash } from 'node:crypto'
import path from 'node:path'
import type { Plugin } from 'vite'
import { graphOf, idsOf, reachOf } from './module-graph.ts'

/**
 * The code that every page with script needs is one file: many small ones compress less well, and each is a request. The live forms of public pages need one
 * file more, which signed-in pages do not load.
 */
const BASE =
  /vite\/preload-helper|app\/content\/(contact-options|hours)\.ts$|node_modules\/(react|react-dom|scheduler|zod)\/|app\/leads\/enquiry-limits\.ts$|app\/ui\/(button|button-look|class-names|error-summary|field|input|toast|toaster)\.tsx?$|app\/platform\/(problem|browser\/(data-changed|first-errors|hydration))\.tsx?$/
const FORM = /app\/(leads\/form\/(enquiry-form|enquiry-fields)|platform\/islands\/hydrate)\.tsx?$/
const ROUTER = /node_modules\/react-router\/|app\/entry\.client\.tsx$/

/** Pages of the workspace ask the API. */
const ASKS = /react-query\/build\/modern\/useBaseQuery/
/** Code that as many of them need is loaded with the first. */
const COMMON = 9
/** In characters of source. A large part would cost the other pages more than it saves. */
const SMALL = 6_000
/** The same, for a part that public pages load too, with the frame. */
const TINY = 2_500
/** Modules with as many users or more are in one group, which tells them apart by name only. */
const MOST_USERS = 24

/**
 * Cuts the browser's code into files: the base, the router, the frame of every page, what pages of the workspace have in common, and one for
 * each page, so that a page needs a dozen requests. Modules that a page shares with its own later parts alone stay with the page. Pages name the files that they
 * need in their head, so `import()` in them needs no list of its own: Vite's helper would add a kilobyte to every live form.
 */
export function chunks(): Plugin {
  let frame = new Set<string>()
  let workspace = new Set<string>()
  let islands = new Set<string>()
  /** The pages, layouts and islands that load a module at once. */
  let usersOf = new Map<string, string[]>()
  const groups = [
    { name: 'base', test: BASE, priority: 5 },
    { name: 'form', test: FORM, priority: 4 },
    { name: 'router', test: ROUTER, priority: 3 },
    { name: 'bits', test: (id: string) => islands.has(id), priority: 2.5, entriesAware: true },
    { name: 'frame', test: (id: string) => frame.has(id), priority: 2 },
    { name: 'workspace', test: (id: string) => workspace.has(id), priority: 1 },
    // A group takes the dependencies of its modules. These have at least as many users, so the groups before have taken those of others.
    ...Array.from({ length: MOST_USERS }, (_, index) => ({
      name: (id: string) => nameOf(usersOf.get(id) ?? []),
      debugName: 'parts of several pages',
      test: (id: string) => Math.min(usersOf.get(id)?.length ?? 0, MOST_USERS) === MOST_USERS - index,
      priority: 1 - (index + 1) / (MOST_USERS + 1),
    })),
  ]
  return {
    name: 'winnow:chunks',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    config: () => ({
      environments: { client: { build: { modulePreload: false, rolldownOptions: { output: { codeSplitting: { groups } } } } } },
    }),
    load: {
      filter: { id: /vite\/preload-helper/ },
      handler: () => 'export const __vitePreload = (load) => load()',
    },
    buildEnd() {
      const graph = graphOf(this)
      const reached = (test: RegExp) => reachOf(graph, idsOf(graph, test))
      const pages = idsOf(graph, /^app\/.*\.page\.tsx\?/).map((id) => reachOf(graph, [id]))
      const asking = pages.filter((page) => [...page].some((id) => ASKS.test(id)))
      const calm = new Set(pages.filter((page) => !asking.includes(page)).flatMap((page) => [...page]))
      const isCommon = (id: string) => asking.filter((page) => page.has(id)).length >= COMMON
      const common = [...graph.keys()].filter(isCommon)
      // With their later parts: on a public page nothing may load the frame, which would begin to render it.
      const ofIslands = reachOf(graph, idsOf(graph, /\.island\.tsx?$/), { withLater: true })
      const ofFrame = reached(/^app\/root\.tsx/)
      /** A part comes with all that it needs. */
      const isBelow = (most: number) => (id: string) => {
        const parts = [...reachOf(graph, [id]).difference(ofFrame)].filter((part) => !BASE.test(part) && !ROUTER.test(part))
        return parts.reduce((sum, part) => sum + (graph.get(part)?.size ?? 0), 0) < most
      }
      const isSmall = (id: string) => (graph.get(id)?.size ?? 0) < SMALL
      frame = ofFrame.union(new Set(common.filter(isBelow(TINY))).difference(ofIslands))
      // A page that does not ask must not load all of this for a part of it, nor a public page the frame.
      workspace = reached(/^app\/account\/session\/workspace\.layout\.tsx/)
        .union(new Set(common.filter(isSmall)))
        .difference(frame)
        .difference(calm)
      // A group takes the dependencies of its modules as well, so the later parts need a group before all others.
      const later = ofIslands.difference(reached(/\.island\.tsx?$/))
      islands = ofIslands.intersection(reachOf(graph, [...frame, ...workspace])).union(later)
      usersOf = new Map()
      const begins = idsOf(graph, /^app\/.*\.(page|layout)\.tsx\?|\.island\.tsx?$|^app\/root/)
      for (const begin of begins) {
        const user = path.relative(process.cwd(), begin).replace(/\?.*/, '')
        for (const id of reachOf(graph, [begin])) usersOf.set(id, [...(usersOf.get(id) ?? []), user])
      }
      // Those of a public page or an island alone need no group.
      const isAlone = (users: string[], id: string) =>
        users.length === 1 && (calm.has(id) || users.some((user) => user.includes('.island.')))
      for (const [id, users] of usersOf) if (isAlone(users, id)) usersOf.delete(id)
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type !== 'chunk' || !file.isDynamicEntry || !file.viteMetadata?.importedCss.size) continue
          this.error(`${file.name} is loaded with import(), so its styles would be missing: import them where the page does.`)
        }
      },
    },
  }
}

/** The file of what these pages, layouts and islands share. */
function nameOf(users: string[]): string {
  const [user = ''] = users
  if (users.length === 1) return `${path.basename(user).replace(/\..*/, '')}-own`
  return `shared-${createHash('sha256').update(users.toSorted().join()).digest('hex').slice(0, 8)}`
}
