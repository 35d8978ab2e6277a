import { sql } from 'kysely'
import type { Viewer } from '#app/account/viewer.ts'
import { MARKETPLACE, type ProductAccess } from '#app/datasets/product.ts'
import { db } from '#app/platform/db.server.ts'
import { stop } from '#app/platform/stop.ts'
import type { Row } from '#db/tables.ts'

type Person = Pick<Viewer, 'id' | 'role'>
type Product = Pick<Row<'dataProducts'>, 'id' | 'slug' | 'isFree'>

/** What someone may do with a product (decision D7): staff all, others what is free once their address is confirmed, and what was granted to them. */
export async function accessTo(product: Product, person: Person | undefined): Promise<ProductAccess> {
  if (!person) return 'signIn'
  if (person.role !== 'customer') return 'granted'
  if (!(await isConfirmed(person.id))) return 'confirm'
  return product.isFree || (await isEntitled(person.id, product.id)) ? 'granted' : 'pay'
}

/** Lets someone have the data of a product, or stops: 401, 403, or 402 with the place where it can be asked for. */
export async function allowData(product: Product, person: Person | undefined): Promise<void> {
  const access = await accessTo(product, person)
  if (access === 'signIn') stop('notSignedIn', 'Please sign in first.')
  if (access === 'confirm') stop('forbidden', 'Please confirm your e-mail address first.', { code: 'email_not_confirmed' })
  if (access === 'pay') {
    const checkoutUrl = `${MARKETPLACE}/${product.slug}#request-access`
    stop('paymentRequired', 'This dataset has to be paid for. Ask for access, and we will get in touch.', {
      code: 'payment_required',
      checkoutUrl,
    })
  }
}

async function isConfirmed(userId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM users WHERE id = ${userId} AND email_confirmed_at IS NOT NULL
    UNION ALL SELECT 1 FROM hosted_accounts WHERE id = ${userId} AND email_confirmed_at IS NOT NULL LIMIT 1`.execute(db)
  return rows.length > 0
}

async function isEntitled(userId: string, productId: string): Promise<boolean> {
  const found = await db
    .selectFrom('entitlements')
    .select('id')
    .where('userId', '=', userId)
    .where('productId', '=', productId)
    .where('revokedAt', 'is', null)
    .where((or) => or.or([or('expiresAt', 'is', null), or('expiresAt', '>', sql<Date>`now()`)]))
    .executeTakeFirst()
  return found !== undefined
}
