// The first file of the process: it loads the others. Where Node stores compiled code, the server's is stored more completely.
import { createRequire, getCompileCacheDir } from 'node:module'
import path from 'node:path'
import { compiledCode } from '#app/platform/compiled-code.server.ts'

const main = path.join(import.meta.dirname, 'main.js')
const isServer = process.argv.length === 2
if (isServer && getCompileCacheDir() !== undefined) compiledCode.load(main)
else createRequire(main)(main)
