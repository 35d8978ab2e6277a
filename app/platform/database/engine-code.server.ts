import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

let code: Promise<WebAssembly.Module> | undefined

/**
 * The compiled code of the embedded engine. Another thread compiles it: the start calls this first, loads the product meanwhile, and awaits
 * it last.
 */
export function compileEngine(): Promise<WebAssembly.Module> {
  if (code) return code
  const folder = path.dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  // In one read: loading the product leaves the event loop no turn for a second one.
  const compiled = WebAssembly.compile(readFileSync(path.join(folder, 'pglite.wasm')))
  // `openEmbedded` awaits it and gets the error.
  compiled.catch(() => (code = undefined))
  return (code = compiled)
}
