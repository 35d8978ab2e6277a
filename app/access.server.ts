import { href, redirect } from 'react-router'
import { stop } from '#app/platform/stop.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import type { Viewer } from '#app/account/viewer.ts'
import { findPresence } from '#app/account/viewer.server.ts'

const anyone = () => true
const staff = (viewer: Viewer) => viewer.role === 'staff' || viewer.role === 'owner'
const owner = (viewer: Viewer) => viewer.role === 'owner'

/** Who of those signed in may do what: the whole policy of the product. */
const rules = {
  'workspace.enter': anyone,
  'leads.read': staff,
  'leads.write': staff,
  'letters.manage': staff,
  'posts.write': staff,
  'redirects.write': staff,
  'products.write': staff,
  'users.manage': owner,
} satisfies Record<string, (viewer: Viewer) => boolean>

export type Permission = keyof typeof rules

/**
 * Lets a signed-in person do a thing, or stops: 401 or the sign-in page for a stranger, 403 for the wrong role. Who is coming back is
 * signed in again first.
 */
export async function allow(visit: Visit, permission: Permission): Promise<Viewer> {
  const presence = await findPresence(visit)
  if (presence.state !== 'signedIn') {
    const door = presence.state === 'resuming' ? href('/login/resume') : href('/login')
    if (visit.isPage) throw redirect(`${door}?next=${encodeURIComponent(visit.path)}`)
    stop('notSignedIn', 'Please sign in first.')
  }
  if (!rules[permission](presence.viewer)) stop('forbidden', 'Your account may not do this.')
  return presence.viewer
}

/** For what a page shows or hides; the endpoints behind it ask `allow`. */
export function may(viewer: Viewer, permission: Permission): boolean {
  return rules[permission](viewer)
}
