import { db } from '#app/platform/database/db.server.ts'
import { isHosted } from '#app/platform/env.server.ts'
import { currentAccounts } from './account.server.ts'

/** Whether an account has proven its own email address. */
export async function hasProvenAddress(id: string): Promise<boolean> {
  return (await currentAccounts().select('id').where('id', '=', id).where('emailProven', '=', true).executeTakeFirst()) !== undefined
}

/** Whether another account is staff or an owner, or is invited to be. */
export async function hasColleague(id: string): Promise<boolean> {
  const staff = currentAccounts().select('id').where('id', '!=', id).where('role', 'in', ['staff', 'owner'])
  const table = db.selectFrom(isHosted ? 'hostedAccounts' : 'users').select('id')
  const invited = table.where('id', '!=', id).where('deletedAt', 'is', null).where('invitedRole', 'is not', null)
  return (await staff.unionAll(invited).limit(1).executeTakeFirst()) !== undefined
}
