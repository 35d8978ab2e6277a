import { directory } from '#app/auth/directory/directory.server.ts'
import { nameOf } from '#app/auth/users/user-name.ts'
import { currentAccounts } from '#app/auth/users/account.server.ts'
import { db } from '#app/platform/database/db.server.ts'

/** The public name of a writer, and the path of their picture. */
export type Author = { name: string; picture: string | null }

/** The writers of posts by id. Those without an account or a name are missing. */
export async function findAuthors(ids: readonly string[]): Promise<ReadonlyMap<string, Author>> {
  const unique = [...new Set(ids)]
  if (unique.length === 0) return new Map()
  const [accounts, pictures] = await Promise.all([
    findAccounts(unique),
    db.selectFrom('avatars').select(['id', 'userId']).where('userId', 'in', unique).execute(),
  ])
  // Only uploaded pictures: one at another site would tell that site about each reader.
  const paths = new Map(pictures.map(({ id, userId }) => [userId, `/avatars/${id}.webp`]))
  const authors = accounts.map(({ id, userMetadata }) => [id, { name: nameOf(userMetadata), picture: paths.get(id) ?? null }] as const)
  return new Map(authors.flatMap(([id, { name, picture }]) => (name ? [[id, { name, picture }]] : [])))
}

/** Names for staff: the name, else the email address. Deleted accounts have neither. */
export async function namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
  const accounts = await findAccounts([...new Set(ids)])
  return new Map(accounts.map(({ id, email, userMetadata }) => [id, nameOf(userMetadata) ?? email]))
}

async function findAccounts(ids: readonly string[]) {
  if (ids.length === 0) return []
  return currentAccounts().select(['id', 'email', 'userMetadata']).where('id', 'in', ids).execute()
}

/** The id of a staff account by email address. */
export async function findWriter(email: string): Promise<string | undefined> {
  const found = await currentAccounts().select('id').where('email', '=', email.trim().toLowerCase()).executeTakeFirst()
  const user = found && (await directory.findUser(found.id))
  return user && user.role !== 'customer' ? found.id : undefined
}
