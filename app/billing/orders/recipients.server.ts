import { currentAccounts } from '#app/auth/users/account.server.ts'
import { mayIn } from '#app/organizations/organization/organization.ts'
import type { Database, Trx } from '#app/platform/database/db.server.ts'

type Contract = { organizationId: string; userId: string | null }

/** The addresses of `billingEmails`, in lower case. */
export function billingAddresses(billingEmails: string): string[] {
  return billingEmails
    .toLowerCase()
    .split(/[,;\s]+/)
    .filter(Boolean)
}

/**
 * The addresses for emails about an order or a subscription: the billing addresses of its organization, and the buyer too, or only instead of them. A buyer
 * who may no longer see the amounts of the organization gets none. Without any of these addresses, its admins do.
 */
export async function recipientsOf(
  connection: Database | Trx,
  { organizationId, userId }: Contract,
  buyer: 'too' | 'instead',
): Promise<string[]> {
  const { billingEmails } = await connection
    .selectFrom('organizations')
    .select('billingEmails')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  const given = billingAddresses(billingEmails)
  if (given.length > 0 && buyer === 'instead') return given
  const people = await currentAccounts(connection)
    .innerJoin('organizationMembers as member', 'member.userId', 'accounts.id')
    .select(['accounts.id', 'accounts.email', 'member.role'])
    .where('organizationId', '=', organizationId)
    .execute()
  const found = people.filter(({ id, role }) => id === userId && mayIn(role, 'buy'))
  const told = given.length > 0 || found.length > 0 ? found : people.filter(({ role }) => mayIn(role, 'manage'))
  return [...new Set([...given, ...told.flatMap(({ email }) => email?.toLowerCase() ?? [])])]
}
