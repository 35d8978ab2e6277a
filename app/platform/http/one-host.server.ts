import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import { env, isLoopback } from '#app/platform/env.server.ts'
import { isFromProxy } from './peer.server.ts'
import { inertPolicy, securityHeaders } from './security-headers.server.ts'

const site = new URL(env.SITE_URL)
const hasPublicName = !isLoopback(site.hostname)

type Asked = Pick<IncomingMessage, 'url' | 'headers' | 'socket'>

/** Paths for machines, under whatever name they know. */
const forMachines = /^\/(api|auth|assets|healthz|readyz|metrics|\.well-known)([/?]|$)/

/**
 * The address of a page that was requested under another public name; undefined under the site's own name, or under one that only this
 * network knows. The result is always an address of `SITE_URL`: the sent name is compared, never repeated.
 */
export function placeUnderOurName(request: Asked): string | undefined {
  const { headers, url = '' } = request
  if (headers.host === site.host || !hasPublicName) return undefined
  if (!url.startsWith('/') || forMachines.test(url)) return undefined
  if (!isAnotherPublicName(headers.host) || isForwardedFromOurs(request)) return undefined
  return env.SITE_URL + url
}

/** On plain http only the name with or without `www.`: there, a name may well be one of a home network. */
function isAnotherPublicName(host: string | undefined): boolean {
  const named = URL.parse(`http://${host}`)
  if (!host || !named || named.hostname === site.hostname || named.port !== '') return false
  if (site.protocol === 'http:') return withoutWww(named.hostname) === withoutWww(site.hostname)
  return isPublic(named.hostname)
}

/** Not a bare word, an address, or a name that containers and balancers use internally. */
function isPublic(hostname: string): boolean {
  const isNumber = isIP(hostname.replaceAll(/^\[|\]$/g, '')) !== 0
  return !isNumber && hostname.includes('.') && !isLoopback(hostname) && !/\.(local|internal|lan|home\.arpa)$/.test(hostname)
}

function withoutWww(hostname: string): string {
  return hostname.replace(/^www\./, '')
}

/** A proxy may use a name of its own. Its header can only prevent a redirect, never cause one. */
function isForwardedFromOurs(request: Asked): boolean {
  return request.headers['x-forwarded-host'] === site.host && isFromProxy(request)
}

/** Redirects a visitor permanently. Returns the status. */
export function sendTo(location: string, response: ServerResponse, requestId: string): number {
  const headers = { 'content-security-policy': inertPolicy, 'cache-control': 'public, max-age=3600', 'content-length': '0', location }
  response.writeHead(301, { ...securityHeaders, ...headers, 'x-request-id': requestId }).end()
  return 301
}
