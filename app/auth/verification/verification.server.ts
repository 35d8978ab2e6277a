import { takeAddress } from '#app/auth/users/address-taken.server.ts'
import { isFlowLink } from '#app/auth/tokens/flow-link.ts'
import { findLink, issueToken, type TokenKind, spendToken, isOnlyToken } from '#app/auth/tokens/one-time-token.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { findUser, lockIfThere, type User } from '#app/auth/users/user.server.ts'
import { db, transaction, type Trx, type Database } from '#app/platform/database/db.server.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import { issueCode } from '#app/auth/sessions/flow-state.server.ts'
import { isBanned, type OpenSession, startSession } from '#app/auth/sessions/session.server.ts'
import type { Row } from '#db/tables.ts'
import { codeNote, linkNote, type Note, openedLink } from './failed-proof.server.ts'
import { proveAddress, isFirstProof } from './proof.server.ts'
import { findTyped } from './typed-code.server.ts'
import { hasOwner } from '#app/auth/users/account.server.ts'
import { mayClaim, ownerRule } from '#app/auth/users/owner.server.ts'
import { roleOf } from '#app/auth/users/role.ts'
import { broughtBy } from '#app/auth/tokens/brought.server.ts'

/** The tokens that a type of verification accepts. */
export const kindsOf = {
  signup: ['confirmation', 'address'],
  invite: ['confirmation'],
  recovery: ['recovery'],
  magiclink: ['recovery'],
  email: ['confirmation', 'address', 'recovery'],
  email_change: ['email_change_current', 'email_change_new'],
  sms: ['confirmation', 'address'],
  phone_change: ['phone_change'],
} as const satisfies Record<string, readonly TokenKind[]>

type VerificationType = keyof typeof kindsOf

/**
 * A session; a code that the client of the flow exchanges for a session; `half`, the first of two emails of an address change; or
 * `asksPassword`: the link or code is not used up, because it works only with a new password.
 */
export type Verified = { session: OpenSession } | { code: string } | { half: true } | { asksPassword: true }

type Refusal = 'otp_expired' | 'user_banned' | 'flow_state_not_found'
/** `userId`: the account of the token, if it was found. */
type Refused = { refusal: Refusal; userId?: string }
type Outcome = Verified | Refused

/** Signs in by the link of an email, which works once. */
export async function verifyLink(type: VerificationType, link: string, client: Client): Promise<Verified> {
  return settle(
    async (trx) => enter(trx, await findLink(link, kindsOf[type], trx), client, (user) => signIn(trx, user, type, client)),
    linkNote(link, client),
  )
}

/** The same for the button of an email's page. The link of a flow returns a code, which only works with the PKCE verifier. */
export async function openLink(type: VerificationType, link: string, client: Client): Promise<Verified> {
  if (!isFlowLink(link)) return verifyLink(type, link, client)
  return settle(
    async (trx) => {
      const token = await findLink(link, kindsOf[type], trx)
      const flowId = token?.flowId
      if (token && !flowId) {
        await spendToken(trx, token)
        return { refusal: 'flow_state_not_found', userId: token.userId }
      }
      return enter(trx, token, client, async (user) => ({ code: await issueCode(trx, flowId ?? '', user.id) }))
    },
    linkNote(link, client),
  )
}

/** Signs in by a code. Without an account, the response and the work are the same. */
export async function verifyCode(type: VerificationType, address: string, code: string, client: Client): Promise<Verified> {
  const token = await findTyped(address, code, kindsOf[type], client)
  const note = codeNote(address, kindsOf[type], client)
  if (!token) {
    note({ reason: 'otp_expired' })
    refuse('otp_expired')
  }
  return settle(async (trx) => enter(trx, token, client, (user) => signIn(trx, user, type, client)), note)
}

/**
 * Exchanges the code of a sign-up for a link to our page that asks for a password. Returns nothing if the code has been used or replaced
 * meanwhile.
 */
export async function linkForCode(address: string, code: string, client: Client): Promise<string | undefined> {
  const token = await findTyped(address, code, kindsOf.email, client)
  if (!token) return undefined
  return transaction(async (trx) => {
    if (!(await spendToken(trx, token))) return undefined
    const { id, userId, sentTo } = token
    return (await issueToken(trx, userId, 'address', sentTo, { signUp: id, hasCode: false })).link
  })
}

/** How a link of a sign-up can be used here, or nothing for an invalid link. Uses nothing up. */
export async function findUse(link: string, kinds: readonly TokenKind[], client: Client): Promise<{ asksPassword: boolean } | undefined> {
  const token = await openedLink(link, kinds, client)
  const user = token && (await findUser(token.userId))
  return user && { asksPassword: (await useOf(db, user, token, client)) === 'asks' }
}

/** A confirmed address. The session opens only in the browser of its sign-up. */
type ConfirmedAddress = { userId: string; email: string; session?: OpenSession }

/**
 * Confirms an address by the link of a sign-up. Someone else may have signed up, and someone else may follow the link: only the browser
 * that has the secret of that very sign-up is signed in, and only by its link. `client.signUpBrowser` is the hash of its secret.
 * `opensSession`: whether nobody is signed in there.
 */
export async function confirmSignUp(
  link: string,
  client: Client,
  { opensSession }: { opensSession: boolean },
): Promise<ConfirmedAddress | 'asksPassword' | undefined> {
  const { token, outcome } = await takeAddress(async (trx) => {
    const found = await findLink(link, kindsOf.signup, trx)
    const isHere = opensSession && found?.kind === 'confirmation' && found.signUp === client.signUpBrowser
    const open = async (user: User): Promise<Verified> => (isHere ? signIn(trx, user, 'signup', client) : { code: '' })
    return { token: found, outcome: await enter(trx, found, client, open) }
  })
  if (!token || 'refusal' in outcome) {
    const { refusal, userId } = 'refusal' in outcome ? outcome : { refusal: 'otp_expired', userId: undefined }
    linkNote(link, client)({ reason: refusal, userId })
    return undefined
  }
  if ('asksPassword' in outcome) return 'asksPassword'
  const { userId, sentTo: email } = token
  return { userId, email, ...('session' in outcome && { session: outcome.session }) }
}

/** Applies a link of our own pages without a sign-in. Returns `done`, `half` if a second email is needed, or nothing for an invalid link. */
export async function confirmByLink(link: string, client: Client, type: VerificationType): Promise<'done' | 'half' | undefined> {
  const outcome = await takeAddress<Outcome>(async (trx) =>
    enter(trx, await findLink(link, kindsOf[type], trx), client, async () => ({ code: '' })),
  )
  if ('refusal' in outcome) {
    linkNote(link, client)({ reason: outcome.refusal, userId: outcome.userId })
    return undefined
  }
  return 'half' in outcome ? 'half' : 'done'
}

async function signIn(trx: Trx, user: User, type: VerificationType, client: Client): Promise<Verified> {
  return { session: await startSession(trx, user, 'otp', client, type === 'sms' || type === 'phone_change' ? 'phone' : 'email') }
}

async function settle(work: (trx: Trx) => Promise<Outcome>, note: Note): Promise<Verified> {
  // Another account may have got the address in the meantime.
  const outcome = await takeAddress(work)
  if (!('refusal' in outcome)) return outcome
  const { refusal, userId } = outcome
  note({ reason: refusal, userId })
  return refuse(refusal, refusal === 'user_banned' ? { kind: 'forbidden' } : {})
}

/** Uses a token up, unless a password is needed first. Returns a refusal instead of throwing it, so the transaction commits. */
async function enter(
  trx: Trx,
  token: Row<'oneTimeTokens'> | undefined,
  client: Client,
  open: (user: User) => Promise<Verified>,
): Promise<Outcome> {
  // Lock, so that two links of one user run one after the other.
  const user = token && (await lockIfThere(trx, token.userId))
  if (!user) return { refusal: 'otp_expired' }
  const use = await useOf(trx, user, token, client)
  if (use === 'asks') return { asksPassword: true }
  if (!(await spendToken(trx, token))) return { refusal: 'otp_expired', userId: user.id }
  if (isBanned(user)) return { refusal: 'user_banned', userId: user.id }
  const proven = await proveAddress(trx, user, token, use === 'installs' ? 'all' : 'profile')
  if (proven === 'nothing') return { refusal: 'otp_expired', userId: user.id }
  if (proven === 'half') return { half: true }
  return open(proven)
}

/** `installs`: sets what the sign-up brought. `proves`: proves the address, and sets only the profile. `asks`: the person has to choose a password first. */
type SignUpUse = 'installs' | 'proves' | 'asks'

/**
 * Decides whether a link or a code keeps the password, or the account at another service, of its sign-up. Anyone can sign up with another person's
 * address, and that person can follow any of the emails. So only the browser of the very sign-up continues it. Our pages ask everyone else
 * for a password. A program gets a session without one. It continues its own sign-up only while that is the only open one of an address that
 * gains no rights.
 */
async function useOf(connection: Database | Trx, user: User, token: Row<'oneTimeTokens'>, client: Client): Promise<SignUpUse> {
  const brought = token.kind === 'confirmation' ? broughtBy(token) : undefined
  const own = token.sentTo === user.phone ? 'phone' : 'email'
  if (!(brought?.passwordHash || brought?.identity) || !isFirstProof(user, own)) return 'installs'
  if (token.signUp === client.signUpBrowser) return 'installs'
  const isTrusted = brought.by === 'administrator' || (brought.by === 'program' && !(await gainsRights(connection, user)))
  if (isTrusted && !client.ownPages && (await isOnlyToken(connection, token))) return 'installs'
  return client.ownPages ? 'asks' : 'proves'
}

/** Whether an address has a role, or its proof gives one: that of an invitation, or the ownership. */
async function gainsRights(connection: Database | Trx, user: User): Promise<boolean> {
  if (user.invitedRole || roleOf(user.appMetadata) !== 'customer') return true
  if (!user.email || !mayClaim(user, ownerRule)) return false
  return ownerRule.ownerEmail !== undefined || !(await hasOwner(connection))
}
