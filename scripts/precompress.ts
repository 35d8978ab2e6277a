import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const COMPRESSIBLE = /\.(js|css|svg|json|txt|xml|webmanifest|ico)$/
const ROUTES = 'assets/manifest-*.js'

/**
 * Writes two compressed copies of each browser file, at the highest level, because each is compressed once and sent many times. The list of routes is
 * written while the server is built, so it is compressed then.
 */
export function precompress(): Plugin {
  let clientDir = ''
  return {
    name: 'winnow:precompress',
    apply: 'build',
    configResolved(config) {
      clientDir = path.resolve(config.root, config.environments['client']?.build.outDir ?? 'build/client')
    },
    writeBundle(_, bundle) {
      const isClient = this.environment.name === 'client'
      const files = isClient ? Object.keys(bundle).filter((file) => !file.startsWith('.vite/')) : globSync(ROUTES, { cwd: clientDir })
      for (const file of files.filter((name) => COMPRESSIBLE.test(name))) compress(path.join(clientDir, file))
    },
  }
}

function compress(file: string) {
  const plain = readFileSync(file)
  for (const [extension, compressed] of [
    ['br', smallestBrotli(plain)],
    ['gz', gzipSync(plain, { level: 9 })],
  ] as const) {
    if (compressed.length < plain.length) writeFileSync(`${file}.${extension}`, compressed)
  }
}

/** Scripts of this size often come out smaller in one large block with a small window. */
const shapes = [{ [constants.BROTLI_PARAM_LGWIN]: 22 }, { [constants.BROTLI_PARAM_LGWIN]: 18, [constants.BROTLI_PARAM_LGBLOCK]: 20 }]

function smallestBrotli(plain: Buffer): Buffer {
  const common = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length }
  const [first, ...others] = shapes.map((shape) => brotliCompressSync(plain, { params: { ...common, ...shape } }))
  return others.reduce((best, each) => (each.length < best.length ? each : best), first ?? plain)
}
