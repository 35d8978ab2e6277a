import { lookup as lookupName, type LookupAddress, type LookupAllOptions } from 'node:dns'
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { isLocalInstallation, isLoopback } from '#app/platform/env.server.ts'
import { readForeignText } from '#app/platform/text/foreign-text.ts'
import { FetchFailure } from './fetch-bounded.server.ts'

type Bounds = { ms: number; bytes: number }

/** How a connection is opened. */
export type Transport = {
  protocol: string
  request: typeof request
  isAllowed: (address: string) => boolean
  /** Only tests have another: one that resolves a name differently each time. */
  lookup?: (name: string, options: LookupAllOptions, done: (error: Error | null, found: LookupAddress[]) => void) => void
}

const outside: Transport = { protocol: 'https:', request, isAllowed: isPublicAddress }

const inside: Transport = { protocol: 'http:', request: requestPlain, isAllowed: isLoopback }

/**
 * The transport of an address that the owner has entered. While only this machine can reach the installation, that is in development, it may
 * also be an http address of this machine.
 */
export function transportTo(url: string, isLocal = isLocalInstallation): Transport {
  const to = URL.parse(url)
  return isLocal && to?.protocol === 'http:' && isLoopback(to.hostname) ? inside : outside
}

const MOST_REDIRECTS = 3

/**
 * Fetches the text at an address that a user has given: https only, and only from addresses of the internet. The address is checked after the
 * name is resolved, and the connection goes to the checked one, so a name that resolves differently a moment later gains nothing. Redirects are
 * followed under the same rules. Throws a `FetchFailure` whose message is for people.
 */
export async function fetchPublic(url: string, bounds: Bounds, transport: Transport = outside): Promise<string> {
  const signal = AbortSignal.timeout(bounds.ms)
  let at = url
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const response = await open(at, { headers: readerHeaders }, signal, transport)
    const status = response.statusCode ?? 0
    const target = [301, 302, 303, 307, 308].includes(status) ? response.headers.location : undefined
    if (target === undefined) return readText(response, status, { bounds, signal })
    response.destroy()
    at = URL.parse(target, at)?.href ?? ''
  }
  throw new FetchFailure('The address redirects too often.')
}

const readerHeaders = { accept: 'text/calendar, text/plain;q=0.5', 'accept-encoding': 'gzip', 'user-agent': 'calendar-reader' }

type Sent = { headers: Record<string, string>; body: string | Buffer }

/**
 * Posts to an address under the rules of `fetchPublic`, but follows no redirect: a redirect is a response like any other. Returns the beginning
 * of the response, up to `bounds.bytes`.
 */
export async function postPublic(
  url: string,
  { headers, body }: Sent,
  bounds: Bounds,
  transport = transportTo(url),
): Promise<{ status: number; text: string }> {
  const signal = AbortSignal.timeout(bounds.ms)
  const response = await open(url, { headers: { ...headers, 'accept-encoding': 'identity' }, body }, signal, transport)
  return { status: response.statusCode ?? 0, text: await readBeginning(response, bounds.bytes) }
}

/** The status says whether the server has accepted the request. A body that breaks off or never ends changes nothing about it. */
async function readBeginning(response: IncomingMessage, most: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response) {
      const bytes = Buffer.from(chunk)
      size += bytes.length
      chunks.push(bytes)
      if (size >= most) break
    }
  } catch {
    response.destroy()
  }
  response.destroy()
  return Buffer.concat(chunks).subarray(0, most).toString()
}

type Asking = { headers: Record<string, string>; body?: string | Buffer }

function open(address: string, { headers, body }: Asking, signal: AbortSignal, transport: Transport): Promise<IncomingMessage> {
  const { protocol, request: send, isAllowed } = transport
  const url = URL.parse(address)
  if (!url || url.protocol !== protocol) throw new FetchFailure('The address must begin with https://.')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // A number in place of a name is never looked up.
  if (isIP(host) !== 0 && !isAllowed(host)) throw new FetchFailure(PRIVATE)
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST'
    const sent = send(url, { method, headers, signal, lookup: guardedLookup(transport), agent: false }, resolve)
    sent.on('error', (error) => reject(failureOf(error, signal)))
    sent.end(body)
  })
}

const PRIVATE = 'The address leads into a private network.'

function guardedLookup({ isAllowed, lookup = lookupName }: Transport): LookupFunction {
  return (name, options, done) => {
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '', 0)
      const [first] = found
      if (!first || found.some(({ address }) => !isAllowed(address))) return done(new FetchFailure(PRIVATE), '', 0)
      return options.all ? done(null, found) : done(null, first.address, first.family)
    })
  }
}

async function readText(
  response: IncomingMessage,
  status: number,
  { bounds, signal }: { bounds: Bounds; signal: AbortSignal },
): Promise<string> {
  if (status !== 200) {
    response.destroy()
    throw new FetchFailure(`The server answered ${status}.`)
  }
  const encoding = response.headers['content-encoding'] ?? 'identity'
  if (!['identity', 'gzip'].includes(encoding)) throw new FetchFailure('The server answered in a form that we cannot read.')
  const body: Readable = encoding === 'gzip' ? response.pipe(createGunzip()) : response
  response.on('error', (error) => body.destroy(error))
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      const bytes = Buffer.from(chunk)
      size += bytes.length
      if (size > bounds.bytes) throw new FetchFailure(`The answer is larger than ${Math.round(bounds.bytes / 1024 / 1024)} MB.`)
      chunks.push(bytes)
    }
  } catch (error) {
    throw failureOf(error, signal)
  } finally {
    response.destroy()
  }
  const [, declared] = /\bcharset\s*=\s*"?([^\s";]+)/i.exec(response.headers['content-type'] ?? '') ?? []
  return readForeignText(Buffer.concat(chunks), declared)
}

function failureOf(error: unknown, signal: AbortSignal): FetchFailure {
  if (error instanceof FetchFailure) return error
  if (signal.aborted) return new FetchFailure('The server took too long to answer.', { cause: error })
  return new FetchFailure('The server cannot be reached.', { cause: error })
}

const notPublic = new BlockList()
for (const [network, length] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  notPublic.addSubnet(network, length, 'ipv4')
/** Of IPv6 only this part is the internet; the rest of it that is excluded carries IPv4 addresses inside, or documentation. */
const internet = new BlockList()
internet.addSubnet('2000::', 3, 'ipv6')
for (const [network, length] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  notPublic.addSubnet(network, length, 'ipv6')

/** Whether an IP address belongs to the internet: not to this machine, a private network or a reserved range (RFC 6890). */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !notPublic.check(address, 'ipv4')
  return family === 6 && internet.check(address, 'ipv6') && !notPublic.check(address, 'ipv6')
}
