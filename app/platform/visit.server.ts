import { fastifyCookie } from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import { randomBytes } from 'node:crypto'
import { createContext, type MiddlewareFunction, redirect, type RouterContextProvider } from 'react-router'
import { addressOf, isAskedHere } from './peer.server.ts'
import type { Stop } from './stop.ts'

export type Theme = 'system' | 'light' | 'dark'

/** What the server knows of one request before anyone asks who sent it. */
export type Visit = {
  /** Request id, also in the log and in the header `X-Request-Id`. */
  id: string
  /** The peer's address, or what a trusted proxy says it is. Never logged, never stored beside what a person did without need. */
  address: string
  method: string
  /** Whether someone at this machine asks for something of this machine, and no proxy stands between. */
  isLocal: boolean
  /** Path and query of what was asked for, always starting with `/`; the same for a page and for the data of a page. */
  path: string
  /** The pattern of the page that answers, once that is known: for the log and the metrics. */
  route?: string
  /** Pages redirect to the sign-in page where the API answers 401. */
  isPage: boolean
  headers: Readonly<Record<string, string | string[] | undefined>>
  cookies: Readonly<Record<string, string | undefined>>
  theme: Theme
  /** For the scripts of a hydrated page. */
  nonce: string
  /** Why this page cannot be shown, when that was clear before it was asked for anything. */
  refusal?: Stop
  /** Why a loader or an action failed, when that was no bug: the framework passes an error on without its cause. */
  failure?: Stop
  /** Where whoever asked for the data of this page is sent instead. */
  sentOn?: { location: string; statusCode: number }
  /** Set where the answer is the same for every stranger, so that its `Cache-Control` may let shared caches keep it. */
  isPublic?: boolean
}

/** Set on every request by the server in `http.server.ts`. */
export function toVisit(request: FastifyRequest): Visit {
  const cookies = fastifyCookie.parse(request.headers.cookie ?? '')
  return {
    id: request.id,
    address: addressOf(request.raw),
    method: request.method,
    isLocal: isAskedHere(request.raw),
    path: pathOf(request.url),
    isPage: !/^\/(api|auth)(\/|$)/.test(request.url),
    headers: request.headers,
    cookies,
    theme: toTheme(cookies['theme']),
    nonce: randomBytes(16).toString('base64url'),
  }
}

function toTheme(value: string | undefined): Theme {
  return value === 'light' || value === 'dark' ? value : 'system'
}

/** A page that is live asks for the data of the next one under a name of its own. */
function pathOf(url: string): string {
  const [path = '/', query] = url.split(/\?(.*)/s)
  if (!path.endsWith('.data')) return url
  const asked = new URLSearchParams(query)
  asked.delete('_routes')
  return path.replace(/_?\.data$/, '') + (asked.size > 0 ? `?${asked}` : '')
}

const visitContext = createContext<Visit>()

/** The visit behind a loader or an action. */
export function visitOf(context: Readonly<RouterContextProvider>): Visit {
  return context.get(visitContext)
}

export function rememberVisit(context: RouterContextProvider, visit: Visit) {
  context.set(visitContext, visit)
}

/** First of all in the root: a page that was refused at the door (a foreign sender, too many requests) shows why, and loads nothing. */
export const showRefusal: MiddlewareFunction<Response> = ({ context }) => {
  const { refusal, sentOn } = visitOf(context)
  if (refusal) throw refusal
  if (sentOn) throw redirect(sentOn.location, sentOn.statusCode)
}
