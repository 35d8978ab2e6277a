import { fastifyCookie } from '@fastify/cookie'
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { cookieName, isPlainLoopback } from '#app/platform/http/session-cookie.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { sourceOf } from '#app/platform/http/source.server.ts'
import type { SaidSource, Source } from '#app/platform/http/source.ts'
import { mac, macText } from '#app/platform/guard/keys.server.ts'
import { customerKey } from '#app/platform/guard/limits.server.ts'

/** The one who holds a time: a browser, by its cookie, and the network that it is in. Neither says who they are. */
export type Visitor = {
  id: string
  network: string
  /** Not stored. */
  address: string
  cameFrom: Source
  /** The account that they are signed in to. */
  userId?: string | undefined
}

export const VISITOR_COOKIE = cookieName('booking')
const LIFE_SECONDS = 24 * 3600

type Asking = Pick<RequestContext, 'cookies' | 'address' | 'headers'>

/** The visitor of a request, and the cookie that makes a new one known from now on. `said` is what their form says of its page. */
export function visitorOf({ cookies, address, headers }: Asking, said: SaidSource = {}): { visitor: Visitor; cookie?: string } {
  const from = { address, network: macText('booking-network', customerKey(address)), cameFrom: sourceOf('book', said, headers) }
  const known = idOf(cookies[VISITOR_COOKIE])
  if (known) return { visitor: { id: known, ...from } }
  const id = randomBytes(16).toString('base64url')
  const cookie = fastifyCookie.serialize(VISITOR_COOKIE, `${id}.${signatureOf(id).toString('base64url')}`, {
    path: '/',
    httpOnly: true,
    secure: !isPlainLoopback,
    sameSite: 'lax',
    maxAge: LIFE_SECONDS,
  })
  return { visitor: { id, ...from }, cookie }
}

/** Only our own signature makes an id, so nobody can name another visitor's. */
function idOf(cookie = ''): string | undefined {
  const [, id = '', signature = ''] = /^([\w-]{22})\.([\w-]{43})$/.exec(cookie) ?? []
  if (!id) return undefined
  return timingSafeEqual(Buffer.from(signature, 'base64url'), signatureOf(id)) ? id : undefined
}

function signatureOf(id: string): Buffer {
  return mac('booking-visitor', id)
}
