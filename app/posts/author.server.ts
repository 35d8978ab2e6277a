import { directory } from '#app/users/directory.server.ts'
import { nameOf } from '#app/users/user-name.ts'
import { db } from '#app/platform/db.server.ts'
import { isHosted } from '#app/platform/env.server.ts'

/** How the writer of a post calls themselves, while they have an account here. */
export async function findAuthor(id: string): Promise<string | null> {
  const [author] = await findAccounts([id])
  return author ? nameOf(author.userMetadata) : null
}

/** How staff know each other: by name, else by address. Who has left has neither. */
export async function namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
  const accounts = await findAccounts([...new Set(ids)])
  return new Map(accounts.map(({ id, email, userMetadata }) => [id, nameOf(userMetadata) ?? email]))
}

async function findAccounts(ids: readonly string[]) {
  if (ids.length === 0) return []
  const accounts = db.selectFrom(isHosted ? 'hostedAccounts' : 'users').select(['id', 'email', 'userMetadata'])
  return accounts.where('id', 'in', ids).where('deletedAt', 'is', null).execute()
}

/** The account of someone on the staff, by their email address. */
export async function findWriter(email: string): Promise<string | undefined> {
  const accounts = db.selectFrom(isHosted ? 'hostedAccounts' : 'users').select('id')
  const found = await accounts.where('email', '=', email.trim().toLowerCase()).where('deletedAt', 'is', null).executeTakeFirst()
  const user = found && (await directory.findUser(found.id))
  return user && user.role !== 'customer' ? found.id : undefined
}
