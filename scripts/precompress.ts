import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const COMPRESSIBLE = /\.(js|css|svg|json|txt|xml|webmanifest|ico)$/
const ROUTES = 'assets/manifest-*.js'

/**
 * Writes two compressed copies of each browser file, at the highest level, because each is compressed once and sent many times. The files are
 * compressed while the server is built, which writes one more file for browsers: the list of routes.
 */
export function precompress(): Plugin {
  let clientDir = ''
  let others: Promise<void> | undefined
  return {
    name: 'winnow:precompress',
    apply: 'build',
    configResolved(config) {
      clientDir = path.resolve(config.root, config.environments['client']?.build.outDir ?? 'build/client')
    },
    async writeBundle(_, bundle) {
      if (this.environment.name === 'client') {
        others = compressAll(
          clientDir,
          Object.keys(bundle).filter((file) => !file.startsWith('.vite/')),
        )
        // The end of the build reports a failure.
        others.catch(() => undefined)
      } else {
        await compressAll(clientDir, globSync(ROUTES, { cwd: clientDir }))
        await others
      }
    },
  }
}

/** One after the other, so that the build finds a thread for its own files. */
async function compressAll(folder: string, files: string[]): Promise<void> {
  for (const file of files) if (COMPRESSIBLE.test(file)) await compress(path.join(folder, file))
}

async function compress(file: string): Promise<void> {
  const plain = await readFile(file)
  for (const [extension, compressed] of [
    ['br', await brotli(plain)],
    ['gz', await promisify(gzip)(plain, { level: 9 })],
  ] as const) {
    if (compressed.length < plain.length) await writeFile(`${file}.${extension}`, compressed)
  }
}

function brotli(plain: Buffer): Promise<Buffer> {
  return promisify(brotliCompress)(plain, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
  })
}
