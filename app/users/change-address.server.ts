import type { Trx } from '#app/platform/db.server.ts'
import { voidTokens } from '#app/one-time-token/one-time-token.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import type { User } from '#app/identity/user.server.ts'
import { keepIdentity } from '#app/identity/user-identity.server.ts'

type Kind = 'email' | 'phone'

/** Gives someone another address, or confirms the one that they have: then the account is permanent. Emails and codes sent before open nothing any more. */
export async function changeAddress(trx: Trx, user: User, kind: Kind, address: string | undefined, confirm: boolean): Promise<void> {
  const isNew = address !== undefined && address !== user[kind]?.toLowerCase()
  if (!isNew && !(confirm && user[kind])) return
  const now = new Date()
  if (isNew) await refuseWhereTaken(trx, user, kind, address)
  const confirmation =
    kind === 'email'
      ? { emailConfirmedAt: user.emailConfirmedAt ?? now, emailAssumed: false }
      : { phoneConfirmedAt: user.phoneConfirmedAt ?? now, phoneAssumed: false }
  const userMetadata = JSON.stringify({ ...user.userMetadata, [`${kind}_verified`]: true })
  const named = kind === 'email' ? { email: address, newEmail: null } : { phone: address, newPhone: null }
  await trx
    .updateTable('users')
    .set({ ...(isNew && named), ...(confirm && { ...confirmation, isAnonymous: false, userMetadata }), updatedAt: now })
    .where('id', '=', user.id)
    .execute()
  await keepIdentity(trx, user.id, kind, { [kind]: address ?? user[kind], [`${kind}_verified`]: confirm })
  await nameInProviders(trx, user.id)
  await voidTokens(trx, user.id)
}

/** Two who ask for the same address at once are kept apart by the table; whoever comes later reads why. */
async function refuseWhereTaken(trx: Trx, { id }: User, kind: Kind, address: string): Promise<void> {
  const holder = await trx.selectFrom('users').select('id').where(kind, '=', address).where('id', '!=', id).executeTakeFirst()
  if (holder) refuse(kind === 'email' ? 'email_exists' : 'phone_exists')
}

/** By what someone can sign in is told by their identities alone. */
async function nameInProviders(trx: Trx, userId: string): Promise<void> {
  const rows = await trx
    .selectFrom('identities')
    .select('provider')
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  const providers = [...new Set(rows.map(({ provider }) => provider))]
  const { appMetadata } = await trx.selectFrom('users').select('appMetadata').where('id', '=', userId).executeTakeFirstOrThrow()
  const named = { ...appMetadata, provider: appMetadata['provider'] ?? providers[0], providers }
  await trx
    .updateTable('users')
    .set({ appMetadata: JSON.stringify(named) })
    .where('id', '=', userId)
    .execute()
}
