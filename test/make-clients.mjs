import { registerHooks } from 'node:module'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

// Both generators write code with the compiler's JavaScript API, which TypeScript 7 does not have: they get the copy in this package.
const compiler = new URL('old-compiler.mjs', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) => (specifier === 'typescript' ? { url: compiler, shortCircuit: true } : next(specifier, context)),
})

const [folder = ''] = process.argv.slice(2)
const description = path.join(folder, 'openapi.json')
const { default: describe, astToString } = await import('openapi-typescript')
writeFileSync(path.join(folder, 'schema.ts'), astToString(await describe(JSON.parse(readFileSync(description, 'utf8')))))
const { createClient } = await import('@hey-api/openapi-ts')
await createClient({
  input: description,
  output: { path: path.join(folder, 'client'), module: { extension: '.ts' } },
  logs: { level: 'silent', file: false },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
})
