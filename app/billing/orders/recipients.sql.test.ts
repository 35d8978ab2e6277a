import { describe, expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { signIn } from '#test/factories.ts'
import { makeCompany } from '#test/invoices.ts'
import { billingAddresses, recipientsOf } from './recipients.server.ts'

await startEndpoints()

type Role = 'reader' | 'buyer' | 'admin'

async function company(billingEmails: string, roles: readonly Role[]) {
  const { id } = await makeCompany({ billingEmails })
  const people = []
  for (const role of roles) {
    const { user } = await signIn()
    await db.insertInto('organizationMembers').values({ organizationId: id, userId: user.id, role }).execute()
    people.push({ id: user.id, email: user.email ?? '' })
  }
  return { organizationId: id, people }
}

describe('happy', () => {
  test('billing addresses come first; the buyer is told too, or only where there is none', async () => {
    const { organizationId, people } = await company('Books@acme.example, cfo@acme.example', ['buyer', 'admin'])
    const contract = { organizationId, userId: people[0]?.id ?? null }
    expect(await recipientsOf(db, contract, 'instead')).toEqual(['books@acme.example', 'cfo@acme.example'])
    expect(await recipientsOf(db, contract, 'too')).toEqual(['books@acme.example', 'cfo@acme.example', people[0]?.email])
    await db.updateTable('organizations').set({ billingEmails: '' }).where('id', '=', organizationId).execute()
    for (const buyer of ['too', 'instead'] as const) expect(await recipientsOf(db, contract, buyer)).toEqual([people[0]?.email])
  })

  test('a private person gets the emails of their own orders', async () => {
    const { user } = await signIn()
    expect(await recipientsOf(db, { organizationId: user.id, userId: user.id }, 'instead')).toEqual([user.email])
  })

  test('addresses are separated in any usual way', () => {
    expect(billingAddresses('A@x.example; b@x.example,\nc@x.example ')).toEqual(['a@x.example', 'b@x.example', 'c@x.example'])
    expect(billingAddresses('')).toEqual([])
  })
})

describe('error', () => {
  test('a buyer who left, or sees no amounts any longer, is told nothing more; the admins are, where no billing address is given', async () => {
    const { organizationId, people } = await company('', ['reader', 'admin', 'admin'])
    const admins = people.slice(1).map(({ email }) => email)
    const [demoted] = people
    const { user: former } = await signIn()
    for (const userId of [demoted?.id ?? '', former.id, null])
      for (const buyer of ['too', 'instead'] as const)
        expect((await recipientsOf(db, { organizationId, userId }, buyer)).toSorted()).toEqual(admins.toSorted())
    await db.updateTable('organizations').set({ billingEmails: 'books@acme.example' }).where('id', '=', organizationId).execute()
    expect(await recipientsOf(db, { organizationId, userId: former.id }, 'too')).toEqual(['books@acme.example'])
  })
})
