import { href, redirect } from 'react-router'
import { stop } from '#app/platform/stop.ts'
import { noteRefusal } from '#app/identity/refused.server.ts'
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

const doors = { anonymous: href('/login'), resuming: href('/login/resume'), halfway: href('/login/second-step') }

/**
 * Lets a signed-in person do a thing, or stops: 401 or the sign-in page for a stranger, 403 for the wrong role. Who is coming back is
 * signed in again first. Whoever has a second factor does nothing at all in the product without it (`aal2`), so neither do exports, changes of roles or
 * new keys: there is no list of what is worth it. By API that is 403 `insufficient_aal`. The auth protocol has rules of its own: it lets them see
 * themselves, take the second step, and leave.
 */
export async function allow(visit: Visit, permission: Permission): Promise<Viewer> {
  const presence = await findPresence(visit)
  if (presence.state !== 'signedIn') {
    if (visit.isPage) throw redirect(`${doors[presence.state]}?next=${encodeURIComponent(visit.path)}`)
    if (presence.state === 'halfway') {
      noteRefused(visit, presence.viewer, permission, 'insufficient_aal')
      stop('forbidden', 'Please finish signing in with your second step first.', { code: 'insufficient_aal' })
    }
    stop('notSignedIn', 'Please sign in first.')
  }
  if (!rules[permission](presence.viewer)) refusePermission(visit, presence.viewer, permission)
  return presence.viewer
}

/** Lets a signed-in person open a page that shows something else to those who may not use it. Staff whose rights are paused are led to the enrolment. */
export async function allowPage(visit: Visit, permission: Permission): Promise<{ viewer: Viewer; isTheirs: boolean }> {
  const viewer = await allow(visit, 'workspace.enter')
  if (isPaused(viewer, permission)) throw redirect(ENROLMENT)
  return { viewer, isTheirs: rules[permission](viewer) }
}

/** Its banner says why they are there. */
const ENROLMENT = `${href('/account/security')}#two-step`

function isPaused(viewer: Viewer, permission: Permission): boolean {
  const { pausedRole } = viewer
  return pausedRole !== undefined && !rules[permission](viewer) && rules[permission]({ ...viewer, role: pausedRole })
}

function noteRefused({ address, path }: Visit, { id }: Viewer, permission: Permission, reason: string): void {
  noteRefusal({
    action: 'access_refused',
    account: id,
    actorId: id,
    address,
    detail: { permission, path: path.split('?')[0]?.slice(0, 200), reason },
  })
}

function refusePermission(visit: Visit, viewer: Viewer, permission: Permission): never {
  noteRefused(visit, viewer, permission, viewer.pausedRole ? 'second_factor_required' : 'role')
  if (!isPaused(viewer, permission)) stop('forbidden', 'Your account may not do this.')
  if (visit.isPage) throw redirect(ENROLMENT)
  stop('forbidden', 'Your staff access is paused. Set up two-factor authentication at /account/security to get it back.', {
    code: 'second_factor_required',
  })
}

/** The same for a sensitive change: by a session of our own pages only with a sign-in, or a confirmation of it, within 15 minutes. */
export async function allowFresh(visit: Visit, permission: Permission): Promise<Viewer> {
  const viewer = await allow(visit, permission)
  if (!viewer.isFresh) stop('forbidden', 'Please confirm that it is you, then try again.', { code: 'recent_sign_in_required' })
  return viewer
}

/** Lets someone who has signed in take their second step, whether or not they have taken it already. */
export async function allowSecondStep(visit: Visit): Promise<Viewer> {
  const presence = await findPresence(visit)
  if (presence.state === 'signedIn' || presence.state === 'halfway') return presence.viewer
  return stop('notSignedIn', 'Please sign in first.')
}

/** For what a page shows or hides; the endpoints behind it ask `allow`. */
export function may(viewer: Viewer, permission: Permission): boolean {
  return rules[permission](viewer)
}
