// The first file of the process (index.js). It is small, because Node compiles it at each start. A server loads the rest through the code cache, which
// has compiled functions too; operator commands load it with Node's `require`.
import { createRequire, getCompileCacheDir } from 'node:module'
import path from 'node:path'
import { codeCache } from '#app/platform/code-cache.server.ts'

const main = path.join(import.meta.dirname, 'main.js')
const isServer = process.argv.length === 2
if (isServer && getCompileCacheDir() !== undefined) codeCache.load(main)
else createRequire(main)(main)
