import { z } from 'zod'
import { oneLine } from '#app/platform/clean-text.ts'
import { env } from '#app/platform/env.server.ts'
import { isImageAddress } from '#app/platform/image-address.ts'
import { isSameOrigin } from '#app/platform/origin.server.ts'
import { ACCESS_COOKIE } from '#app/platform/session-cookie.server.ts'
import { stop } from '#app/platform/stop.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { findTokenHolder } from './token-holder.server.ts'
import type { TokenHolder } from '#app/session/token-holder.ts'
import type { Presence, Viewer } from './viewer.ts'

const known = new WeakMap<Visit, Promise<Presence>>()

/** Who sent this request, found once for each. The session is looked up, so signing out counts at once. */
export function findPresence(visit: Visit): Promise<Presence> {
  const presence = known.get(visit) ?? checkPresence(visit)
  known.set(visit, presence)
  return presence
}

/** The signed-in person behind a request, if there is one. */
export async function findViewer(visit: Visit): Promise<Viewer | undefined> {
  const presence = await findPresence(visit)
  return presence.state === 'signedIn' ? presence.viewer : undefined
}

async function checkPresence(visit: Visit): Promise<Presence> {
  const bearer = bearerOf(visit)
  const token = bearer ?? visit.cookies[ACCESS_COOKIE]
  if (!token) return { state: 'anonymous' }
  const holder = await findTokenHolder(token, { address: visit.address, userAgent: visit.headers['user-agent']?.toString() })
  if (!holder) return { state: 'anonymous' }
  if (holder.state === 'expired') return { state: bearer ? 'anonymous' : 'resuming' }
  if (!bearer) refuseForeignWrite(visit)
  const viewer = toViewer(holder)
  return { state: viewer.hasFactor && viewer.aal === 'aal1' ? 'halfway' : 'signedIn', viewer, expiresAt: holder.expiresAt }
}

/** A bearer token is sent on purpose. One that is given counts alone: a cookie beside it is not looked at. */
function bearerOf({ headers }: Visit): string | undefined {
  const { authorization } = headers
  return typeof authorization === 'string' ? /^bearer +(\S+)$/i.exec(authorization.trim())?.[1] : undefined
}

/** A browser adds cookies to what a foreign page makes it send, so a write that they open must say that it comes from ours. */
function refuseForeignWrite({ method, headers }: Visit) {
  if (method === 'GET' || method === 'HEAD' || isSameOrigin(headers)) return
  stop('forbidden', 'This request does not say that it comes from this site.', { code: 'foreign_origin' })
}

/** What people say about themselves: shown, never trusted. */
const profile = z.object({
  first_name: z.string().overwrite(oneLine).min(1).optional().catch(undefined),
  avatar_url: z
    .url({ protocol: /^https?$/ })
    .transform(shownAddress)
    .optional()
    .catch(undefined),
})

/** A picture is on another site that sends it safely, or one of those that we keep: no other address of ours is asked for by looking at a person. */
function shownAddress(url: string): string | undefined {
  const { protocol, origin, pathname } = new URL(url)
  if (origin === env.SITE_URL) return pathname.startsWith('/avatars/') ? pathname : undefined
  return protocol === 'https:' && isImageAddress(url, env.SITE_URL) ? url : undefined
}

function toViewer({ userMetadata, state: _state, expiresAt: _end, ...person }: TokenHolder): Viewer {
  const { first_name: firstName, avatar_url: avatarUrl } = profile.parse(userMetadata)
  return { ...person, firstName, avatarUrl }
}
