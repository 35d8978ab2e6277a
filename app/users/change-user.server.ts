import { takeAddress } from '#app/identity/address-taken.server.ts'
import type { Trx } from '#app/platform/db.server.ts'
import { post } from '#app/mail/outbox.server.ts'
import { type Actor, audit, by } from '#app/identity/audit.server.ts'
import { giveRole, keepAnOwner } from '#app/identity/last-owner.server.ts'
import { voidTokens } from '#app/one-time-token/one-time-token.server.ts'
import { isEmailProven } from '#app/identity/proven.server.ts'
import { settleProof } from '#app/identity/settle-proof.server.ts'
import { passwordChangedLetter } from '#app/password/password-changed.email.tsx'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { roleOf } from '#app/identity/role.ts'
import type { Metadata, User } from '#app/identity/user.server.ts'
import { endOtherSessions } from '#app/session/session.server.ts'
import { auditChange } from './audit-change.server.ts'
import { changeAddress } from './change-address.server.ts'

/** What an administrator changes; what is not named stays. */
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
  /** Null ends a ban. */
  bannedUntil?: Date | null | undefined
}

/** Changes someone's account at once, whatever they would have had to confirm themselves. */
export async function changeUser(id: string, change: UserChange, actor: Actor): Promise<User> {
  return takeAddress((trx) => applyChange(trx, id, change, actor))
}

async function applyChange(trx: Trx, id: string, change: UserChange, actor: Actor): Promise<User> {
  const user = await trx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!user) refuse('user_not_found', { kind: 'notFound', sentence: 'User not found' })
  if (change.bannedUntil && change.bannedUntil > new Date() && roleOf(user.appMetadata) === 'owner') await keepAnOwner(trx, id)
  await changeAddress(trx, user, 'email', change.email, change.emailConfirm)
  await changeAddress(trx, await readAgain(trx, id), 'phone', change.phone, change.phoneConfirm)
  // A role needs a proven address: this change may have confirmed one.
  const addressed = await readAgain(trx, id)
  await giveRole(trx, addressed, roleOf({ ...addressed.appMetadata, ...change.appMetadata }), actor)
  if (change.passwordHash) await changePassword(trx, user, change.passwordHash, change.passwordShort)
  if (change.passwordHash) await audit(trx, 'user_updated_password', { ...by(actor), subjectId: id })
  await changeRest(trx, user, change)
  const changed = await readAgain(trx, id)
  await auditChange(trx, id, user, change, actor)
  await audit(trx, 'user_modified', { ...by(actor), subjectId: id, detail: { changed: namesOf(change) } })
  return isEmailProven(user) ? changed : settleProof(trx, changed)
}

/** As the changes before have left them. */
function readAgain(trx: Trx, id: string): Promise<User> {
  return trx.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** Everyone who is signed in to it is signed out, and its holder is told. */
async function changePassword(trx: Trx, { id, email }: User, passwordHash: string, passwordShort: boolean): Promise<void> {
  await trx.updateTable('users').set({ passwordHash, passwordShort, newEmail: null, newPhone: null }).where('id', '=', id).execute()
  await endOtherSessions(trx, id, undefined)
  await voidTokens(trx, id)
  if (email) await post(trx, passwordChangedLetter(email, { at: new Date().toISOString() }))
}

async function changeRest(trx: Trx, { id }: User, { userMetadata, appMetadata, tokenRole, bannedUntil }: UserChange): Promise<void> {
  // Read again: a role may have been given above.
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

/** By top-level key; null removes one. */
function merged(before: Metadata, change: Metadata): Metadata {
  return Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== null))
}

/** What was changed, without to what. */
function namesOf(change: UserChange): string[] {
  const isGiven = (value: unknown) =>
    value !== undefined && value !== false && (typeof value !== 'object' || value === null || hasAny(value))
  return Object.entries(change).flatMap(([name, value]) => (name !== 'passwordShort' && isGiven(value) ? [name] : []))
}

const hasAny = (value: object) => value instanceof Date || Object.keys(value).length > 0
