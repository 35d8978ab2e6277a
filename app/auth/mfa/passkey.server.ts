import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { noteRefusal } from '#app/auth/users/refused.server.ts'
import { lockIfThere, lockUser, type User } from '#app/auth/users/user.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { db, insert, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { visitorKey } from '#app/platform/guard/limits.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import { requireFreshSignIn } from '#app/auth/sessions/fresh-sign-in.server.ts'
import { requireMfa } from '#app/auth/sessions/mfa.server.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import { isBanned, type OpenSession, requireSession, startSession } from '#app/auth/sessions/session.server.ts'
import type { SessionUser } from '#app/auth/sessions/user-factors.server.ts'
import { creationOptions, type KeyUse, newChallenge, readAssertion, readNewKey, readUse, requestOptions } from './ceremony.server.ts'
import { type Key, keepKey, listPasskeys, noteUse, refuseKnownKey } from './key.server.ts'
import { passkeyAddedEmail } from './passkey-added.email.tsx'
import { passkeyRemovedEmail } from './passkey-removed.email.tsx'
import { servesPasskeys } from './relying-party.server.ts'
import { deviceOf } from '#app/auth/sessions/device.ts'

const MOST_PASSKEYS = 10
const LIFE_SECONDS = 300

/** `expiresAt` is in unix seconds. */
type Begun<Options> = { challengeId: string; options: Options; expiresAt: number }

/** Refuses if passkeys are turned off or browsers cannot create them for this site. */
export function allowPasskeys(): void {
  if (!servesPasskeys()) refuse('passkey_disabled')
}

/** Starts a new passkey. Only this start needs a recent sign-in; the challenge then allows five minutes to finish. */
export async function beginPasskey(holder: SessionUser): Promise<Begun<Awaited<ReturnType<typeof creationOptions>>>> {
  const { user, session } = holder
  requireSession(holder)
  await allowChange(holder)
  await requireFreshSignIn(db, session)
  requireProven(user)
  const known = await listPasskeys(db, user.id)
  if (known.length >= MOST_PASSKEYS) refuse('too_many_passkeys')
  const challenge = newChallenge()
  const asked = await askFor(challenge, session.id)
  return { ...asked, options: await creationOptions({ challenge, holder: describe(user), known, isPasskey: true }) }
}

/** Stores the passkey of a response to this session's challenge. */
export async function addPasskey(holder: SessionUser, challengeId: string, answer: unknown, client: Client): Promise<Key> {
  const { user, session } = holder
  requireSession(holder)
  await allowChange(holder)
  requireProven(user)
  const challenge = await useChallenge(challengeId, session.id)
  const key = (await readNewKey(answer, challenge, { verified: true })) ?? refuse('webauthn_verification_failed')
  const friendlyName = suggestName(key.aaguid, key.transports, client.userAgent)
  const add = async (trx: Trx) => {
    const current = await lockUser(trx, user.id)
    requireProven(current)
    if ((await listPasskeys(trx, user.id)).length >= MOST_PASSKEYS) refuse('too_many_passkeys')
    const passkey = await keepKey(trx, key, { userId: user.id, friendlyName })
    const detail = { passkeyId: passkey.id }
    await audit(trx, 'passkey_created', { actorId: user.id, subjectId: user.id, address: client.address, detail })
    if (current.email) await enqueueEmail(trx, passkeyAddedEmail(current.email, { at: new Date().toISOString(), name: friendlyName }))
    return passkey
  }
  return transaction(add).catch(refuseKnownKey)
}

/** Starts a sign-in without naming an account: the authenticator knows its passkeys. */
export async function beginPasskeySignIn(): Promise<Begun<Awaited<ReturnType<typeof requestOptions>>>> {
  const challenge = newChallenge()
  const asked = await askFor(challenge, null)
  return { ...asked, options: await requestOptions(challenge) }
}

/** Signs in by passkey. The response reveals nothing about an account before the passkey is verified. */
export async function signInByPasskey(challengeId: string, answer: unknown, client: Client): Promise<OpenSession> {
  return enter(challengeId, answer, client).catch((error: unknown) => {
    if (error instanceof Stop) noteFailure(answer, client, error.extra.code ?? error.kind)
    throw error
  })
}

/** An unknown passkey names no account, so failures count by network address. */
function noteFailure(answer: unknown, { address }: Client, reason: string): void {
  const findSubject = async () => {
    const given = readAssertion(answer)
    return given && (await findByCredential(given.id))?.userId
  }
  const account = `passkey:${visitorKey(address)}`
  noteRefusal({ action: 'login_failed', account, findSubject, address, detail: { method: 'passkey', reason } })
}

async function enter(challengeId: string, answer: unknown, client: Client): Promise<OpenSession> {
  const challenge = await useChallenge(challengeId, null)
  const given = readAssertion(answer) ?? refuse('webauthn_verification_failed')
  const passkey = await findByCredential(given.id)
  if (!passkey || given.response.userHandle !== toHandle(passkey.userId)) refuse('webauthn_verification_failed')
  const use = (await readUse(given, passkey, challenge, { verified: true })) ?? refuse('webauthn_verification_failed')
  const opened = await transaction((trx) => open(trx, passkey, use, client))
  return opened ?? refuse('webauthn_verification_failed')
}

/** Returns nothing for a possible copy instead of throwing, so the audit event is committed. */
async function open(trx: Trx, { id, userId, signCount }: Key, use: KeyUse, client: Client): Promise<OpenSession | undefined> {
  const user = await lockIfThere(trx, userId)
  if (!user) return undefined
  requireProven(user)
  if (isBanned(user)) refuse('user_banned', { kind: 'forbidden' })
  if (await noteUse(trx, id, use)) return startSession(trx, user, 'passkey', client, 'passkey')
  const detail = { passkeyId: id, counted: use.signCount, expectedAbove: signCount }
  await audit(trx, 'passkey_refused', { subjectId: userId, address: client.address, detail })
  return undefined
}

export async function renamePasskey(holder: SessionUser, id: string, friendlyName: string): Promise<Key> {
  const { id: userId } = holder.user
  await requireMfa(db, { id: userId, aal: holder.session.aal })
  return transaction(async (trx) => {
    const renamed = await trx
      .updateTable('webauthnCredentials')
      .set({ friendlyName, updatedAt: new Date() })
      .where('id', '=', id)
      .where('userId', '=', userId)
      .where('factorId', 'is', null)
      .returningAll()
      .executeTakeFirst()
    if (!renamed) refuse('validation_failed', { kind: 'notFound', sentence: NOT_FOUND })
    await audit(trx, 'passkey_updated', { actorId: userId, subjectId: userId, detail: { passkeyId: id } })
    return renamed
  })
}

export async function removeOwnPasskey(holder: SessionUser, id: string): Promise<void> {
  await allowChange(holder)
  await requireFreshSignIn(db, holder.session)
  await removePasskey(holder.user.id, id, { id: holder.user.id })
}

/** Removes a passkey and notifies its user. Sessions that it started stay. */
export async function removePasskey(userId: string, id: string, actor: Actor): Promise<void> {
  await transaction(async (trx) => {
    const { email } = await lockUser(trx, userId)
    const removed = await trx
      .deleteFrom('webauthnCredentials')
      .where('id', '=', id)
      .where('userId', '=', userId)
      .where('factorId', 'is', null)
      .returning('friendlyName')
      .executeTakeFirst()
    if (!removed) refuse('validation_failed', { kind: 'notFound', sentence: NOT_FOUND })
    await audit(trx, 'passkey_deleted', { ...by(actor), subjectId: userId, detail: { passkeyId: id } })
    if (email) await enqueueEmail(trx, passkeyRemovedEmail(email, { at: new Date().toISOString(), name: removed.friendlyName }))
  })
}

const NOT_FOUND = 'Passkey not found'

/** Passkeys are a sign-in method, so changing them needs the second factor of the user. */
async function allowChange({ user, session }: SessionUser): Promise<void> {
  await requireMfa(db, { id: user.id, aal: session.aal })
}

/** An account with an unproven address may be in the hands of a stranger, whose passkey would keep working. */
function requireProven({ email, emailConfirmedAt, phone, phoneConfirmedAt }: User): void {
  if (email && !emailConfirmedAt) refuse('email_not_confirmed', { kind: 'forbidden' })
  if (phone && !phoneConfirmedAt) refuse('phone_not_confirmed', { kind: 'forbidden' })
}

async function askFor(challenge: Buffer, sessionId: string | null): Promise<{ challengeId: string; expiresAt: number }> {
  const { id, createdAt } = await insert(db, 'passkeyChallenges', { sessionId, challenge })
  return { challengeId: id, expiresAt: Math.floor(createdAt.getTime() / 1000) + LIFE_SECONDS }
}

/** A challenge works for one answer, right or wrong, and only in its session. */
async function useChallenge(id: string, sessionId: string | null): Promise<Uint8Array> {
  const used = await db
    .deleteFrom('passkeyChallenges')
    .where('id', '=', id)
    .where('sessionId', sessionId === null ? 'is' : '=', sessionId)
    .returningAll()
    .executeTakeFirst()
  if (!used) refuse('webauthn_challenge_not_found')
  if (used.createdAt.getTime() + LIFE_SECONDS * 1000 < Date.now()) refuse('webauthn_challenge_expired')
  return used.challenge
}

function findByCredential(id: string): Promise<Key | undefined> {
  return db
    .selectFrom('webauthnCredentials')
    .selectAll()
    .where('credentialId', '=', Buffer.from(id, 'base64url'))
    .where('factorId', 'is', null)
    .executeTakeFirst()
}

/** The names that an authenticator shows, and the handle that identifies the user at sign-in. */
function describe({ id, email, phone, userMetadata }: User) {
  const name = email ?? (phone ? `+${phone}` : id)
  const names = [userMetadata['first_name'], userMetadata['last_name']].filter((part) => typeof part === 'string' && part !== '')
  return { handle: id, name, displayName: names.join(' ') || name }
}

function toHandle(userId: string): string {
  return Buffer.from(userId).toString('base64url')
}

/** Names of password managers by AAGUID, the model id of an authenticator. */
const keepers: Record<string, string> = {
  'fbfc3007-154e-4ecc-8c0b-6e020557d7bd': 'Apple Passwords',
  'dd4ec289-e01d-41c9-bb89-70fa845d4bf2': 'iCloud Keychain',
  'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4': 'Google Password Manager',
  'adce0002-35bc-c60a-648b-0b25f1f05503': 'Chrome on Mac',
  '08987058-cadc-4b81-b6e1-30de50dcbe96': 'Windows Hello',
  '9ddd1817-af5a-4672-a2b9-3e3dd95000a9': 'Windows Hello',
  '6028b017-b1d4-4c02-b4b3-afcdafc96bb2': 'Windows Hello',
  '53414d53-554e-4700-0000-000000000000': 'Samsung Pass',
  'bada5566-a7aa-401f-bd96-45619a55120d': '1Password',
  'd548826e-79b4-db40-a3d8-11116f7e8349': 'Bitwarden',
  '531126d6-e717-415c-9320-3d9aa6981239': 'Dashlane',
  'fdb141b2-5d84-443e-8a35-4698c205a502': 'KeePassXC',
  '50726f74-6f6e-5061-7373-50726f746f6e': 'Proton Pass',
}

/** A recognizable name for a new passkey: its password manager, or else the device that created it. */
function suggestName(aaguid: string | null, transports: readonly string[], userAgent: string | undefined): string {
  const keeper = aaguid && keepers[aaguid]
  if (keeper) return keeper
  if (transports.some((name) => name === 'usb' || name === 'nfc') && !transports.includes('internal')) return 'Security key'
  const device = deviceOf(userAgent ?? null)
  return device === 'Unknown device' ? 'Passkey' : device
}
