import { sql } from 'kysely'

/** The email address of the account in `user_id`, local or hosted; null once it is deleted. */
export const entitlementOwner = sql<string | null>`(SELECT accounts.email FROM accounts WHERE accounts.id = user_id)`.as('email')
