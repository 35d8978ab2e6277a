import type { Trx } from '#app/platform/database/db.server.ts'
import { isAssumed, startOver } from '#app/auth/verification/start-over.server.ts'
import { isProven } from '#app/auth/users/proven.server.ts'
import { voidTokens } from '#app/auth/tokens/one-time-token.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import type { User } from '#app/auth/users/user.server.ts'
import { keepIdentity } from '#app/auth/users/user-identity.server.ts'

type Kind = 'email' | 'phone'

/** Changes or confirms an account's address, and makes the account permanent when confirmed. Earlier emails and codes become invalid. */
export async function changeAddress(trx: Trx, user: User, kind: Kind, address: string | undefined, confirm: boolean): Promise<void> {
  const isNew = address !== undefined && address !== user[kind]?.toLowerCase()
  if (!isNew && !(confirm && user[kind])) return
  const now = new Date()
  if (isNew) await refuseWhereTaken(trx, user, kind, address)
  // An administrator's confirmation is a proof, so data from an unproven sign-up is removed.
  const startsOver = confirm && isAssumed(user) && !isProven(user)
  const { userMetadata: profile } = startsOver ? await startOver(trx, user, kind, undefined, { keepsOther: true }) : user
  const confirmation =
    kind === 'email'
      ? { emailConfirmedAt: user.emailConfirmedAt ?? now, emailAssumed: false }
      : { phoneConfirmedAt: user.phoneConfirmedAt ?? now, phoneAssumed: false }
  const userMetadata = JSON.stringify({ ...profile, ...(startsOver && { [kind]: address ?? user[kind] }), [`${kind}_verified`]: true })
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

/** A unique index settles concurrent requests; this check only gives the reason. */
async function refuseWhereTaken(trx: Trx, { id }: User, kind: Kind, address: string): Promise<void> {
  const holder = await trx.selectFrom('users').select('id').where(kind, '=', address).where('id', '!=', id).executeTakeFirst()
  if (holder) refuse(kind === 'email' ? 'email_exists' : 'phone_exists')
}

/** The identities alone define the providers in the app metadata. */
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
