import type { MemberRole } from '#app/organizations/organization/organization.ts'
import { addMember } from '#app/organizations/members/member.server.ts'
import { insertOrganization } from '#app/organizations/organization/organization.server.ts'
import { db, insert, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { isHosted } from '#app/platform/env.server.ts'

/** Two companies with three people each, who have leads among those of the seed. */
const companies: { name: string; countryCode: string; domain: string; members: { name: string; role: MemberRole }[] }[] = [
  {
    name: 'Brandt Elektro',
    countryCode: 'DE',
    domain: 'brandt-elektro.example',
    members: [
      { name: 'Lukas Brandt', role: 'admin' },
      { name: 'Mia Vogel', role: 'member' },
      { name: 'Jan Peters', role: 'reader' },
    ],
  },
  {
    name: 'Okafor Homes',
    countryCode: 'GB',
    domain: 'okafor-homes.example',
    members: [
      { name: 'James Okafor', role: 'admin' },
      { name: 'Ruth Adeyemi', role: 'buyer' },
      { name: 'Sam Field', role: 'member' },
    ],
  },
]

/** Returns the number of new companies. Nobody can sign in as their people: `.example` addresses are unassigned, and they have no password. */
export async function seedOrganizations(): Promise<number> {
  let made = 0
  for (const company of companies) {
    const isKnown = await db.selectFrom('organizations').select('id').where('name', '=', company.name).executeTakeFirst()
    if (isKnown) continue
    await transaction((trx) => seedCompany(trx, company))
    made += 1
  }
  return made
}

async function seedCompany(trx: Trx, { name, countryCode, domain, members }: (typeof companies)[number]): Promise<void> {
  const organizationId = await insertOrganization(trx, name)
  await trx.updateTable('organizations').set({ countryCode, kind: 'business' }).where('id', '=', organizationId).execute()
  for (const member of members) {
    const [first = '', last = ''] = member.name.split(' ')
    const email = `${first}.${last}@${domain}`.toLowerCase()
    const userId = newId()
    const account = {
      id: userId,
      email,
      emailConfirmedAt: new Date(),
      userMetadata: JSON.stringify({ first_name: first, last_name: last }),
    }
    await insert(trx, isHosted ? 'hostedAccounts' : 'users', account)
    await addMember(trx, { organizationId, userId, role: member.role }, {})
  }
  await trx.updateTable('people').set({ organizationId }).where('email', 'like', `%@${domain}`).execute()
  const paid = await trx
    .selectFrom('dataProducts')
    .select('id')
    .where('isFree', '=', false)
    .where('removedAt', 'is', null)
    .executeTakeFirst()
  if (paid)
    await insert(trx, 'entitlements', { productId: paid.id, organizationId, userId: null, grantedBy: organizationId, note: 'Sample' })
}
