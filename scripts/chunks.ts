import path from 'node:path'
import type { Plugin, Rolldown } from 'vite'

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
/** Code that so many of them need is loaded with the first. */
const COMMON = 0.35
/** In characters of source. A large part would cost the other pages more than it saves. */
const SMALL = 6_000

/**
 * Cuts the browser's code into files: the base, the router, the frame of every page, and what pages of the workspace have in common. Pages name the files that they
 * need in their head, so `import()` in them needs no list of its own: Vite's helper would add a kilobyte to every live form.
 */
export function chunks(): Plugin {
  let frame = new Set<string>()
  let workspace = new Set<string>()
  let islands = new Set<string>()
  const groups = [
    { name: 'base', test: BASE, priority: 5 },
    { name: 'form', test: FORM, priority: 4 },
    { name: 'router', test: ROUTER, priority: 3 },
    { name: 'bits', test: (id: string) => islands.has(id), priority: 2.5, entriesAware: true },
    { name: 'frame', test: (id: string) => frame.has(id), priority: 2 },
    { name: 'workspace', test: (id: string) => workspace.has(id), priority: 1 },
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
      const reached = (test: RegExp) => reachOf(this, idsOf(this, test))
      frame = reached(/^app\/root\.tsx/)
      const pages = idsOf(this, /^app\/.*\.page\.tsx\?/).map((id) => reachOf(this, [id]))
      const asking = pages.filter((page) => [...page].some((id) => ASKS.test(id)))
      const calm = new Set(pages.filter((page) => !asking.includes(page)).flatMap((page) => [...page]))
      const isCommon = (id: string) => asking.filter((page) => page.has(id)).length >= COMMON * asking.length
      const isSmall = (id: string) => (this.getModuleInfo(id)?.code?.length ?? 0) < SMALL
      const common = new Set([...this.getModuleIds()].filter((id) => isSmall(id) && isCommon(id)))
      // A page that does not ask must not load all of this for a part of it, nor a public page the frame.
      workspace = reached(/^app\/account\/session\/workspace\.layout\.tsx/)
        .union(common)
        .difference(frame)
        .difference(calm)
      islands = reached(/\.island\.tsx?$/).intersection(frame.union(workspace))
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

/** The modules of our own with such a path. */
function idsOf(context: Rolldown.PluginContext, test: RegExp): string[] {
  return [...context.getModuleIds()].filter((id) => test.test(path.relative(process.cwd(), id)))
}

/** The modules that are loaded with these. */
function reachOf(context: Rolldown.PluginContext, ids: string[], found = new Set<string>()): Set<string> {
  for (const id of ids) {
    if (found.has(id)) continue
    found.add(id)
    reachOf(context, [...(context.getModuleInfo(id)?.importedIds ?? [])], found)
  }
  return found
}
