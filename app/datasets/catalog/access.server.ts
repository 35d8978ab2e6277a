import type { CurrentUser } from '#app/account/session/current-user.ts'
import { db } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import type { Row } from '#db/tables.ts'
import type { ProductAccess } from './product.ts'

export type DatasetVisitor = Pick<CurrentUser, 'id' | 'role'>

type Product = Pick<Row<'dataProducts'>, 'id' | 'isFree'>

/** Staff have full access. Others get free products once their email address is confirmed, and those granted to them. */
export async function accessTo(product: Product, person: DatasetVisitor | undefined): Promise<ProductAccess> {
  return (await findAccess(person))(product)
}

/** The same for any number of products, with two database queries. */
export async function findAccess(person: DatasetVisitor | undefined): Promise<(product: Product) => ProductAccess> {
  if (!person) return () => 'signIn'
  if (person.role !== 'customer') return () => 'granted'
  if (!(await isConfirmed(person.id))) return () => 'confirm'
  const granted = await findEntitled(person.id)
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

async function findEntitled(userId: string): Promise<ReadonlySet<string>> {
  const found = await db
    .selectFrom('entitlements')
    .select('productId')
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .where((or) => or.or([or('expiresAt', 'is', null), or('expiresAt', '>', now)]))
    .execute()
  return new Set(found.map(({ productId }) => productId))
}
