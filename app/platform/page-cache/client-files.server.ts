import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { log } from '#app/platform/process/log.server.ts'
import { propertyOf } from '#app/platform/errors/property.ts'
import { StaticContent } from './static-content.server.ts'
import { inertPolicy, securityHeaders } from '#app/platform/http/security-headers.server.ts'

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
}

/** An SVG opened as a document may have inline styles, and nothing else. */
const policy = `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox`

/**
 * Every file that the build made for browsers, by address, sent from memory: the files are small and never change while a process lives. A file
 * with a hash in its name gets another name when it changes, so browsers cache it permanently.
 */
export class ClientFiles {
  /** The place of each file that was not read yet. */
  readonly #places = new Map<string, string>()
  readonly #read = new Map<string, StaticContent>()

  constructor(folder: string) {
    if (!existsSync(folder)) return
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const place = path.join(entry.parentPath, entry.name)
      const address = `/${path.relative(folder, place).split(path.sep).join('/')}`
      const isForBrowsers = entry.isFile() && !/^\/\.|\.(br|gz)$/.test(address)
      if (isForBrowsers) this.#places.set(address, place)
    }
  }

  get(address: string): StaticContent | undefined {
    const place = this.#places.get(address)
    if (place === undefined) return this.#read.get(address)
    try {
      return this.#take(address, place)
    } catch (error) {
      // Such as too many open files: the next attempt may succeed.
      log.warn({ err: error, address }, 'a file for browsers could not be read')
      return undefined
    }
  }

  /** Reads the files that nobody has asked for yet. The next build may replace them while this process still serves its pages. */
  async readAll(): Promise<void> {
    for (const address of this.#places.keys()) {
      this.get(address)
      await nextTurn()
    }
  }

  #take(address: string, place: string): StaticContent | undefined {
    const file = readFile(place, address)
    this.#places.delete(address)
    if (file) this.#read.set(address, file)
    return file
  }
}

/** Permissions belong to documents. A script has no use for them, so its headers stay small. */
const { 'permissions-policy': _permissions, ...fileHeaders } = securityHeaders

function readFile(place: string, address: string): StaticContent | undefined {
  const identity = readIfThere(place)
  if (!identity) return undefined
  const headers = {
    ...fileHeaders,
    // The policy of a service worker is that of its file, and a sandboxed one would have no origin.
    'content-security-policy': address.endsWith('.js') ? inertPolicy : policy,
    'content-type': types[path.extname(place)] ?? 'application/octet-stream',
    'cache-control': address.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    vary: 'Accept-Encoding',
  }
  const [br, gzip] = [readIfThere(`${place}.br`), readIfThere(`${place}.gz`)]
  return new StaticContent(headers, { identity, ...(br && { br }), ...(gzip && { gzip }) })
}

function readIfThere(place: string): Buffer | undefined {
  try {
    return readFileSync(place)
  } catch (error) {
    if (propertyOf(error, 'code') === 'ENOENT') return undefined
    throw error
  }
}
