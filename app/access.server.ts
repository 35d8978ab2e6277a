import { href, redirect } from 'react-router'
import { stop } from '#app/platform/errors/stop.ts'
import type { PageSettings } from '#app/platform/browser/hydration.ts'
import type { AccountRight } from '#app/auth/users/role.ts'
import { noteRefusal } from '#app/auth/users/refused.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import type { CurrentUser } from '#app/account/session/current-user.ts'
import { findAuthState } from '#app/account/session/current-user.server.ts'

const anyone = () => true
const staff = (currentUser: CurrentUser) => currentUser.role === 'staff' || currentUser.role === 'owner'
const owner = (currentUser: CurrentUser) => currentUser.role === 'owner'
const given = (right: AccountRight) => (currentUser: CurrentUser) =>
  owner(currentUser) || (staff(currentUser) && currentUser.rights.includes(right))

/** The access policy of the product: the permissions of each role. */
const rules = {
  'workspace.enter': anyone,
  'leads.read': staff,
  'leads.write': staff,
  'letters.manage': staff,
  'posts.write': staff,
  'newsletter.manage': staff,
  'redirects.write': staff,
  'products.write': staff,
  'organizations.manage': staff,
  'billing.read': staff,
  'billing.write': given('billing.write'),
  'users.manage': owner,
  'settings.read': staff,
  'settings.write': owner,
  'webhooks.manage': owner,
  'first-steps.see': owner,
} satisfies Record<string, (currentUser: CurrentUser) => boolean>

export type Permission = keyof typeof rules

export const permissions = Object.keys(rules).filter((name): name is Permission => name in rules)

/** A route's settings: `export const handle = { access: 'public' } satisfies Handle`. Every route names who may open its page. */
export type Handle = PageSettings & {
  /** Everyone, or those with a permission. The permissions of the layouts around a page are asked for as well. */
  access: 'public' | Permission
  /** Other signed-in people can open the page too, and see what it is for and why they cannot use it. */
  isExplained?: boolean
}

const loginPages = { anonymous: href('/login'), expired: href('/login/resume'), needsMfa: href('/login/second-step') }

/**
 * Returns the current user if they have a permission. Stops with 401 (pages: the sign-in page) for a stranger and 403 for the wrong role.
 * An expired session is renewed first. A user with a second factor needs it (`aal2`) for everything in the product; the API returns 403
 * `insufficient_aal` without it. The auth protocol has its own rules: such a session may read its user, verify the factor and sign out.
 */
export async function allow(requestContext: RequestContext, permission: Permission): Promise<CurrentUser> {
  const authState = await findAuthState(requestContext)
  if (authState.state !== 'signedIn') {
    if (requestContext.isPage) throw redirect(`${loginPages[authState.state]}?next=${encodeURIComponent(requestContext.path)}`)
    if (authState.state === 'needsMfa') {
      noteRefused(requestContext, authState.currentUser, permission, 'insufficient_aal')
      stop('forbidden', 'Please complete two-factor authentication first.', { code: 'insufficient_aal' })
    }
    stop('notSignedIn', 'Please sign in first.')
  }
  if (!rules[permission](authState.currentUser)) refusePermission(requestContext, authState.currentUser, permission)
  return authState.currentUser
}

/** Allows a signed-in user to open a page that renders differently without the permission. Redirects staff with paused rights to the MFA enrolment. */
export async function allowPage(
  requestContext: RequestContext,
  permission: Permission,
): Promise<{ viewer: CurrentUser; isTheirs: boolean }> {
  const viewer = await allow(requestContext, 'workspace.enter')
  if (isPaused(viewer, permission)) throw redirect(ENROLMENT)
  return { viewer, isTheirs: rules[permission](viewer) }
}

/** The page has a banner with the reason. */
const ENROLMENT = `${href('/account/security')}#two-step`

function isPaused(currentUser: CurrentUser, permission: Permission): boolean {
  const { pausedRole } = currentUser
  return pausedRole !== undefined && !rules[permission](currentUser) && rules[permission]({ ...currentUser, role: pausedRole })
}

function noteRefused({ address, path }: RequestContext, { id }: CurrentUser, permission: Permission, reason: string): void {
  noteRefusal({
    action: 'access_refused',
    account: id,
    actorId: id,
    address,
    detail: { permission, path: path.split('?')[0]?.slice(0, 200), reason },
  })
}

function refusePermission(requestContext: RequestContext, currentUser: CurrentUser, permission: Permission): never {
  noteRefused(requestContext, currentUser, permission, currentUser.pausedRole ? 'second_factor_required' : 'role')
  if (!isPaused(currentUser, permission)) stop('forbidden', 'Your account doesn’t have permission to do this.')
  if (requestContext.isPage) throw redirect(ENROLMENT)
  stop('forbidden', 'Your staff access is paused. Set up two-factor authentication at /account/security to get it back.', {
    code: 'second_factor_required',
  })
}

/** Like `allow`, for sensitive changes: a session of our own pages needs a sign-in, or a confirmation, within 15 minutes. */
export async function allowFresh(requestContext: RequestContext, permission: Permission): Promise<CurrentUser> {
  const currentUser = await allow(requestContext, permission)
  if (!currentUser.isFresh) stop('forbidden', 'Please confirm that it is you, then try again.', { code: 'recent_sign_in_required' })
  return currentUser
}

/** Returns the current user with or without their verified second factor. */
export async function allowMfa(requestContext: RequestContext): Promise<CurrentUser> {
  const authState = await findAuthState(requestContext)
  if (authState.state === 'signedIn' || authState.state === 'needsMfa') return authState.currentUser
  return stop('notSignedIn', 'Please sign in first.')
}

/** For showing and hiding parts of a page; its endpoints call `allow`. */
export function may(currentUser: CurrentUser, permission: Permission): boolean {
  return rules[permission](currentUser)
}
