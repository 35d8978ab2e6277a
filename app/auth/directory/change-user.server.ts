import { takeAddress } from '#app/auth/users/address-taken.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { showNewName } from '#app/auth/users/author-pages.server.ts'
import { giveRole, keepAnOwner } from '#app/auth/users/last-owner.server.ts'
import { voidTokens } from '#app/auth/tokens/one-time-token.server.ts'
import { isEmailProven, isProven } from '#app/auth/users/proven.server.ts'
import { settleProof } from '#app/auth/users/settle-proof.server.ts'
import { listOtherSignIns } from '#app/auth/users/other-sign-ins.server.ts'
import { passwordChangedEmail } from '#app/auth/sessions/password-changed.email.tsx'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { roleOf } from '#app/auth/users/role.ts'
import type { Metadata, User } from '#app/auth/users/user.server.ts'
import { endOtherSessions } from '#app/auth/sessions/session.server.ts'
import { isAssumed, startOver } from '#app/auth/verification/start-over.server.ts'
import { keepIdentity, setProviders } from '#app/auth/users/user-identity.server.ts'
import { auditChange } from './audit-change.server.ts'

/** Changes by an administrator. Missing fields are unchanged. */
export type UserChange = {
  email?: string | undefined
  phone?: string | undefined
  emailConfirm: boolean
  phoneConfirm: boolean
  passwordHash?: string | undefined
  passwordShort: boolean
  userMetadata: Metadata
  appMetadata: Metadata
  tokenRole?: string | undefined
  /** Null lifts the ban. */
  bannedUntil?: Date | null | undefined
}

/** Changes an account without the confirmations that its user would need. */
export async function changeUser(id: string, change: UserChange, actor: Actor): Promise<User> {
  return takeAddress((trx) => applyChange(trx, id, change, actor))
}

async function applyChange(trx: Trx, id: string, change: UserChange, actor: Actor): Promise<User> {
  const user = await trx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!user) refuse('user_not_found', { kind: 'notFound', sentence: 'User not found' })
  if (change.bannedUntil && change.bannedUntil > new Date() && roleOf(user.appMetadata) === 'owner') await keepAnOwner(trx, id)
  await changeAddress(trx, user, 'email', change.email, change.emailConfirm)
  await changeAddress(trx, await readAgain(trx, id), 'phone', change.phone, change.phoneConfirm)
  // A role needs a proven address, which this change may have confirmed.
  const addressed = await readAgain(trx, id)
  await giveRole(trx, addressed, roleOf({ ...addressed.appMetadata, ...change.appMetadata }), actor)
  if (change.passwordHash) await changePassword(trx, user, change.passwordHash, change.passwordShort)
  if (change.passwordHash) await audit(trx, 'user_updated_password', { ...by(actor), subjectId: id })
  await changeRest(trx, user, change)
  const changed = await readAgain(trx, id)
  await showNewName(trx, id, user.userMetadata, changed.userMetadata)
  await auditChange(trx, id, user, change, actor)
  await audit(trx, 'user_modified', { ...by(actor), subjectId: id, detail: { changed: namesOf(change) } })
  return isEmailProven(user) ? changed : settleProof(trx, changed)
}

/** Reads the user after the earlier changes. */
function readAgain(trx: Trx, id: string): Promise<User> {
  return trx.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** Ends all sessions of the account and emails its user. */
async function changePassword(trx: Trx, { id, email }: User, passwordHash: string, passwordShort: boolean): Promise<void> {
  await trx.updateTable('users').set({ passwordHash, passwordShort, newEmail: null, newPhone: null }).where('id', '=', id).execute()
  await endOtherSessions(trx, id, undefined)
  await voidTokens(trx, id)
  if (email)
    await enqueueEmail(trx, passwordChangedEmail(email, { at: new Date().toISOString(), signIns: await listOtherSignIns(trx, id) }))
}

async function changeRest(trx: Trx, { id }: User, { userMetadata, appMetadata, tokenRole, bannedUntil }: UserChange): Promise<void> {
  // Read again: the role may have changed above.
  const user = await readAgain(trx, id)
  await trx
    .updateTable('users')
    .set({
      userMetadata: JSON.stringify(merged(user.userMetadata, userMetadata)),
      appMetadata: JSON.stringify(merged(user.appMetadata, appMetadata)),
      updatedAt: new Date(),
      ...(tokenRole && { tokenRole }),
      ...(bannedUntil !== undefined && { bannedUntil }),
    })
    .where('id', '=', id)
    .execute()
}

/** Merges by top-level key. Null removes a key. */
function merged(before: Metadata, change: Metadata): Metadata {
  return Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== null))
}

/** Names of the changed fields, without values. */
function namesOf(change: UserChange): string[] {
  const isGiven = (value: unknown) =>
    value !== undefined && value !== false && (typeof value !== 'object' || value === null || hasAny(value))
  return Object.entries(change).flatMap(([name, value]) => (name !== 'passwordShort' && isGiven(value) ? [name] : []))
}

const hasAny = (value: object) => value instanceof Date || Object.keys(value).length > 0

type Kind = 'email' | 'phone'

/** Changes or confirms an account's address, and makes the account permanent when confirmed. Earlier emails and codes become invalid. */
async function changeAddress(trx: Trx, user: User, kind: Kind, address: string | undefined, confirm: boolean): Promise<void> {
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
  await setProviders(trx, user.id)
  await voidTokens(trx, user.id)
}

/** A unique index settles concurrent requests; this check only gives the reason. */
async function refuseWhereTaken(trx: Trx, { id }: User, kind: Kind, address: string): Promise<void> {
  const holder = await trx.selectFrom('users').select('id').where(kind, '=', address).where('id', '!=', id).executeTakeFirst()
  if (holder) refuse(kind === 'email' ? 'email_exists' : 'phone_exists')
}
