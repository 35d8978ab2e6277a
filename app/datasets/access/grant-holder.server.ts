import { sql } from 'kysely'

/** The email address of the account in `user_id`, local or hosted; null once it is deleted. */
export const entitlementOwner = sql<string | null>`coalesce(
  (SELECT users.email FROM users WHERE users.id = user_id),
  (SELECT hosted_accounts.email FROM hosted_accounts WHERE hosted_accounts.id = user_id))`.as('email')
