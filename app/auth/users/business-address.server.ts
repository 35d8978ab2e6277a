import { expressionBuilder } from 'kysely'
import { env, isHosted } from '#app/platform/env.server.ts'
import type { Tables } from '#db/tables.ts'

/** The owner's address as a subquery, because a separate query costs a round trip. It is not cached: the owner may change at any time. */
export function ownerEmail() {
  const from = expressionBuilder<Tables>()
  if (isHosted)
    return from
      .selectFrom('hostedAccounts')
      .select('email')
      .where('role', '=', 'owner')
      .where('deletedAt', 'is', null)
      .orderBy('createdAt')
      .limit(1)
  return from.selectFrom('installation').innerJoin('users', 'users.id', 'installation.ownerId').select('users.email')
}

/** The owner's address, or the business's mailbox while the installation has no owner. */
export function businessAddress(owner: string | null): string {
  return env.OWNER_EMAIL ?? owner ?? mailbox(env.MAIL_FROM)
}

function mailbox(sender: string): string {
  return /<([^<>]+)>$/.exec(sender)?.[1] ?? sender
}
