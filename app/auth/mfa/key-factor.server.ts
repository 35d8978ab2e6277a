import type { User } from '#app/auth/users/user.server.ts'
import { creationOptions, type KeyUse, type NewKey, readAssertion, readNewKey, readUse, requestOptions } from './ceremony.server.ts'
import { type Key, keepKey, listFactorKeys, noteUse } from './key.server.ts'
import { audit } from '#app/auth/users/audit.server.ts'
import { db, type Trx } from '#app/platform/database/db.server.ts'
import type { Factor } from '#app/auth/sessions/user-factors.server.ts'

type Options = Awaited<ReturnType<typeof creationOptions>> | Awaited<ReturnType<typeof requestOptions>>

/** `create`: the factor has no key yet. `request`: its key has to sign. */
export type KeyQuestion = { type: 'create' | 'request'; options: Options }
/** The response of an authenticator, as the browser sent it. */
export type KeyAnswer = { type: 'create' | 'request'; response: unknown }
export type KeyProof = { made: NewKey } | { key: Key; use: KeyUse }

/**
 * The request to an authenticator. The user handle of a new key is the factor's id: an authenticator keeps one discoverable key per handle,
 * and this key must not replace a passkey.
 */
export async function askKey({ id: userId, email, phone }: User, factor: Factor, challenge: Buffer): Promise<KeyQuestion> {
  const keys = await listFactorKeys(db, userId)
  if (factor.status === 'verified') {
    return {
      type: 'request',
      options: await requestOptions(
        challenge,
        keys.filter(({ factorId }) => factorId === factor.id),
      ),
    }
  }
  const name = email ?? (phone ? `+${phone}` : userId)
  const holder = { handle: factor.id, name, displayName: factor.friendlyName || name }
  return { type: 'create', options: await creationOptions({ challenge, holder, known: keys, isPasskey: false }) }
}

/** Verifies the response to a challenge by a new key or by the factor's key. */
export async function readKeyProof(
  { id, userId, status }: Factor,
  challenge: Uint8Array,
  answer: KeyAnswer,
): Promise<KeyProof | undefined> {
  if (answer.type !== (status === 'verified' ? 'request' : 'create')) return undefined
  if (answer.type === 'create') {
    const made = await readNewKey(answer.response, challenge, { verified: false })
    return made && { made }
  }
  const given = readAssertion(answer.response)
  const keys = given ? await listFactorKeys(db, userId) : []
  const key = keys.find(({ factorId, credentialId }) => factorId === id && Buffer.from(credentialId).toString('base64url') === given?.id)
  const use = given && key && (await readUse(given, key, challenge, { verified: false }))
  return use && { key, use }
}

/** Stores a new key, or the use of a known key. `false`: the key may be a copy, or the factor was finished meanwhile. */
export async function acceptKey(trx: Trx, { id: factorId, userId, status, friendlyName }: Factor, proof: KeyProof): Promise<boolean> {
  if ('made' in proof) {
    if (status === 'verified') return false
    await keepKey(trx, proof.made, { userId, factorId, friendlyName: friendlyName ?? '' })
    return true
  }
  const { key, use } = proof
  if (await noteUse(trx, key.id, use)) return true
  await audit(trx, 'passkey_refused', { subjectId: userId, detail: { factorId, counted: use.signCount, expectedAbove: key.signCount } })
  return false
}
