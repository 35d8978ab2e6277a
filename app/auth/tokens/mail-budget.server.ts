import {
  accountKey,
  hourly,
  type Network,
  networkOf,
  type Reserve,
  type Share,
  spendOnAccount,
  spendOnStranger,
  type Way,
} from '#app/mail/budget.server.ts'
import { env } from '#app/platform/env.server.ts'
import { consume, forgive, type Limit } from '#app/platform/guard/limits.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { challengeFor, spendProof } from '#app/platform/guard/proof-of-work.server.ts'

/*
 * The requests of the auth service for emails and messages: each visitor may ask so often, and is told so. What leaves is counted in the one
 * budget of all emails.
 */

type Kind = 'confirmation' | 'recovery' | 'sign_in' | 'email_change' | 'reauthentication' | 'phone_change' | 'factor'

/** `proof`: a proof of work as the client sent it, or `true` for a solved captcha. */
export type EmailRequester = { address: string; proof?: string | true | undefined }

/** Emails or messages of a kind that one visitor may request for one address in an hour. */
const PER_ADDRESS = 10

/** Emails, or messages, of all kinds that one visitor may request in five minutes. */
const PER_VISITOR = 30

/** Some providers share one /48 network among many customers, so a whole network may request more than one visitor. */
const PER_CUSTOMER = 4

/** Messages an hour that one account may request for unproven phones. So no account can flood strangers or use up the shared budget. */
const PER_ASKER = 5

const HOUR = 3600

const ways = {
  letter: { refused: 'over_email_send_rate_limit', pauseSeconds: env.SMTP_MAX_FREQUENCY },
  message: { refused: 'over_sms_send_rate_limit', pauseSeconds: env.SMS_MAX_FREQUENCY },
} as const

/** The network of an accepted request, until a job looks up the account. */
export type AcceptedEmail = Network

/** `undo`: nothing is sent after all, so the next request need not wait. */
type Admitted = { accepted: AcceptedEmail; undo: () => Promise<void> }

/**
 * Accepts or refuses a request for an email to an address. The response is the same with and without an account. Each visitor has a
 * separate limit for the address.
 */
export async function acceptEmail(kind: Kind, email: string, from: EmailRequester): Promise<AcceptedEmail> {
  return (await admit('letter', kind, email, from)).accepted
}

/** The same for a message to a phone. */
export async function acceptMessage(kind: Kind, phone: string, from: EmailRequester): Promise<AcceptedEmail> {
  return (await admit('message', kind, phone, from)).accepted
}

/** The same for an email that is sent with or without an account, so it is counted here. */
export async function spendStrangerEmail(kind: Kind, email: string, from: EmailRequester): Promise<void> {
  const admitted = await admit('letter', kind, email, from)
  const share = await findShare('letter', email, from, admitted)
  if (share === 'sent') return
  await admitted.undo()
  refuse('over_email_send_rate_limit', await busyAnswer(email, share))
}

/**
 * The same for a sign-in that creates an account if there is none. If strangers have used up their share, it returns the accepted request:
 * a job may then send the email to an existing account.
 */
export async function spendSignInEmail(email: string, from: EmailRequester): Promise<AcceptedEmail | undefined> {
  const admitted = await admit('letter', 'sign_in', email, from)
  const share = await findShare('letter', email, from, admitted)
  if (share === 'sent') return undefined
  if (share !== 'unproven') return admitted.accepted
  await admitted.undo()
  refuse('over_email_send_rate_limit', await busyAnswer(email, share))
}

/** Returns an undo for a message that could not be sent: the phone can request another immediately. The hourly share stays spent. */
export async function spendStrangerMessage(kind: Kind, phone: string, from: EmailRequester): Promise<() => Promise<void>> {
  const admitted = await admit('message', kind, phone, from)
  const share = await findShare('message', phone, from, admitted)
  if (share === 'sent') return admitted.undo
  await admitted.undo()
  refuse('over_sms_send_rate_limit', await busyAnswer(phone, share))
}

/** Programs that sign in by phone do no proof of work. Beyond the strangers' share, a job may send the message to an existing account. */
export async function spendSignInMessage(
  phone: string,
  from: EmailRequester,
): Promise<{ accepted?: AcceptedEmail; undo: () => Promise<void> }> {
  const admitted = await admit('message', 'confirmation', phone, from)
  const isSent = (await findShare('message', phone, from, admitted)) === 'sent'
  return { undo: admitted.undo, ...(!isSent && { accepted: admitted.accepted }) }
}

/** For a phone that a signed-in user claims. Their account replaces the proof of work. */
export async function spendNewPhoneMessage(kind: Kind, phone: string, askerId: string, from: EmailRequester): Promise<() => Promise<void>> {
  await count('message', { name: 'message-asker', points: PER_ASKER, seconds: HOUR }, askerId, tooMany)
  return spendStrangerMessage(kind, phone, { ...from, proof: true })
}

/** The same for an email to a signed-in user. */
export async function spendOwnEmail(kind: Kind, email: string, from: EmailRequester): Promise<void> {
  const { accepted, undo } = await admit('letter', kind, email, from)
  if (await mayLeave('letter', kind, email, accepted, isSignedIn)) return
  await undo()
  refuse('over_email_send_rate_limit', { sentence: BUSY, retryAfter: HOUR })
}

/** The same for a message to the phone of a signed-in user. Returns an undo like `spendStrangerMessage`. */
export async function spendOwnMessage(kind: Kind, phone: string, from: EmailRequester): Promise<() => Promise<void>> {
  const { accepted, undo } = await admit('message', kind, phone, from)
  if (await mayLeave('message', kind, phone, accepted, isSignedIn)) return undo
  await undo()
  refuse('over_sms_send_rate_limit', { sentence: MESSAGES_BUSY, retryAfter: HOUR })
}

const isSignedIn = async () => true

/** Whether an email or message to an existing account may leave. */
export async function mayLeave(
  way: Way,
  kind: Kind,
  account: string,
  network: AcceptedEmail,
  isFamiliar: () => Promise<boolean>,
): Promise<boolean> {
  return spendOnAccount(reserveOf(way, kind), account, network, isFamiliar)
}

function reserveOf(way: Way, kind: Kind): Reserve {
  if (way === 'letter') return kind === 'recovery' ? 'letter-recovery' : 'letter-known'
  return kind === 'factor' || kind === 'reauthentication' ? 'message-own' : 'message-known'
}

function findShare(way: Way, address: string, from: EmailRequester, { accepted }: Admitted): Promise<Share> {
  return spendOnStranger(way, address, accepted, { hasProof: async () => hasProof(subjectOf(address), from) })
}

const BUSY = 'Many emails are being requested right now. Please try again later.'
const MESSAGES_BUSY = 'Many messages are being requested right now. Please try again later.'

async function busyAnswer(address: string, share: Share) {
  const sentence = address.includes('@') ? BUSY : MESSAGES_BUSY
  return { sentence, retryAfter: HOUR, ...(share !== 'used' && { challenge: await challengeFor(subjectOf(address)) }) }
}

async function hasProof(subject: string, { proof }: EmailRequester): Promise<boolean> {
  if (proof === true || proof === undefined) return proof === true
  try {
    return await spendProof(JSON.parse(Buffer.from(proof, 'base64').toString()), subject)
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

function subjectOf(address: string): string {
  return address.includes('@') ? `email:${address}` : `phone:${address}`
}

/** All limits of a request belong to its visitor alone, so nobody makes another person wait. */
async function admit(way: Way, kind: Kind, address: string, from: EmailRequester): Promise<Admitted> {
  const accepted = networkOf(from.address)
  const { visitor, customer } = accepted
  const ofVisitor = accountKey(`${address} by ${visitor}`)
  const pause: Limit = { name: `${way}-${kind}-pause`, points: 1, seconds: ways[way].pauseSeconds }
  if (pause.seconds > 0) await count(way, pause, ofVisitor, pausing)
  const undo = async () => {
    if (pause.seconds > 0) await forgive(pause, ofVisitor)
  }
  try {
    await count(way, hourly(`${way}-${kind}-asked`, PER_ADDRESS), ofVisitor, tooMany)
    const most: Limit = { name: `${way}-visitor`, points: PER_VISITOR, seconds: 300 }
    await count(way, most, visitor, tooMany)
    if (customer !== visitor) await count(way, { ...most, name: `${way}-customer`, points: PER_VISITOR * PER_CUSTOMER }, customer, tooMany)
  } catch (error) {
    await undo()
    throw error
  }
  return { accepted, undo }
}

async function count(way: Way, limit: Limit, key: string, sentenceOf: (stopped: Stop, retryAfter: number) => string): Promise<void> {
  try {
    await consume(limit, key)
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    const { retryAfter = limit.seconds } = error.extra
    refuse(ways[way].refused, { sentence: sentenceOf(error, retryAfter), retryAfter })
  }
}

const pausing = (_stopped: Stop, retryAfter: number) => `For security purposes, you can only request this after ${retryAfter} seconds.`
const tooMany = ({ data }: Stop) => data
