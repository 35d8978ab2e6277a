import type { FastifyRequest } from 'fastify'
import { namesOneHost } from './host-header.server.ts'
import { stop } from '#app/platform/errors/stop.ts'

const MISWRITTEN = 'This address is not written correctly.'

/** Percent-encoded control characters. Tabs and line breaks are allowed, because people paste text with them. */
const CONTROL = /%(?:0[0-8bcef]|1[\da-f]|7f)/i

/** Characters of one path segment. No name in our paths is longer. */
const LONGEST_PART = 100

/** Longer than any request line, so that a long segment reaches its endpoint and is refused in the endpoint's terms. */
export const MAX_PARAM_LENGTH = 64 * 1024

/** Refuses an ambiguous request, or one whose address contains text that cannot be stored or found. */
export function refuseUnreadable(request: FastifyRequest) {
  if (!namesOneHost(request.raw.rawHeaders)) stop('badRequest', 'Name exactly one host in the Host header.')
  const [path = '', query = ''] = request.url.split(/\?(.*)/s)
  if (CONTROL.test(request.url)) stop('badRequest', MISWRITTEN)
  // A page ignores a malformed query.
  if (isForPrograms(path) && !isReadable(query.replaceAll('+', ' '))) stop('badRequest', MISWRITTEN)
  for (const [name, part] of Object.entries(request.params ?? {})) {
    if (name !== '*' && String(part).length > LONGEST_PART) stop('notFound', 'There is nothing at this address.')
  }
}

/**
 * A page path that is malformed, or that contains control characters, is taken literally: a page that does not exist, with the page that
 * people see then. API clients get an error.
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
