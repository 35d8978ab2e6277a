import { sql } from 'kysely'

/** The address of the account that a row with `user_id` belongs to, kept here or at a hosted service; null when it has gone. */
export const holder = sql<string | null>`coalesce(
  (SELECT users.email FROM users WHERE users.id = user_id),
  (SELECT hosted_accounts.email FROM hosted_accounts WHERE hosted_accounts.id = user_id))`.as('email')
