import { z } from 'zod'
import { audit } from '#app/auth/users/audit.server.ts'
import { confirmAddressEmail } from '#app/auth/tokens/confirm-address.email.tsx'
import { type AcceptedEmail, acceptEmail, type EmailRequester, mayLeave, spendSignInEmail } from '#app/auth/tokens/mail-budget.server.ts'
import { hasSignedInFrom } from '#app/auth/users/familiar-network.server.ts'
import { notingLimit } from '#app/auth/users/refused.server.ts'
import { createUser } from '#app/auth/users/new-user.server.ts'
import { type Brought, brought } from '#app/auth/tokens/brought.server.ts'
import { findSignUp } from '#app/auth/tokens/one-time-token.server.ts'
import { mayBeNew } from '#app/auth/protocol/email-address.ts'
import { INVALID_EMAIL, refuse } from '#app/auth/protocol/refusal.ts'
import { resetPasswordEmail } from '#app/auth/tokens/reset-password.email.tsx'
import { findUserByEmail, lockByEmail, lockByPhone, type User } from '#app/auth/users/user.server.ts'
import { accountKey } from '#app/mail/budget.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { macText } from '#app/platform/guard/keys.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import { source } from '#app/platform/http/source.ts'
import { isFirstRequest, isMadeForPerson } from './first-request.server.ts'
import { postEmailChange } from './email-change.server.ts'
import { issueFlowToken } from './flow-token.server.ts'
import { signInEmail } from './sign-in.email.tsx'

const JOB = 'account-letter'

const accepted = z.object({ visitor: z.string().default(''), customer: z.string().default('') })

/**
 * `target`: final redirect of the link. `proof`: PKCE challenge of a flow. `data`: profile for an address that is not proven yet.
 * `mayCreate`: whether a sign-in creates an account. `identity`: the user's account at another service. `browser`: hash of a secret that
 * only the browser of the sign-up has.
 */
const wish = z.object({
  kind: z.enum(['confirmation', 'recovery', 'sign-in', 'email-change']),
  email: z.string(),
  target: z.string().optional(),
  proof: z.object({ challenge: z.string(), method: z.enum(['s256', 'plain']) }).optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  mayCreate: z.boolean().optional(),
  /** The accepted request. Without it the email is already counted. */
  accepted: accepted.optional(),
  identity: brought.shape.identity,
  browser: z.string().optional(),
  /** The source of the account, if this sign-in creates one. */
  cameFrom: z.optional(source),
  /** Nobody else asked for an email to this address. */
  isFirst: z.boolean().optional(),
})

export type AccountEmailRequest = z.infer<typeof wish>
type Mailed = User & { email: string }

const budgets = { confirmation: 'confirmation', recovery: 'recovery', 'sign-in': 'sign_in', 'email-change': 'email_change' } as const

/**
 * Requests an email to the account of an address. A job looks up the account, so neither the response nor its time shows whether there is
 * one.
 */
export async function requestAccountEmail(asked: Omit<AccountEmailRequest, 'accepted' | 'isFirst'>, from: EmailRequester): Promise<void> {
  if (!env.EXTERNAL_EMAIL_ENABLED) refuse('email_provider_disabled', asked.kind === 'sign-in' ? {} : { kind: 'badRequest' })
  if (asked.kind === 'sign-in' && mayBegin(asked) && !mayBeNew(asked.email) && !(await hasDomain(asked.email)))
    refuse('validation_failed', { sentence: INVALID_EMAIL })
  const state = await accept(asked, from)
  const isFirst = await isFirstRequest(asked.email)
  await enqueue(db, { kind: JOB, payload: { ...asked, isFirst, ...(state && { accepted: state, mayCreate: false }) } })
}

/** Whether a sign-in may create an account. */
function mayBegin({ mayCreate = true }: Pick<AccountEmailRequest, 'mayCreate'>): boolean {
  return mayCreate && !env.DISABLE_SIGNUP
}

/**
 * Whether any account has an address of this domain, such as `localhost` of a machine's own mail server. For such a domain the response is that of
 * every other: it tells nothing of a single account.
 */
async function hasDomain(email: string): Promise<boolean> {
  const domain = email.slice(email.lastIndexOf('@'))
  return (await db.selectFrom('users').select('id').where('email', 'like', `%${domain}`).limit(1).executeTakeFirst()) !== undefined
}

/** A sign-in that may create an account always sends its email. If strangers have used up their share, it creates none. */
async function accept({ kind, email, mayCreate }: AccountEmailRequest, from: EmailRequester): Promise<AcceptedEmail | undefined> {
  const findSubject = async () => (await findUserByEmail(db, email))?.id
  const limited = { kind: limitedKinds[kind], account: accountKey(email), findSubject, address: from.address }
  return notingLimit<AcceptedEmail | undefined>(limited, () =>
    kind !== 'sign-in' || !mayBegin({ mayCreate }) ? acceptEmail(budgets[kind], email, from) : spendSignInEmail(email, from),
  )
}

const limitedKinds = { confirmation: 'message', recovery: 'recovery', 'sign-in': 'sign_in', 'email-change': 'message' } as const

async function isAllowed(trx: Trx, { id }: User, asked: Pick<AccountEmailRequest, 'kind' | 'accepted'>): Promise<boolean> {
  const { accepted: state } = asked
  return !state || mayLeave('letter', budgets[asked.kind], id, state, () => hasSignedInFrom(trx, id, state.visitor))
}

// Returns no result to store: we keep no addresses without an account.
defineJob(JOB, wish, async (asked) => (await transaction((trx) => write(trx, asked)), {}), { keepDays: 1 })

async function write(trx: Trx, asked: AccountEmailRequest): Promise<void> {
  const known = await lockByEmail(trx, asked.email)
  const user = known ?? (asked.kind === 'sign-in' ? await begin(trx, asked) : undefined)
  if (user && isMailed(user)) await writers[asked.kind](trx, user, asked)
}

const writers = { confirmation: writeConfirmation, recovery: writeRecovery, 'sign-in': writeSignIn, 'email-change': writeEmailChange }

async function writeConfirmation(trx: Trx, user: Mailed, asked: AccountEmailRequest): Promise<void> {
  if (user.emailConfirmedAt || !(await isAllowed(trx, user, asked))) return
  await noteConfirmation(trx, user)
  const { proof, target } = asked
  const parcel = await findParcel(trx, user, asked)
  const kind = parcel ? 'confirmation' : 'address'
  const secrets = await issueFlowToken(trx, user, kind, user.email, { method: 'email/signup', proof, ...parcel })
  const { identity, asked: signUp } = parcel?.brought ?? {}
  const said = { ...signUp, ...(identity && { provider: identity.provider }), ...(target !== undefined && { target }) }
  await enqueueEmail(trx, confirmAddressEmail(user.email, { ...secrets, ...said, isBare: !parcel }))
}

type Parcel = { brought: Partial<Brought>; signUp: string }

/** The sign-up data for the email. Only the browser of a sign-up can renew it; otherwise the email just proves the address. */
async function findParcel(trx: Trx, user: User, { identity, browser, isFirst }: AccountEmailRequest): Promise<Parcel | undefined> {
  if (user.invitedAt) return undefined
  if (identity) {
    const signUp = browser ?? macText('sign-up', `${identity.provider}:${identity.subject}`)
    return {
      brought: {
        identity,
        by: isFirst && !browser && !isMadeForPerson(user) ? 'program' : 'page',
        asked: { at: new Date().toISOString() },
      },
      signUp,
    }
  }
  const brought = browser && (await findSignUp(trx, user.id, browser))
  return browser && brought ? { brought, signUp: browser } : undefined
}

async function writeRecovery(trx: Trx, user: Mailed, asked: AccountEmailRequest): Promise<void> {
  const { proof, target } = asked
  if (!(await isAllowed(trx, user, asked))) return
  await noteRecovery(trx, user)
  const secrets = await issueFlowToken(trx, user, 'recovery', user.email, { method: 'recovery', proof })
  await enqueueEmail(trx, resetPasswordEmail(user.email, { ...secrets, ...(target !== undefined && { target }) }))
}

/** For an unconfirmed address, the email also confirms it, and sets only the profile of this request. */
async function writeSignIn(trx: Trx, user: Mailed, asked: AccountEmailRequest): Promise<void> {
  const { proof, target, data = {} } = asked
  if (!(await isAllowed(trx, user, asked))) return
  const type = user.emailConfirmedAt ? 'magiclink' : 'signup'
  await (type === 'magiclink' ? noteRecovery(trx, user) : noteConfirmation(trx, user))
  const [kind, method] = type === 'magiclink' ? (['recovery', 'magiclink'] as const) : (['address', 'email/signup'] as const)
  // Anyone can request a sign-in email, so it must not replace a recovery email. For an invited account it sets no profile.
  const brought = user.invitedAt ? undefined : { data }
  const signUp = type === 'magiclink' ? 'sign-in' : undefined
  const secrets = await issueFlowToken(trx, user, kind, user.email, { method, proof, brought, signUp })
  await enqueueEmail(trx, signInEmail(user.email, { ...secrets, type, ...(target !== undefined && { target }) }))
}

async function writeEmailChange(trx: Trx, user: Mailed, asked: AccountEmailRequest): Promise<void> {
  if (user.newEmail && (await isAllowed(trx, user, asked))) await postEmailChange(trx, user, asked)
}

const PHONE_JOB = 'email-change-by-phone'
const wishByPhone = z.object({ ...wish.pick({ target: true, proof: true, accepted: true }).shape, phone: z.string() })

/** Requests the emails of a pending address change again, for an account found by its phone number. */
export async function requestEmailChangeByPhone(asked: Omit<z.infer<typeof wishByPhone>, 'accepted'>, from: EmailRequester): Promise<void> {
  if (!env.EXTERNAL_EMAIL_ENABLED) refuse('email_provider_disabled', { kind: 'badRequest' })
  const state = await acceptEmail('email_change', asked.phone, from)
  await enqueue(db, { kind: PHONE_JOB, payload: { ...asked, accepted: state } })
}

defineJob(
  PHONE_JOB,
  wishByPhone,
  async ({ phone, accepted: state, ...manner }) => {
    await transaction(async (trx) => {
      const user = await lockByPhone(trx, phone)
      if (!user?.newEmail || !(await isAllowed(trx, user, { kind: 'email-change', accepted: state }))) return
      await postEmailChange(trx, user, manner)
    })
    return {}
  },
  { keepDays: 1 },
)

/** Creates an account without a password, or returns the one that another request has just created. */
async function begin(trx: Trx, { email, mayCreate, cameFrom }: AccountEmailRequest): Promise<User | undefined> {
  if (!mayBegin({ mayCreate }) || !mayBeNew(email)) return undefined
  const confirmed = env.MAILER_AUTOCONFIRM
  const created = await createUser(trx, { email, passwordHash: null, passwordShort: false, data: {}, confirmed })
  if (!created) return lockByEmail(trx, email)
  if (cameFrom)
    await trx
      .updateTable('users')
      .set({ cameFrom: JSON.stringify(cameFrom) })
      .where('id', '=', created.user.id)
      .execute()
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
