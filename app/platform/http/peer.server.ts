import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { env, isLoopback } from '#app/platform/env.server.ts'

const proxies = new BlockList()
for (const entry of env.TRUST_PROXY) {
  const [address = '', length] = entry.split('/')
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  if (length === undefined) proxies.addAddress(address, family)
  else proxies.addSubnet(address, Number(length), family)
}

/** The address of the client: the peer, or the address that a trusted proxy names. Headers of untrusted clients are ignored. */
export function clientAddress({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
  let address = socket.remoteAddress ?? ''
  if (env.TRUST_PROXY.length === 0) return address
  const named = String(headers['x-forwarded-for'] ?? '').split(',')
  while (isProxy(address)) {
    const hop = named.pop()?.trim() ?? ''
    if (isIP(hop) === 0) return address
    address = hop
  }
  return address
}

/** Whether a trusted proxy forwarded this. */
export function isFromProxy({ socket }: Pick<IncomingMessage, 'socket'>): boolean {
  return isProxy(socket.remoteAddress ?? '')
}

const isPublicSite = !isLoopback(new URL(env.SITE_URL).hostname)

/** Headers of proxies. One of these is enough: the visitor may be anyone, although the connection comes from this machine. */
const PROXY_HEADER = /^(x-forwarded(-.+)?|forwarded|via|x-real-ip|x-client-ip|x-original-.+|true-client-ip|cf-connecting-ip)$/

/**
 * Whether a client on this machine requests this machine. The requested name must be local: a foreign name that resolves to this machine
 * belongs to a page that wants to read along (DNS rebinding). A site with a public address is behind a proxy that may add no header at all,
 * and so is a request of HTTP/1.0, which browsers and monitors no longer speak.
 */
export function isAskedHere({ headers, socket, httpVersion }: Pick<IncomingMessage, 'headers' | 'socket' | 'httpVersion'>): boolean {
  if (isPublicSite || httpVersion === '1.0' || isProxy(socket.remoteAddress ?? '')) return false
  const host = URL.parse(`http://${String(headers.host)}`)?.hostname ?? ''
  const peer = (socket.remoteAddress ?? '').replace('::ffff:', '')
  return isLoopback(peer) && isLoopback(host) && !Object.keys(headers).some((name) => PROXY_HEADER.test(name))
}

function isProxy(address: string): boolean {
  return proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
