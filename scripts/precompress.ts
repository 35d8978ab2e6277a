import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const COMPRESSIBLE = /\.(js|css|svg|json|txt|xml|webmanifest|ico)$/

/** Writes two compressed copies of each browser file, at the highest level, because each is compressed once and sent many times. */
export function precompress(): Plugin {
  return {
    name: 'winnow:precompress',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    writeBundle({ dir = '' }, bundle) {
      for (const name of Object.keys(bundle).filter((file) => COMPRESSIBLE.test(file) && !file.startsWith('.vite/'))) {
        compress(path.join(dir, name))
      }
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
