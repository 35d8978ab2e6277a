import { z } from 'zod'
import { audit } from '#app/identity/audit.server.ts'
import { confirmAddressLetter } from '#app/account-letter/confirm-address.email.tsx'
import { type Accepted, acceptLetter, type Asker, mayLeave, spendStrangerLetter } from '#app/account-letter/mail-budget.server.ts'
import { createUser } from '#app/identity/new-user.server.ts'
import { type Brought, brought } from '#app/one-time-token/brought.server.ts'
import { findPending } from '#app/one-time-token/one-time-token.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { resetPasswordLetter } from '#app/account-letter/reset-password.email.tsx'
import { findUserByEmail, findUserByPhone, type User } from '#app/identity/user.server.ts'
import { post } from '#app/mail/outbox.server.ts'
import { db, transaction, type Trx } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import { postEmailChange } from './email-change.server.ts'
import { issueFlowToken } from './flow-token.server.ts'
import { signInLetter } from './sign-in.email.tsx'

const JOB = 'account-letter'

/**
 * `target` is where its link may lead to in the end, `proof` the key of a flow, `data` the profile of someone whose address is not proven yet,
 * `mayCreate` whether a sign-in makes an account, `identity` their account at another service, and `browser` a hash of what only the browser of
 * their sign-up can show.
 */
const wish = z.object({
  kind: z.enum(['confirmation', 'recovery', 'sign-in', 'email-change']),
  email: z.string(),
  target: z.string().optional(),
  proof: z.object({ challenge: z.string(), method: z.enum(['s256', 'plain']) }).optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  mayCreate: z.boolean().optional(),
  /** Set when it was accepted; without it the email is counted already. */
  accepted: z.object({ isOften: z.boolean() }).optional(),
  identity: brought.shape.identity,
  browser: z.string().optional(),
})

export type LetterWish = z.infer<typeof wish>
type Mailed = User & { email: string }

const budgets = { confirmation: 'confirmation', recovery: 'recovery', 'sign-in': 'sign_in', 'email-change': 'email_change' } as const

/**
 * Asks for a letter to whoever has the account of an address. Whether there is one is looked up afterwards, by the worker, so the
 * request tells nothing about it, not even by the time that it takes.
 */
export async function requestAccountLetter(asked: Omit<LetterWish, 'accepted'>, from: Asker): Promise<void> {
  if (!env.EXTERNAL_EMAIL_ENABLED) refuse('email_provider_disabled', asked.kind === 'sign-in' ? {} : { kind: 'badRequest' })
  const accepted = await accept(asked, from)
  await enqueue(db, { kind: JOB, payload: { ...asked, ...(accepted && { accepted }) } })
}

/** A sign-in that makes an account where there is none is an email that always leaves. */
async function accept({ kind, email, mayCreate = true }: LetterWish, from: Asker): Promise<Accepted | undefined> {
  if (kind !== 'sign-in' || !mayCreate || env.DISABLE_SIGNUP) return acceptLetter(budgets[kind], email, from)
  await spendStrangerLetter(budgets[kind], email, from)
  return undefined
}

async function isAllowed({ kind, accepted }: LetterWish): Promise<boolean> {
  return !accepted || mayLeave(budgets[kind], accepted)
}

// Nothing is kept of it: addresses without an account are none of our business.
defineJob(JOB, wish, async (asked) => (await transaction((trx) => write(trx, asked)), {}), { keepDays: 1 })

async function write(trx: Trx, asked: LetterWish): Promise<void> {
  const known = await findUserByEmail(trx, asked.email)
  const user = known ?? (asked.kind === 'sign-in' ? await begin(trx, asked) : undefined)
  if (user && isMailed(user)) await writers[asked.kind](trx, user, asked)
}

const writers = { confirmation: writeConfirmation, recovery: writeRecovery, 'sign-in': writeSignIn, 'email-change': writeEmailChange }

async function writeConfirmation(trx: Trx, user: Mailed, asked: LetterWish): Promise<void> {
  if (user.emailConfirmedAt || !(await isAllowed(asked))) return
  await noteConfirmation(trx, user)
  const { proof, target } = asked
  const parcel = await findParcel(trx, user, asked)
  const kind = parcel ? 'confirmation' : 'address'
  const secrets = await issueFlowToken(trx, user, kind, user.email, { method: 'email/signup', proof, brought: parcel })
  await post(trx, confirmAddressLetter(user.email, { ...secrets, ...(target !== undefined && { target }), isBare: !parcel }))
}

/** What the email is to install. A sign-up is renewed only by the browser that began it; for anyone else the email proves the address, and no more. */
async function findParcel(trx: Trx, user: User, { identity, browser }: LetterWish): Promise<Partial<Brought> | undefined> {
  if (user.invitedAt) return undefined
  if (identity) return { identity }
  if (browser === undefined) return undefined
  const pending = await findPending(trx, user.id, { evenOld: true })
  return pending?.browser === browser ? pending : undefined
}

async function writeRecovery(trx: Trx, user: Mailed, asked: LetterWish): Promise<void> {
  const { proof, target } = asked
  if (!(await isAllowed(asked))) return
  await noteRecovery(trx, user)
  const secrets = await issueFlowToken(trx, user, 'recovery', user.email, { method: 'recovery', proof })
  await post(trx, resetPasswordLetter(user.email, { ...secrets, ...(target !== undefined && { target }) }))
}

/** For an address that has never been confirmed it is the email that confirms it as well, and installs nothing but the profile that was asked for with it. */
async function writeSignIn(trx: Trx, user: Mailed, asked: LetterWish): Promise<void> {
  const { proof, target, data = {} } = asked
  if (!(await isAllowed(asked))) return
  const type = user.emailConfirmedAt ? 'magiclink' : 'signup'
  await (type === 'magiclink' ? noteRecovery(trx, user) : noteConfirmation(trx, user))
  const [kind, method] = type === 'magiclink' ? (['recovery', 'magiclink'] as const) : (['address', 'email/signup'] as const)
  const secrets = await issueFlowToken(trx, user, kind, user.email, { method, proof, brought: { data } })
  await post(trx, signInLetter(user.email, { ...secrets, type, ...(target !== undefined && { target }) }))
}

async function writeEmailChange(trx: Trx, user: Mailed, asked: LetterWish): Promise<void> {
  if (user.newEmail && (await isAllowed(asked))) await postEmailChange(trx, user, asked)
}

const PHONE_JOB = 'email-change-by-phone'
const wishByPhone = z.object({ ...wish.pick({ target: true, proof: true, accepted: true }).shape, phone: z.string() })

/** Asks for the emails of a waiting address change again, for an account that is known by its phone number. */
export async function requestEmailChangeByPhone(asked: Omit<z.infer<typeof wishByPhone>, 'accepted'>, from: Asker): Promise<void> {
  if (!env.EXTERNAL_EMAIL_ENABLED) refuse('email_provider_disabled', { kind: 'badRequest' })
  const accepted = await acceptLetter('email_change', asked.phone, from)
  await enqueue(db, { kind: PHONE_JOB, payload: { ...asked, accepted } })
}

defineJob(
  PHONE_JOB,
  wishByPhone,
  async ({ phone, accepted, ...manner }) => {
    await transaction(async (trx) => {
      const user = await findUserByPhone(trx, phone)
      if (!user?.newEmail || (accepted && !(await mayLeave('email_change', accepted)))) return
      await postEmailChange(trx, user, manner)
    })
    return {}
  },
  { keepDays: 1 },
)

/** Somebody new, without a password. Another request may have been faster. */
async function begin(trx: Trx, { email, mayCreate = true }: LetterWish): Promise<User | undefined> {
  if (env.DISABLE_SIGNUP || !mayCreate) return undefined
  const confirmed = env.MAILER_AUTOCONFIRM
  const created = await createUser(trx, { email, passwordHash: null, passwordShort: false, data: {}, confirmed })
  if (!created) return findUserByEmail(trx, email)
  await audit(trx, 'user_signedup', { actorId: created.user.id, subjectId: created.user.id })
  return created.user
}

async function noteConfirmation(trx: Trx, { id }: User): Promise<void> {
  await trx.updateTable('users').set({ confirmationSentAt: new Date() }).where('id', '=', id).execute()
  await audit(trx, 'user_confirmation_requested', { subjectId: id })
}

async function noteRecovery(trx: Trx, { id }: User): Promise<void> {
  await trx.updateTable('users').set({ recoverySentAt: new Date() }).where('id', '=', id).execute()
  await audit(trx, 'user_recovery_requested', { subjectId: id })
}

function isMailed(user: User): user is Mailed {
  return user.email !== null
}
