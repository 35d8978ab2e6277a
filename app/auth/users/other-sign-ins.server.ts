import type { Trx } from '#app/platform/database/db.server.ts'

/** Sign-in methods that a new password does not change: names of passkeys, and providers as the auth protocol names them. */
export type OtherSignIns = { passkeys: string[]; providers: string[] }

export async function listOtherSignIns(trx: Trx, userId: string): Promise<OtherSignIns> {
  const passkeys = await trx
    .selectFrom('webauthnCredentials')
    .select('friendlyName')
    .where('userId', '=', userId)
    .where('factorId', 'is', null)
    .orderBy('createdAt')
    .execute()
  const identities = await trx
    .selectFrom('identities')
    .select('provider')
    .where('userId', '=', userId)
    .where('provider', 'not in', ['email', 'phone'])
    .orderBy('createdAt')
    .execute()
  return { passkeys: passkeys.map(({ friendlyName }) => friendlyName), providers: identities.map(({ provider }) => provider) }
}
