import type { CurrentUser } from '#app/account/session/current-user.ts'
import { db } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import type { Row } from '#db/tables.ts'
import type { ProductAccess } from './product.ts'

export type DatasetVisitor = Pick<CurrentUser, 'id' | 'role'>

type Product = Pick<Row<'dataProducts'>, 'id' | 'isFree'>

/** Staff have full access. Others get free products once their email address is confirmed, and those granted to them. */
export async function accessTo({ id, isFree }: Product, person: DatasetVisitor | undefined): Promise<ProductAccess> {
  if (!person) return 'signIn'
  if (person.role !== 'customer') return 'granted'
  const account = await db
    .selectFrom('accounts')
    .select((of) => ['emailConfirmedAt', of.exists(entitled(person.id).where('productId', '=', id)).as('isGranted')])
    .where('id', '=', person.id)
    .executeTakeFirst()
  if (!account?.emailConfirmedAt) return 'confirm'
  return isFree || account.isGranted ? 'granted' : 'pay'
}

/** The same for any number of products. */
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
  const found = await entitled(userId).execute()
  return new Set(found.map(({ productId }) => productId))
}

function entitled(userId: string) {
  return db
    .selectFrom('entitlements')
    .select('productId')
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .where((or) => or.or([or('expiresAt', 'is', null), or('expiresAt', '>', now)]))
}
