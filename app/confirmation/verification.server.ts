import { takeAddress } from '#app/identity/address-taken.server.ts'
import { isFlowLink } from '#app/one-time-token/flow-link.ts'
import { type TokenKind, useLink, useToken } from '#app/one-time-token/one-time-token.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { lockIfThere, type User } from '#app/identity/user.server.ts'
import type { Trx } from '#app/platform/db.server.ts'
import type { Client } from '#app/session/client.ts'
import { issueCode } from '#app/session/flow-state.server.ts'
import { isBanned, type OpenSession, startSession } from '#app/session/session.server.ts'
import type { Row } from '#db/tables.ts'
import { codeNote, linkNote, type Note } from './failed-proof.server.ts'
import { proveAddress } from './proof.server.ts'
import { findTyped } from './typed-code.server.ts'

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

export type VerificationType = keyof typeof kindsOf

/** A session; or a code, which the program that began the flow exchanges for one; or only the first of the two letters of a new address. */
export type Verified = { session: OpenSession } | { code: string } | { half: true }

type Refusal = 'otp_expired' | 'user_banned' | 'flow_state_not_found'
/** `userId`: the account, where the token has named it. */
type Refused = { refusal: Refusal; userId?: string }
type Outcome = Verified | Refused

/** Signs in by the link of a letter. It works once. */
export async function verifyLink(type: VerificationType, link: string, client: Client): Promise<Verified> {
  return settle(
    async (trx) => enter(trx, await useLink(trx, link, kindsOf[type]), (user) => signIn(trx, user, type, client)),
    linkNote(link, client),
  )
}

/** The same for the button of the page that a letter leads to: what belongs to a flow gives a code, which is worth nothing without its key. */
export async function openLink(type: VerificationType, link: string, client: Client): Promise<Verified> {
  if (!isFlowLink(link)) return verifyLink(type, link, client)
  return settle(
    async (trx) => {
      const token = await useLink(trx, link, kindsOf[type])
      const flowId = token?.flowId
      if (token && !flowId) return { refusal: 'flow_state_not_found', userId: token.userId }
      return enter(trx, token, async (user) => ({ code: await issueCode(trx, flowId ?? '', user.id) }))
    },
    linkNote(link, client),
  )
}

/** Signs in by a code. For an address without an account the answer and the work are the same. */
export async function verifyCode(type: VerificationType, address: string, code: string, client: Client): Promise<Verified> {
  const token = await findTyped(address, code, kindsOf[type])
  const note = codeNote(address, kindsOf[type], client)
  if (!token) {
    note({ reason: 'otp_expired' })
    refuse('otp_expired')
  }
  return settle(
    async (trx) => enter(trx, (await useToken(trx, token)) ? token : undefined, (user) => signIn(trx, user, type, client)),
    note,
  )
}

/** Does what a link of our own pages is for, without signing anyone in. Answers whether it was good, and whether another letter has to follow. */
export async function confirmByLink(link: string, client: Client, type: VerificationType = 'signup'): Promise<'done' | 'half' | undefined> {
  const outcome = await takeAddress<Outcome>(async (trx) => enter(trx, await useLink(trx, link, kindsOf[type]), async () => ({ code: '' })))
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
  // Someone else may have been given the address while its letter was on its way.
  const outcome = await takeAddress(work)
  if (!('refusal' in outcome)) return outcome
  const { refusal, userId } = outcome
  note({ reason: refusal, userId })
  return refuse(refusal, refusal === 'user_banned' ? { kind: 'forbidden' } : {})
}

/** A refusal is an answer here, not an exception: the token that it used up stays used up. */
async function enter(trx: Trx, token: Row<'oneTimeTokens'> | undefined, open: (user: User) => Promise<Verified>): Promise<Outcome> {
  // Two letters of one user that are followed at the same moment take turns.
  const user = token && (await lockIfThere(trx, token.userId))
  if (!user) return { refusal: 'otp_expired' }
  if (isBanned(user)) return { refusal: 'user_banned', userId: user.id }
  const proven = await proveAddress(trx, user, token)
  if (proven === 'nothing') return { refusal: 'otp_expired', userId: user.id }
  if (proven === 'half') return { half: true }
  return open(user)
}
