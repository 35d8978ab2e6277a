import { directory } from '#app/auth/directory/directory.server.ts'
import { nameOf } from '#app/auth/directory/user-name.ts'
import { db } from '#app/platform/database/db.server.ts'
import { isHosted } from '#app/platform/env.server.ts'

/** The display name of a post's writer, or null without an account. */
export async function findAuthor(id: string): Promise<string | null> {
  const [author] = await findAccounts([id])
  return author ? nameOf(author.userMetadata) : null
}

/** Names for staff: the name, else the email address. Deleted accounts have neither. */
export async function namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
  const accounts = await findAccounts([...new Set(ids)])
  return new Map(accounts.map(({ id, email, userMetadata }) => [id, nameOf(userMetadata) ?? email]))
}

async function findAccounts(ids: readonly string[]) {
  if (ids.length === 0) return []
  const accounts = db.selectFrom(isHosted ? 'hostedAccounts' : 'users').select(['id', 'email', 'userMetadata'])
  return accounts.where('id', 'in', ids).where('deletedAt', 'is', null).execute()
}

/** The id of a staff account by email address. */
export async function findWriter(email: string): Promise<string | undefined> {
  const accounts = db.selectFrom(isHosted ? 'hostedAccounts' : 'users').select('id')
  const found = await accounts.where('email', '=', email.trim().toLowerCase()).where('deletedAt', 'is', null).executeTakeFirst()
  const user = found && (await directory.findUser(found.id))
  return user && user.role !== 'customer' ? found.id : undefined
}
