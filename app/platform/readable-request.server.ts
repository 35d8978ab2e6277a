import type { FastifyRequest } from 'fastify'
import { namesOneHost } from './host-header.server.ts'
import { stop } from './stop.ts'

const MISWRITTEN = 'This address is not written correctly.'

/** Control characters as an address writes them. Tabs and line breaks are allowed, because people paste text with them. */
const CONTROL = /%(?:0[0-8bcef]|1[\da-f]|7f)/i

/** Characters of one part of a path. No name of ours is longer. */
const LONGEST_PART = 100

/** Beyond what a request line can hold, so that a long part reaches its endpoint and is refused in the endpoint's terms. */
export const MAX_PARAM_LENGTH = 64 * 1024

/** Refuses a request that could be read in two ways, or whose address holds what nothing here can store or find. */
export function refuseUnreadable(request: FastifyRequest) {
  if (!namesOneHost(request.raw.rawHeaders)) stop('badRequest', 'Name exactly one host in the Host header.')
  const [path = '', query = ''] = request.url.split(/\?(.*)/s)
  if (CONTROL.test(request.url)) stop('badRequest', MISWRITTEN)
  // A page takes a query that is broken in this way as if it were not there.
  if (isForPrograms(path) && !isReadable(query.replaceAll('+', ' '))) stop('badRequest', MISWRITTEN)
  for (const [name, part] of Object.entries(request.params ?? {})) {
    if (name !== '*' && String(part).length > LONGEST_PART) stop('notFound', 'There is nothing at this address.')
  }
}

/**
 * A path of a page that stands for no text, or for text with control characters, is taken character by character: a page that does not exist, for which
 * a person gets a page. Programs are told what is wrong.
 */
export function readableAddress(url: string): string {
  const [path = '', rest = ''] = url.split(/(?=[?#;])(.*)/s)
  if (isForPrograms(path) || (isReadable(path) && !CONTROL.test(path))) return url
  return path.replaceAll('%', '%25') + rest
}

function isForPrograms(path: string): boolean {
  return /^\/(api|auth|assets)\//.test(path)
}

/** The result is used: a bundler drops a call whose result is unused, and its exception with it. */
function isReadable(text: string): boolean {
  try {
    return decodeURIComponent(text).length >= 0
  } catch {
    return false
  }
}
