import type { CurrentUser } from '#app/account/session/current-user.ts'
import type { Membership } from '#app/organizations/organization/membership.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import type { Row } from '#db/tables.ts'
import type { ProductAccess } from './product.ts'

/** A person with the organization for which they act: its grants open datasets. */
export type DatasetVisitor = Pick<CurrentUser, 'id' | 'role' | 'signInProvider'> & {
  organization: Pick<Membership, 'id' | 'name' | 'state' | 'role' | 'lacksSignIn'> & Partial<Pick<Membership, 'signInProvider'>>
  /** A service key of the organization, which has no account. */
  isService?: boolean
}

type Product = Pick<Row<'dataProducts'>, 'id' | 'isFree'>

/** Staff have full access. Others get free products once their email address is confirmed, and those granted to their organization. */
export async function accessTo({ id, isFree }: Product, person: DatasetVisitor | undefined): Promise<ProductAccess> {
  if (!person) return 'signIn'
  if (person.role !== 'customer') return 'granted'
  if (person.isService) return isFree || (await findEntitled(person.organization.id)).has(id) ? 'granted' : 'pay'
  const account = await db
    .selectFrom('accounts')
    .select((of) => ['emailConfirmedAt', of.exists(entitled(person.organization.id).where('productId', '=', id)).as('isGranted')])
    .where('id', '=', person.id)
    .executeTakeFirst()
  if (!account?.emailConfirmedAt) return 'confirm'
  return isFree || account.isGranted ? 'granted' : 'pay'
}

/** The same for any number of products. */
export async function findAccess(person: DatasetVisitor | undefined): Promise<(product: Product) => ProductAccess> {
  if (!person) return () => 'signIn'
  if (person.role !== 'customer') return () => 'granted'
  if (!person.isService && !(await isConfirmed(person.id))) return () => 'confirm'
  const granted = await findEntitled(person.organization.id)
  return ({ id, isFree }) => (isFree || granted.has(id) ? 'granted' : 'pay')
}

async function isConfirmed(userId: string): Promise<boolean> {
  const account = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', userId)
    .where('emailConfirmedAt', 'is not', null)
    .executeTakeFirst()
  return account !== undefined
}

async function findEntitled(organizationId: string): Promise<ReadonlySet<string>> {
  const found = await entitled(organizationId).execute()
  return new Set(found.map(({ productId }) => productId))
}

function entitled(organizationId: string) {
  return liveGrants(organizationId).select('productId')
}

/** The grants of an organization that open data now: none that was revoked, has expired or waits for a dispute. */
export function liveGrants(organizationId: string) {
  return db
    .selectFrom('entitlements')
    .where('organizationId', '=', organizationId)
    .where('revokedAt', 'is', null)
    .where('suspendedAt', 'is', null)
    .where((or) => or.or([or('expiresAt', 'is', null), or('expiresAt', '>', now)]))
}
