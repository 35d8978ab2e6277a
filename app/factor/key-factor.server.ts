import type { User } from '#app/identity/user.server.ts'
import {
  creationOptions,
  type KeyUse,
  type NewKey,
  readAssertion,
  readNewKey,
  readUse,
  requestOptions,
} from '#app/passkey/ceremony.server.ts'
import { type Key, keepKey, listFactorKeys, noteUse } from '#app/passkey/key.server.ts'
import { audit } from '#app/identity/audit.server.ts'
import { db, type Trx } from '#app/platform/db.server.ts'
import type { Factor } from '#app/session/user-factors.server.ts'

type Options = Awaited<ReturnType<typeof creationOptions>> | Awaited<ReturnType<typeof requestOptions>>

/** `create`: the factor has no key yet. `request`: its key has to sign. */
export type KeyQuestion = { type: 'create' | 'request'; options: Options }
/** What the browser got from an authenticator, as it sent it. */
export type KeyAnswer = { type: 'create' | 'request'; response: unknown }
export type KeyProof = { made: NewKey } | { key: Key; use: KeyUse }

/**
 * What to ask an authenticator for. A new key is named after the factor: an authenticator keeps one discoverable key for a name, and
 * this one must not replace a passkey.
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

/** What shows that the right authenticator has answered this challenge. */
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

/** Keeps a new key, or notes that a known one has signed. `false`: it may be a copy, or somebody has finished the factor meanwhile. */
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
