import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { env, isLoopback } from './env.server.ts'

const proxies = new BlockList()
for (const entry of env.TRUST_PROXY) {
  const [address = '', length] = entry.split('/')
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  if (length === undefined) proxies.addAddress(address, family)
  else proxies.addSubnet(address, Number(length), family)
}

/** Who sent a request: the peer, or whom a proxy that is trusted names. What a stranger writes in the header counts for nothing. */
export function addressOf({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
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

/** Whether a proxy that is trusted passes this on. */
export function isFromProxy({ socket }: Pick<IncomingMessage, 'socket'>): boolean {
  return isProxy(socket.remoteAddress ?? '')
}

/** What a proxy in front adds: then the visitor may be anyone, although the connection comes from this machine. */
const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/**
 * Whether someone at this machine asks for something of this machine. The name asked for must be its own: a foreign name that leads here
 * belongs to a page that wants to read along.
 */
export function isAskedHere({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const host = URL.parse(`http://${String(headers.host)}`)?.hostname ?? ''
  return isLoopback(host) && !proxyHeaders.some((name) => name in headers)
}

function isProxy(address: string): boolean {
  return proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
