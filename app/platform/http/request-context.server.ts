import { fastifyCookie } from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import { randomBytes } from 'node:crypto'
import { createContext, type MiddlewareFunction, redirect, type RouterContextProvider } from 'react-router'
import { clientAddress, isAskedHere } from './peer.server.ts'
import type { Stop } from '#app/platform/errors/stop.ts'

export type Theme = 'system' | 'light' | 'dark'

/** The server's knowledge of one request, before authentication. */
export type RequestContext = {
  /** Request ID, also in the log and in the header `X-Request-Id`. */
  id: string
  /** The peer's address, or the one that a trusted proxy names. Never logged, and stored with a person's actions only where needed. */
  address: string
  method: string
  /** Whether a client on this machine requests this machine, without a proxy between. */
  isLocal: boolean
  /** Path and query of the request, always starting with `/`; the same for a page and for the data of a page. */
  path: string
  /** The pattern of the page, once it is known: for the log and the metrics. */
  route?: string
  /** Pages redirect to the sign-in page where the API returns 401. */
  isPage: boolean
  headers: Readonly<Record<string, string | string[] | undefined>>
  cookies: Readonly<Record<string, string | undefined>>
  theme: Theme
  /** For the scripts of a hydrated page. */
  nonce: string
  /** The reason for a refusal before the page was loaded. */
  refusal?: Stop
  /** The reason for an expected failure of a loader or an action: the framework passes an error on without its cause. */
  failure?: Stop
  /** The redirect for a request of this page's data. */
  sentOn?: { location: string; statusCode: number }
  /** The same response for every anonymous visitor, so its `Cache-Control` may allow shared caches. */
  isPublic?: boolean
  /** A post to the page must not be lost: under load, all other requests are refused first. */
  isRefusedLast?: boolean
}

/** Set on every request by the server in `http.server.ts`. */
export function toRequestContext(request: FastifyRequest): RequestContext {
  const cookies = fastifyCookie.parse(request.headers.cookie ?? '')
  let nonce: string | undefined
  return {
    id: request.id,
    address: clientAddress(request.raw),
    method: request.method,
    isLocal: isAskedHere(request.raw),
    path: pathOf(request.url),
    isPage: !/^\/(api|auth)(\/|$)/.test(request.url),
    headers: request.headers,
    cookies,
    theme: toTheme(cookies['theme']),
    get nonce() {
      return (nonce ??= randomBytes(16).toString('base64url'))
    },
  }
}

function toTheme(value: string | undefined): Theme {
  return value === 'light' || value === 'dark' ? value : 'system'
}

/** A live page requests the data of the next one under a separate name. */
function pathOf(url: string): string {
  const [path = '/', query] = url.split(/\?(.*)/s)
  if (!path.endsWith('.data')) return url
  const asked = new URLSearchParams(query)
  asked.delete('_routes')
  return path.replace(/_?\.data$/, '') + (asked.size > 0 ? `?${asked}` : '')
}

export function bearerTokenOf({ headers }: Pick<RequestContext, 'headers'>): string | undefined {
  return /^bearer +(\S+)$/i.exec(headers['authorization']?.toString().trim() ?? '')?.[1]
}

const visitContext = createContext<RequestContext>()

/** The request context of a loader or an action. */
export function requestContextOf(context: Readonly<RouterContextProvider>): RequestContext {
  return context.get(visitContext)
}

export function setRequestContext(context: RouterContextProvider, requestContext: RequestContext) {
  context.set(visitContext, requestContext)
}

/** First middleware of the root: a page that was refused early (a foreign origin, too many requests) shows why, and loads nothing. */
export const showRefusal: MiddlewareFunction<Response> = ({ context }) => {
  const { refusal, sentOn } = requestContextOf(context)
  if (refusal) throw refusal
  if (sentOn) throw redirect(sentOn.location, sentOn.statusCode)
}
