// Runs the product from its source: a saved page or component is loaded again while the server runs on; other code of the server restarts it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { stripVTControlCharacters } from 'node:util'
import { createServer as createVite, createServerModuleRunner, type ErrorPayload } from 'vite'

type Site = { handle: (request: IncomingMessage, response: ServerResponse) => void; forgetPages: () => void; end: () => Promise<void> }
type Code = {
  server: typeof import('../app/running.server.ts')
  cacheServer: typeof import('../app/platform/page-cache/cache-server.server.ts')
  welcome: typeof import('../app/welcome.server.ts')
}

// Other users may not read the product's files.
process.umask(0o077)

const http = createServer((request, response) => vite.middlewares(request, response, () => void answer(request, response)))
const vite = await createVite({ appType: 'custom', server: { middlewareMode: true, hmr: { server: http } } })
const runner = createServerModuleRunner(vite.environments.ssr, { hmr: false })
const { env }: typeof import('../app/platform/env.server.ts') = await runner.import('/app/platform/env.server.ts')

let site = open()
let waiting: NodeJS.Timeout | undefined
let changed = new Set<string>()
let problem: ErrorPayload | undefined

http.listen(env.PORT, env.HOST)
vite.watcher.on('all', (_event, file) => {
  if (!runner.evaluatedModules.getModulesByFile(file)?.size) return
  changed.add(file)
  // Editors often save several files together.
  clearTimeout(waiting)
  waiting = setTimeout(() => void renew(), 50)
})
// A page that is opened meanwhile shows the error too.
vite.environments.client.hot.on('vite:client:connect', (_data, client) => problem && client.send(problem))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void end())

async function open(): Promise<Site> {
  const code: Code = {
    server: await runner.import('/app/running.server.ts'),
    cacheServer: await runner.import('/app/platform/page-cache/cache-server.server.ts'),
    welcome: await runner.import('/app/welcome.server.ts'),
  }
  const cacheServer = new code.cacheServer.CacheServer()
  const { startWork, stop } = await code.server.open(cacheServer)
  process.stdout.write(await code.welcome.welcome())
  await startWork()
  return {
    handle: (request, response) => cacheServer.handle(request, response),
    forgetPages: () => cacheServer.cache.forget(() => true),
    end: stop,
  }
}

const PAGES = 'virtual:react-router/server-build'

/** Loads the changed files again, and all that import them. Only pages can be replaced while the server runs. */
async function renew() {
  const files = changed
  changed = new Set()
  const modules = importersOf(files)
  // Vite does this as well, perhaps later.
  for (const file of files) vite.environments.ssr.moduleGraph.onFileChange(file)
  if (modules.some(({ file }) => file.endsWith('/app/running.server.ts'))) return void (site = reopen(site))
  for (const module of modules) runner.evaluatedModules.invalidateModule(module)
  try {
    await runner.import(PAGES)
    const { forgetPages } = await site
    forgetPages()
    tellBrowsers()
  } catch (error) {
    show(error)
  }
}

/** The modules of these files and their importers, up to the pages. */
function importersOf(files: Iterable<string>) {
  const { evaluatedModules } = runner
  const found = new Set([...files].flatMap((file) => [...(evaluatedModules.getModulesByFile(file) ?? [])]))
  // A set also yields what is added meanwhile.
  for (const { id, importers } of found) {
    const above = id.endsWith(PAGES) ? [] : [...importers]
    for (const module of above.flatMap((importer) => evaluatedModules.getModuleById(importer) ?? [])) found.add(module)
  }
  return [...found]
}

function tellBrowsers() {
  problem = undefined
  vite.environments.client.hot.send('winnow:server-changed')
}

/** Shows an error in the terminal and over the page. */
function show(error: unknown) {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  vite.config.logger.error(stack)
  problem = { type: 'error', err: { message: stripVTControlCharacters(message), stack: stripVTControlCharacters(stack) } }
  vite.environments.client.hot.send(problem)
}

/** Stops the running code before the new code starts, because the embedded database allows one process. */
async function reopen(before: Promise<Site>): Promise<Site> {
  await before.then(({ end: close }) => close()).catch(() => undefined)
  runner.clearCache()
  const opened = open()
  opened.then(tellBrowsers, show)
  return opened
}

async function answer(request: IncomingMessage, response: ServerResponse) {
  try {
    const { handle } = await site
    handle(request, response)
  } catch (error) {
    response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' })
    response.end(error instanceof Error ? error.stack : String(error))
  }
}

async function end() {
  await site.then(({ end: close }) => close()).catch(() => undefined)
  process.exit(0)
}
