import type { Trx } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { type Actor, audit, type AuditAction, by } from '#app/auth/users/audit.server.ts'
import { issueToken, type TokenKind } from '#app/auth/tokens/one-time-token.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { findUserByEmail, lockIfThere, type Metadata, type User } from '#app/auth/users/user.server.ts'
import { prepareInvitation } from './invite.server.ts'
import { makeUser } from './add-user.server.ts'

export const LINK_TYPES = ['signup', 'invite', 'magiclink', 'recovery', 'email_change_current', 'email_change_new'] as const

export type ActionLinkType = (typeof LINK_TYPES)[number]

/** The link sets this password. */
export type ActionLinkRequest = {
  type: ActionLinkType
  email: string
  newEmail: string | undefined
  data: Metadata
  passwordHash?: string | undefined
  passwordShort?: boolean
}

/** `type` is the link's final effect: a magic link for an unknown address becomes a sign-up. */
export type ActionLink = { user: User; link: string; code: string; type: ActionLinkType }

/** Creates a link and code without sending an email. They replace earlier ones, as an email's would. */
export async function makeActionLink(trx: Trx, wish: ActionLinkRequest, actor: Actor): Promise<ActionLink> {
  const made = await makers[wish.type](trx, wish)
  await audit(trx, actions[made.type], { ...by(actor), subjectId: made.user.id, detail: { link: wish.type } })
  return made
}

const actions: Record<ActionLinkType, AuditAction> = {
  signup: 'user_confirmation_requested',
  invite: 'user_invited',
  magiclink: 'user_recovery_requested',
  recovery: 'user_recovery_requested',
  email_change_current: 'user_modified',
  email_change_new: 'user_modified',
}

const makers: Record<ActionLinkType, (trx: Trx, wish: ActionLinkRequest) => Promise<ActionLink>> = {
  signup: signUpLink,
  async invite(trx, { email, data }) {
    return { ...(await prepareInvitation(trx, { email, data })), type: 'invite' }
  },
  async magiclink(trx, wish) {
    const known = await findUserByEmail(trx, wish.email)
    return known ? entranceLink(trx, known, 'magiclink') : signUpLink(trx, wish)
  },
  recovery: async (trx, { email }) => entranceLink(trx, await knownUser(trx, email), 'recovery'),
  async email_change_current(trx, wish) {
    if (!env.MAILER_SECURE_EMAIL_CHANGE_ENABLED) {
      refuse('validation_failed', { sentence: 'Enable secure email change to generate link for current email' })
    }
    return changeLink(trx, wish, 'email_change_current')
  },
  email_change_new: (trx, wish) => changeLink(trx, wish, 'email_change_new'),
}

async function signUpLink(trx: Trx, { email, data, passwordHash, passwordShort = false }: ActionLinkRequest): Promise<ActionLink> {
  const holder = await findUserByEmail(trx, email)
  // Merge into the locked row: it may have changed since.
  const known = holder && (await lockIfThere(trx, holder.id))
  if (known?.emailConfirmedAt) refuse('email_exists')
  const { id } = known ?? (await makeUser(trx, { email, userMetadata: data }))
  const user = await trx
    .updateTable('users')
    .set({ confirmationSentAt: new Date(), userMetadata: JSON.stringify({ ...known?.userMetadata, ...data }) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const brought = passwordHash ? { passwordHash, passwordShort, by: 'administrator' as const } : undefined
  return { user, type: 'signup', ...(await issueToken(trx, id, 'confirmation', email, { brought })) }
}

async function entranceLink(trx: Trx, { id, email }: User, type: 'magiclink' | 'recovery'): Promise<ActionLink> {
  const user = await trx
    .updateTable('users')
    .set({ recoverySentAt: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { user, type, ...(await issueToken(trx, id, 'recovery', email ?? '')) }
}

async function changeLink(trx: Trx, { email, newEmail }: ActionLinkRequest, type: TokenKind & ActionLinkType): Promise<ActionLink> {
  if (!newEmail) refuse('validation_failed', { sentence: 'A new email address is required' })
  const { id } = await knownUser(trx, email)
  const holder = await findUserByEmail(trx, newEmail)
  if (holder) refuse('email_exists')
  const user = await trx
    .updateTable('users')
    .set({ newEmail, emailChangeSentAt: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { user, type, ...(await issueToken(trx, id, type, type === 'email_change_new' ? newEmail : email)) }
}

async function knownUser(trx: Trx, email: string): Promise<User> {
  return (await findUserByEmail(trx, email)) ?? refuse('user_not_found', { kind: 'notFound', sentence: 'User with this email not found' })
}
