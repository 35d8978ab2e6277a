import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import { env, isLoopback } from './env.server.ts'
import { isFromProxy } from './peer.server.ts'
import { inertPolicy, securityHeaders } from './security-headers.server.ts'

const site = new URL(env.SITE_URL)
const hasPublicName = !isLoopback(site.hostname)

type Asked = Pick<IncomingMessage, 'url' | 'headers' | 'socket'>

/** Asked by machines, under whatever name they know. */
const forMachines = /^\/(api|auth|assets|healthz|readyz|metrics|\.well-known)([/?]|$)/

/**
 * Where a page belongs that was asked for under another public name that leads here; nothing when it was asked for under the site's own,
 * or under one that only this network knows. What comes back is always an address of `SITE_URL`: the name that was sent is compared, never repeated.
 */
export function placeUnderOurName(request: Asked): string | undefined {
  const { headers, url = '' } = request
  if (headers.host === site.host || !hasPublicName) return undefined
  if (!url.startsWith('/') || forMachines.test(url)) return undefined
  if (!isAnotherPublicName(headers.host) || isForwardedFromOurs(request)) return undefined
  return env.SITE_URL + url
}

/** On plain http only the name with or without `www.`: there, a name may well be one of a network at home. */
function isAnotherPublicName(host: string | undefined): boolean {
  const named = URL.parse(`http://${host}`)
  if (!host || !named || named.hostname === site.hostname || named.port !== '') return false
  if (site.protocol === 'http:') return withoutWww(named.hostname) === withoutWww(site.hostname)
  return isPublic(named.hostname)
}

/** Not a bare word, an address or a name that containers and balancers use among themselves. */
function isPublic(hostname: string): boolean {
  const isNumber = isIP(hostname.replaceAll(/^\[|\]$/g, '')) !== 0
  return !isNumber && hostname.includes('.') && !isLoopback(hostname) && !/\.(local|internal|lan|home\.arpa)$/.test(hostname)
}

function withoutWww(hostname: string): string {
  return hostname.replace(/^www\./, '')
}

/** A proxy may ask under a name of its own. What it says can only keep a page in its place: it never sends anyone away. */
function isForwardedFromOurs(request: Asked): boolean {
  return request.headers['x-forwarded-host'] === site.host && isFromProxy(request)
}

/** Sends a visitor there for good. Answers the status. */
export function sendTo(location: string, response: ServerResponse, requestId: string): number {
  const headers = { 'content-security-policy': inertPolicy, 'cache-control': 'public, max-age=3600', 'content-length': '0', location }
  response.writeHead(301, { ...securityHeaders, ...headers, 'x-request-id': requestId }).end()
  return 301
}
