// The file that starts the product.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { env } from '#app/platform/env.server.ts'
import { refuseTakenPort } from '#app/platform/http/free-port.server.ts'
import { endWhenAsked, endWhenBroken, giveUp } from '#app/platform/http/lifecycle.server.ts'
import { CacheServer } from '#app/platform/page-cache/cache-server.server.ts'
import { ClientFiles } from '#app/platform/page-cache/client-files.server.ts'
import { keepNewFilesPrivate } from '#app/platform/files/private-files.server.ts'
import { runCommand } from './commands.server.ts'
import { open } from './running.server.ts'
import { welcome } from './welcome.server.ts'

/** The build's folder for browser files. In development, Vite serves them. */
const clientFolder = path.join(import.meta.dirname, '../client')

main(process.argv.slice(2))

/** Serves until a signal ends it. */
async function serve() {
  endWhenBroken()
  const files = new ClientFiles(clientFolder)
  const cacheServer = new CacheServer(files)
  await refuseTakenPort(env.PORT, env.HOST)
  // The first start listens early and responds 503. Any other start opens its port when ready, so a load balancer sends nothing too early.
  const isFirst = !env.DATABASE_URL && (!existsSync(env.DATA_DIR) || readdirSync(env.DATA_DIR).length === 0)
  process.stdout.write(isFirst ? 'Creating the database …\n' : 'Opening the database …\n')
  if (isFirst) await cacheServer.listen(env.PORT, env.HOST)
  const running = await open(cacheServer)
  endWhenAsked(running.stop)
  if (!isFirst) await cacheServer.listen(env.PORT, env.HOST)
  process.stdout.write(await welcome())
  await running.startWork()
  await files.readAll()
}

/** Serves, or runs the operator's command. The process ends with the exit code of a command. */
function main(words: string[]) {
  keepNewFilesPrivate()
  const work = words.length > 0 ? runCommand(words).then((code) => process.exit(code)) : serve()
  work.catch(giveUp)
}
