import { type Database, db, type Trx } from '#app/platform/database/db.server.ts'
import { visitorKey } from '#app/platform/guard/limits.server.ts'

/** Only a user's newest addresses are compared. */
const MOST_PLACES = 100

/** Whether a user has signed in before from a visitor's network. Limits that strangers use up do not apply there. */
export async function hasSignedInFrom(connection: Database | Trx, userId: string, visitor: string): Promise<boolean> {
  return isAmong(visitor, await listPlaces(connection).where('subjectId', '=', userId).execute())
}

/** The same by email address or phone number. Without an account it runs the same query, so its time shows nothing. */
export async function isFamiliarTo(account: string, visitor: string): Promise<boolean> {
  const users = db.selectFrom('users').select('id')
  const holder = account.includes('@') ? users.where('email', '=', account) : users.where('phone', '=', account)
  return isAmong(visitor, await listPlaces(db).where('subjectId', 'in', holder).execute())
}

function listPlaces(connection: Database | Trx) {
  const logins = connection.selectFrom('auditEvents').select('address').where('action', '=', 'login')
  return logins
    .groupBy('address')
    .orderBy(({ fn }) => fn.max('createdAt'), 'desc')
    .limit(MOST_PLACES)
}

function isAmong(visitor: string, places: { address: string | null }[]): boolean {
  return places.some(({ address }) => address !== null && visitorKey(address) === visitor)
}
