// The second file of the process (main.js), apart from the first so that its code is cached as well. Another thread compiles PGlite while this one loads
// the product.
import { compileEngine } from '#app/platform/database/engine-code.server.ts'
import { env } from '#app/platform/env.server.ts'

const words = process.argv.slice(2)
if (words.length === 0 && !env.DATABASE_URL) void compileEngine()

void import('./server.ts').then(({ main }) => main(words))
