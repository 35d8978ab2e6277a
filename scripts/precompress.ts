import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const COMPRESSIBLE = /\.(js|css|svg|json|txt|xml|webmanifest|ico)$/

/** Writes each file for browsers a second and a third time, compressed as well as can be: it is done once and sent for ever. */
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
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: 22,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
  }
  for (const [extension, compressed] of [
    ['br', brotliCompressSync(plain, { params })],
    ['gz', gzipSync(plain, { level: 9 })],
  ] as const) {
    if (compressed.length < plain.length) writeFileSync(`${file}.${extension}`, compressed)
  }
}
