import { env } from '#app/platform/env.server.ts'
import { mac } from '#app/platform/keys.server.ts'
import { consume, forgive, type Limit, visitorKey } from '#app/platform/limits.server.ts'
import { log } from '#app/platform/log.server.ts'
import { Stop } from '#app/platform/stop.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { challengeFor, isProven } from '#app/spam/proof.server.ts'

type Kind = 'confirmation' | 'recovery' | 'sign_in' | 'email_change' | 'reauthentication' | 'phone_change' | 'factor'
type Way = 'letter' | 'message'

/** `proof`: work that their machine has done, as it was sent; `true` where a captcha was solved. */
export type Asker = { address: string; proof?: string | true | undefined }

/** Emails of a kind that one visitor may have sent to one address in an hour, and messages of a kind to one phone by anyone. */
const PER_ADDRESS = 10

/** Emails of all kinds together that one visitor may ask for in five minutes. */
const perVisitor: Limit = { name: 'letter-visitor', points: 30, seconds: 300 }

/** From this many in an hour on, a visitor shares a part of the reserves with all others who ask as often. */
const often: Limit = { name: 'letter-often', points: 15, seconds: 3600 }

/** How many messages an hour one account may have sent to phones that it has not proven: so none of them alone can pump messages to strangers, or use up what all have. */
const PER_ASKER = 5

/**
 * Shares of the emails that leave in an hour. Strangers have half: emails that always leave, so the state of this share tells nothing. Its last
 * quarter needs a proof of work. Recovery, and all else that only proven accounts are sent, have a quarter each that nobody else can use up.
 */
const most = env.RATE_LIMIT_EMAIL_SENT
const strangers: Limit = { name: 'letter-strangers', points: Math.ceil(most / 2), seconds: 3600 }
const unproven: Limit = { name: 'letter-unproven', points: Math.ceil((most * 3) / 8), seconds: 3600 }
const reserves = { recovery: reserveOf('recovery'), known: reserveOf('known') }

const ways = {
  letter: { refused: 'over_email_send_rate_limit', pauseSeconds: env.SMTP_MAX_FREQUENCY },
  message: { refused: 'over_sms_send_rate_limit', pauseSeconds: env.SMS_MAX_FREQUENCY },
} as const

/** The state of an accepted request for an email, until a job finds out whether there is an account to send it to. */
export type Accepted = { isOften: boolean }

/**
 * Accepts a request for an email to an address, or refuses it. The requester hears the same whether or not the address has an account. A
 * request that is refused costs the address nothing, and no request of one visitor uses up what another one may ask for that address, but
 * for the pause between two emails of a kind.
 */
export async function acceptLetter(kind: Kind, email: string, from: Asker, emails = 1): Promise<Accepted> {
  const key = accountKey(email)
  const visitor = visitorKey(from.address)
  const pause = pauseOf('letter', kind)
  if (pause.seconds > 0) await count('letter', pause, key, pausing)
  try {
    await count(
      'letter',
      { name: `letter-${kind}-asked`, points: PER_ADDRESS, seconds: 3600 },
      accountKey(`${email} by ${visitor}`),
      tooMany,
    )
    await count('letter', perVisitor, visitor, tooMany, emails)
    return { isOften: !(await fits(often, visitor, emails)) }
  } catch (error) {
    if (pause.seconds > 0) await forgive(pause, key)
    throw error
  }
}

/** The same for an email that leaves whether or not the address has an account. It is counted here. */
export async function spendStrangerLetter(kind: Kind, email: string, from: Asker): Promise<void> {
  await acceptLetter(kind, email, from)
  try {
    if (env.RATE_LIMITS === 'off') return
    if (!(await fits(unproven, 'all')) && !(await hasProof(email, from))) {
      refuse('over_email_send_rate_limit', { sentence: BUSY, retryAfter: often.seconds, challenge: await challengeFor(subjectOf(email)) })
    }
    await count('letter', strangers, 'all', tooMany)
  } catch (error) {
    const pause = pauseOf('letter', kind)
    if (pause.seconds > 0) await forgive(pause, accountKey(email))
    throw error
  }
}

const BUSY = 'Many emails are being requested right now. Please try again later.'

/** The same for an email to someone who is signed in. */
export async function spendOwnLetter(kind: Kind, email: string, from: Asker, emails = 1): Promise<void> {
  const accepted = await acceptLetter(kind, email, from, emails)
  if (!(await mayLeave(kind, accepted))) refuse('over_email_send_rate_limit', { sentence: BUSY, retryAfter: often.seconds })
}

/**
 * Counts an email that is about to leave for an account that is there. When the reserve is used up it does not leave, and only the log says so:
 * a response would tell that there is an account.
 */
export async function mayLeave(kind: Kind, { isOften }: Accepted): Promise<boolean> {
  const { all, often } = reserves[kind === 'recovery' ? 'recovery' : 'known']
  if ((!isOften || (await fits(often, 'all'))) && (await fits(all, 'all'))) return true
  log.warn({ kind }, 'the limit of emails in an hour (RATE_LIMIT_EMAIL_SENT) is reached: one was not sent')
  return false
}

function reserveOf(name: string): { all: Limit; often: Limit } {
  const points = Math.ceil(most / 4)
  return {
    all: { name: `letter-${name}`, points, seconds: 3600 },
    often: { name: `letter-${name}-often`, points: Math.ceil(points / 2), seconds: 3600 },
  }
}

async function hasProof(email: string, { proof }: Asker): Promise<boolean> {
  if (proof === true || proof === undefined) return proof === true
  try {
    return await isProven(JSON.parse(Buffer.from(proof, 'base64').toString()), subjectOf(email))
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

function subjectOf(email: string): string {
  return `email:${email}`
}

/** Counts a message to a phone that someone asks for: one of a kind in a while, and so many an hour, to the phone and altogether. */
export async function spendMessage(kind: Kind, phone: string): Promise<void> {
  const key = accountKey(phone)
  const pause = pauseOf('message', kind)
  if (pause.seconds > 0) await count('message', pause, key, pausing)
  await count('message', { name: `message-${kind}-account`, points: PER_ADDRESS, seconds: 3600 }, key, tooMany)
  await count('message', { name: 'message-overall', points: env.RATE_LIMIT_SMS_SENT, seconds: 3600 }, 'all', tooMany)
}

/** The same for a message to a phone that its asker says is theirs. */
export async function spendStrangeMessage(kind: Kind, phone: string, askerId: string): Promise<void> {
  await count('message', { name: 'message-asker', points: PER_ASKER, seconds: 3600 }, askerId, tooMany)
  await spendMessage(kind, phone)
}

/** It could not be sent, so nobody has to wait before asking again. What it has cost of the hour stays spent. */
export async function forgiveMessage(kind: Kind, phone: string): Promise<void> {
  if (env.SMS_MAX_FREQUENCY > 0) await forgive(pauseOf('message', kind), accountKey(phone))
}

/** What counters know an account by: the address itself is not kept in them. */
export function accountKey(address: string): string {
  return mac('account-limits', address).toString('base64url')
}

function pauseOf(way: Way, kind: Kind): Limit {
  return { name: `${way}-${kind}`, points: 1, seconds: ways[way].pauseSeconds }
}

async function count(
  way: Way,
  limit: Limit,
  key: string,
  sentenceOf: (stopped: Stop, retryAfter: number) => string,
  points = 1,
): Promise<void> {
  try {
    await consume(limit, key, points)
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    const { retryAfter = limit.seconds } = error.extra
    refuse(ways[way].refused, { sentence: sentenceOf(error, retryAfter), retryAfter })
  }
}

async function fits(limit: Limit, key: string, points = 1): Promise<boolean> {
  try {
    await consume(limit, key, points)
    return true
  } catch (error) {
    if (error instanceof Stop) return false
    throw error
  }
}

const pausing = (_stopped: Stop, retryAfter: number) => `For security purposes, you can only request this after ${retryAfter} seconds.`
const tooMany = ({ data }: Stop) => data
