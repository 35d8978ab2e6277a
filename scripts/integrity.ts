import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'

/** Writes the hash of every browser script beside the server, which puts them into its pages. Runs last, because the route manifest is written late. */
export function integrity(): Plugin {
  let clientDir = ''
  return {
    name: 'winnow:integrity',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'ssr',
    configResolved(config) {
      clientDir = path.resolve(config.root, config.environments['client']?.build.outDir ?? 'build/client')
    },
    writeBundle({ dir = '' }) {
      const scripts = globSync('assets/*.js', { cwd: clientDir })
      const hashes = scripts.map((file) => [`/${file}`, `sha256-${hashOf(path.join(clientDir, file))}`])
      writeFileSync(path.join(dir, 'integrity.json'), JSON.stringify(Object.fromEntries(hashes)))
    },
  }
}

/** SHA-256 is as safe here as a longer hash, and hashes do not compress. */
function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('base64')
}
