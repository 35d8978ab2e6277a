// Begins the work of the process. The embedded engine compiles on another thread while this one loads the product.
import { compileEngine } from '#app/platform/database/engine-code.server.ts'
import { env } from '#app/platform/env.server.ts'

const words = process.argv.slice(2)
if (words.length === 0 && !env.DATABASE_URL) void compileEngine()

void import('./server.ts').then(({ main }) => main(words))
