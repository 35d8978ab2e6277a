// Runs the product from its source: saved pages and islands update in the browser, and a change on the server restarts everything.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createVite, createServerModuleRunner } from 'vite'

type Site = { handle: (request: IncomingMessage, response: ServerResponse) => void; end: () => Promise<void> }
type Code = {
  server: typeof import('../app/server.ts')
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

http.listen(env.PORT, env.HOST)
vite.watcher.on('all', (_event, file) => {
  if (!vite.environments.ssr.moduleGraph.getModulesByFile(file)?.size) return
  // Editors often save several files together.
  clearTimeout(waiting)
  waiting = setTimeout(() => void (site = reopen(site)), 50)
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void end())

async function open(): Promise<Site> {
  const code: Code = {
    server: await runner.import('/app/server.ts'),
    cacheServer: await runner.import('/app/platform/page-cache/cache-server.server.ts'),
    welcome: await runner.import('/app/welcome.server.ts'),
  }
  const cacheServer = new code.cacheServer.CacheServer()
  const { startWork, stop } = await code.server.open(cacheServer)
  process.stdout.write(await code.welcome.welcome())
  await startWork()
  return { handle: (request, response) => cacheServer.handle(request, response), end: stop }
}

/** Stops the running code before the new code starts, because the embedded database allows one process. */
async function reopen(before: Promise<Site>): Promise<Site> {
  await before.then(({ end: close }) => close()).catch(() => undefined)
  runner.clearCache()
  const opened = open()
  await opened.catch((error: unknown) => vite.config.logger.error(String(error instanceof Error ? error.stack : error)))
  vite.environments.client.hot.send('winnow:server-changed')
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
