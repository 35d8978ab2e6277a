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

/** The address of the person who ordered, as long as they may see the amounts of the organization. */
export async function buyerAddress(connection: Database | Trx, { organizationId, userId }: Contract): Promise<string | undefined> {
  const people = userId ? await membersOf(connection, organizationId).where('accounts.id', '=', userId).execute() : []
  return people.find(({ role }) => mayIn(role, 'buy'))?.email?.toLowerCase()
}

function membersOf(connection: Database | Trx, organizationId: string) {
  return currentAccounts(connection)
    .innerJoin('organizationMembers as member', 'member.userId', 'accounts.id')
    .select(['accounts.email', 'member.role'])
    .where('organizationId', '=', organizationId)
    .orderBy('accounts.email')
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
  const found = await buyerAddress(connection, { organizationId, userId })
  const told = new Set([...given, ...(found ? [found] : [])])
  if (told.size > 0) return [...told]
  const people = await membersOf(connection, organizationId).execute()
  return people.flatMap(({ email, role }) => (email && mayIn(role, 'manage') ? email.toLowerCase() : []))
}
