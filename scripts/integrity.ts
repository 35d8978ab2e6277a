import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin, Rolldown } from 'vite'

/**
 * Writes the hash of every browser script beside the server, which puts them into its pages: each script after those that it imports. Runs
 * last, because the route manifest is written late.
 */
export function integrity(): Plugin {
  let clientDir = ''
  let ordered: string[] = []
  return {
    name: 'winnow:integrity',
    apply: 'build',
    configResolved(config) {
      clientDir = path.resolve(config.root, config.environments['client']?.build.outDir ?? 'build/client')
    },
    writeBundle({ dir = '' }, bundle) {
      if (this.environment.name === 'client') ordered = importsFirst(bundle)
      if (this.environment.name !== 'ssr') return
      const scripts = new Set([...ordered, ...globSync('assets/*.js', { cwd: clientDir })])
      const hashes = [...scripts].map((file) => [`/${file}`, `sha256-${hashOf(path.join(clientDir, file))}`])
      writeFileSync(path.join(dir, 'integrity.json'), JSON.stringify(Object.fromEntries(hashes)))
    },
  }
}

function importsFirst(bundle: Rolldown.OutputBundle): string[] {
  const found = new Set<string>()
  const seen = new Set<string>()
  function visit(name: string) {
    const file = bundle[name]
    if (file?.type !== 'chunk' || seen.has(name)) return
    seen.add(name)
    file.imports.forEach(visit)
    found.add(name)
  }
  Object.keys(bundle).forEach(visit)
  return [...found]
}

/** SHA-256 is as safe here as a longer hash, and hashes do not compress. */
function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('base64')
}
