import { allow, may, type Permission } from '#app/access.server.ts'
import type { CurrentUser } from '#app/account/session/current-user.ts'
import { findCurrentUser } from '#app/account/session/current-user.server.ts'
import { providerName } from '#app/auth/protocol/provider-name.ts'
import { db, type Database, type Trx } from '#app/platform/database/db.server.ts'
import { cookieName } from '#app/platform/http/session-cookie.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import { findOrganizationId } from './organization.server.ts'
import { mayIn, type MemberRole, type OrganizationRight, PERSONAL } from './organization.ts'

/** The organization that a browser's requests are for, chosen in the user menu. */
export const ORGANIZATION_COOKIE = cookieName('organization')

/** The organization for which a person acts, and their role there. */
export type Membership = {
  id: string
  reference: string | null
  name: string
  isPersonal: boolean
  state: Row<'organizations'>['state']
  signInProvider: string
  role: MemberRole
  /** Staff who act for a client. */
  isOnBehalf?: boolean
  /** This session did not begin with the provider that the organization asks for. Keys are no sessions. */
  lacksSignIn?: boolean
}

/** A person and how their session began. */
type Asker = Pick<CurrentUser, 'id' | 'signInProvider'>

/** A signed-in person who acts for an organization. */
export type Member = CurrentUser & { organization: Membership }

const known = new WeakMap<RequestContext, Promise<Membership>>()

/**
 * The organization of a request: that of the header `Organization` (its id or reference), else the one chosen in this browser, else the personal one.
 * The header is sent on purpose, so an organization that is not theirs stops with 403. A choice that ended is ignored.
 */
export function membershipOf(requestContext: RequestContext, user: Asker): Promise<Membership> {
  const found = known.get(requestContext) ?? findAsked(requestContext, user)
  known.set(requestContext, found)
  return found
}

async function findAsked({ headers, cookies }: RequestContext, user: Asker): Promise<Membership> {
  const asked = headers['organization']?.toString().trim()
  if (asked) {
    const found = await findMembership(user, asked)
    return found ?? stop('forbidden', 'You are not a member of this organization.', { code: 'not_a_member' })
  }
  const chosen = cookies[ORGANIZATION_COOKIE]
  return (chosen && (await findMembership(user, chosen))) || personalOf(user.id)
}

/** Every account is alone in an organization that has its id. Asking the database for it would only cost a round trip. */
export function personalOf(userId: string): Membership {
  return { id: userId, reference: null, name: PERSONAL, isPersonal: true, state: 'active', signInProvider: '', role: 'admin' }
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** `asked` is an id or a reference. A closed organization has no members any more. */
export async function findMembership(user: Asker, asked: string, connection: Database | Trx = db): Promise<Membership | undefined> {
  if (asked === user.id) return personalOf(user.id)
  const column = UUID.test(asked) ? ('organizations.id' as const) : ('organizations.reference' as const)
  const row = await connection
    .selectFrom('organizationMembers as member')
    .innerJoin('organizations', 'organizations.id', 'member.organizationId')
    .select(['organizations.id', 'reference', 'name', 'isPersonal', 'state', 'signInProvider', 'member.role'])
    .where('member.userId', '=', user.id)
    .where('organizations.state', '!=', 'closed')
    .where(column, '=', UUID.test(asked) ? asked : asked.toUpperCase())
    .executeTakeFirst()
  const lacksSignIn = row !== undefined && row.signInProvider !== '' && row.signInProvider !== user.signInProvider
  return row && { ...row, name: row.isPersonal ? PERSONAL : row.name, ...(lacksSignIn && { lacksSignIn }) }
}

/** The membership of staff who act for a client: they may do what an admin may, except buying and accepting. */
async function findOnBehalf(asked: string): Promise<Membership | undefined> {
  const id = await findOrganizationId(asked)
  if (!id) return undefined
  const row = await db
    .selectFrom('organizations')
    .select(['id', 'reference', 'name', 'isPersonal', 'state', 'signInProvider'])
    .where('id', '=', id)
    .where('isPersonal', '=', false)
    .where('state', '!=', 'closed')
    .executeTakeFirst()
  return row && { ...row, role: 'admin', isOnBehalf: true }
}

/** Like `allow`, and with the organization of the request. */
export async function allowMember(
  requestContext: RequestContext,
  permission: Permission,
  right: OrganizationRight = 'see',
): Promise<Member> {
  const user = await allow(requestContext, permission)
  const organization = await membershipOf(requestContext, user)
  requireRight(organization, right)
  return { ...user, organization }
}

/**
 * The person's membership of the organization in the URL, by id or reference. Others' organizations do not exist for them. Staff manage every company on
 * behalf of its admins; the audit log names them.
 */
export async function allowIn(
  requestContext: RequestContext,
  id: string,
  right: OrganizationRight,
): Promise<{ organization: Membership; actor: { id: string; address: string }; user: CurrentUser }> {
  const user = await allow(requestContext, 'workspace.enter')
  const own = await findMembership(user, id)
  const found = own ?? (may(user, 'organizations.manage') ? await findOnBehalf(id) : undefined)
  if (!found) stop('notFound', 'There is no such organization.')
  requireRight(found, right)
  return { organization: found, actor: { id: user.id, address: requestContext.address }, user }
}

/** The signed-in person behind a request with their organization, if there is one. */
export async function findMember(requestContext: RequestContext): Promise<Member | undefined> {
  const user = await findCurrentUser(requestContext)
  return user && { ...user, organization: await viewedMembershipOf(requestContext, user) }
}

/** For what everyone can open: without the sign-in that the organization asks for, it shows what is the person's own. */
export async function viewedMembershipOf(requestContext: RequestContext, user: Asker): Promise<Membership> {
  const organization = await membershipOf(requestContext, user)
  return organization.lacksSignIn ? personalOf(user.id) : organization
}

/** Stops a member whose role, session or organization does not allow something. */
export function requireRight(
  {
    name,
    state,
    role,
    isOnBehalf,
    lacksSignIn,
    signInProvider = '',
  }: Pick<Membership, 'name' | 'state' | 'role' | 'isOnBehalf' | 'lacksSignIn'> & Partial<Pick<Membership, 'signInProvider'>>,
  right: OrganizationRight,
): void {
  if (lacksSignIn) {
    const provider = providerName(signInProvider)
    const sentence = `${name} asks its members to sign in with ${provider}. Sign out, then sign in with ${provider}.`
    stop('forbidden', sentence, { code: 'sign_in_provider', wayOut: { label: `Sign in with ${provider}`, url: '/account/organization' } })
  }
  if (state === 'suspended' && right !== 'see' && !isOnBehalf) {
    stop('forbidden', `${name} is suspended. Please contact us.`, { code: 'organization_suspended' })
  }
  if (isOnBehalf && right === 'buy') stop('forbidden', 'Staff do not buy or accept for a client.', { code: 'organization_role' })
  if (!mayIn(role, right)) stop('forbidden', refusals[right], { code: 'organization_role' })
}

const refusals: Record<OrganizationRight, string> = {
  see: 'You are not a member of this organization.',
  take: 'As a reader you can see this, but not download or request it. Ask an admin of your organization for another role.',
  buy: 'Only buyers and admins of your organization can do this.',
  manage: 'Only admins of your organization can do this.',
}
