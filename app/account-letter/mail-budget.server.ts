import { env } from '#app/platform/env.server.ts'
import { mac } from '#app/platform/keys.server.ts'
import { consume, forgive, type Limit } from '#app/platform/limits.server.ts'
import { Stop } from '#app/platform/stop.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'

type Kind = 'confirmation' | 'recovery' | 'email_change' | 'reauthentication' | 'phone_change' | 'factor'
type Code = 'over_email_send_rate_limit' | 'over_sms_send_rate_limit'

/** How many letters one address may be sent because someone typed it, of all kinds together; the same for messages to one phone. */
const perAccount: Limit = { name: 'letter-account', points: 10, seconds: 3600 }
const perPhone: Limit = { name: 'message-account', points: 10, seconds: 3600 }

/**
 * How many such letters leave at all, so that nobody makes a sender of unwanted mail of us. One visitor alone cannot use it up: their own limits
 * let them ask for 1,080 an hour. Messages cost money, so there are few.
 */
const allLetters: Limit = { name: 'letter-overall', points: env.RATE_LIMIT_EMAIL_SENT, seconds: 3600 }
const allMessages: Limit = { name: 'message-overall', points: env.RATE_LIMIT_SMS_SENT, seconds: 3600 }

/**
 * Counts a letter that someone asks for by an address: one of a kind in a while, and so many an hour, to the address and altogether. Counted whether or
 * not the address has an account, so who is refused learns nothing. Letters that tell of something that has happened are no part of it.
 */
export async function spendLetter(kind: Kind, email: string): Promise<void> {
  const key = accountKey(email)
  const refused = 'over_email_send_rate_limit'
  if (env.SMTP_MAX_FREQUENCY > 0) await spend(pauseOf('letter', kind), key, refused, pausing)
  await spend(perAccount, key, refused, tooMany)
  await spend(allLetters, 'all', refused, tooMany)
}

/** The same for a message to a phone. */
export async function spendMessage(kind: Kind, phone: string): Promise<void> {
  const key = accountKey(phone)
  const refused = 'over_sms_send_rate_limit'
  if (env.SMS_MAX_FREQUENCY > 0) await spend(pauseOf('message', kind), key, refused, pausing)
  await spend(perPhone, key, refused, tooMany)
  await spend(allMessages, 'all', refused, tooMany)
}

/** It could not be sent, so nobody has to wait before asking again. What it has cost of the hour stays spent. */
export async function forgiveMessage(kind: Kind, phone: string): Promise<void> {
  if (env.SMS_MAX_FREQUENCY > 0) await forgive(pauseOf('message', kind), accountKey(phone))
}

/** What counters know an account by: the address itself is not kept in them. */
export function accountKey(address: string): string {
  return mac('account-limits', address).toString('base64url')
}

function pauseOf(what: 'letter' | 'message', kind: Kind): Limit {
  return { name: `${what}-${kind}`, points: 1, seconds: what === 'letter' ? env.SMTP_MAX_FREQUENCY : env.SMS_MAX_FREQUENCY }
}

async function spend(limit: Limit, key: string, code: Code, sentenceOf: (stopped: Stop, retryAfter: number) => string): Promise<void> {
  try {
    await consume(limit, key)
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    const { retryAfter = limit.seconds } = error.extra
    refuse(code, { sentence: sentenceOf(error, retryAfter), retryAfter })
  }
}

const pausing = (_stopped: Stop, retryAfter: number) => `For security purposes, you can only request this after ${retryAfter} seconds.`
const tooMany = ({ data }: Stop) => data
