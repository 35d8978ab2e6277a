import { env } from '#app/platform/env.server.ts'
import { mac } from '#app/platform/keys.server.ts'
import { consume, forgive, type Limit } from '#app/platform/limits.server.ts'
import { Stop } from '#app/platform/stop.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'

type Kind = 'confirmation' | 'recovery' | 'email_change' | 'reauthentication' | 'phone_change' | 'factor'
type Way = 'letter' | 'message'

/** How many letters one address may be sent because someone typed it, of all kinds together; the same for messages to one phone. */
const PER_ADDRESS = 10

/** How many messages an hour one account may have sent to phones that it has not proven: so none of them alone can pump messages to strangers, or use up what all have. */
const PER_ASKER = 5

/**
 * `mostInAll` is how many leave in an hour altogether, so that nobody makes a sender of unwanted mail of us. One visitor alone cannot use it up: their
 * own limits let them ask for 1,800 an hour. Messages cost money, so there are few.
 */
const ways = {
  letter: { refused: 'over_email_send_rate_limit', pauseSeconds: env.SMTP_MAX_FREQUENCY, mostInAll: env.RATE_LIMIT_EMAIL_SENT },
  message: { refused: 'over_sms_send_rate_limit', pauseSeconds: env.SMS_MAX_FREQUENCY, mostInAll: env.RATE_LIMIT_SMS_SENT },
} as const

/**
 * Counts a letter that someone asks for by an address: one of a kind in a while, and so many an hour, to the address and altogether. Counted whether or
 * not the address has an account, so who is refused learns nothing. Letters that tell of something that has happened are no part of it.
 */
export async function spendLetter(kind: Kind, email: string): Promise<void> {
  await spend('letter', kind, email)
}

/** The same for a message to a phone. */
export async function spendMessage(kind: Kind, phone: string): Promise<void> {
  await spend('message', kind, phone)
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

async function spend(way: Way, kind: Kind, address: string): Promise<void> {
  const key = accountKey(address)
  const { pauseSeconds, mostInAll } = ways[way]
  if (pauseSeconds > 0) await count(way, pauseOf(way, kind), key, pausing)
  await count(way, { name: `${way}-account`, points: PER_ADDRESS, seconds: 3600 }, key, tooMany)
  await count(way, { name: `${way}-overall`, points: mostInAll, seconds: 3600 }, 'all', tooMany)
}

function pauseOf(way: Way, kind: Kind): Limit {
  return { name: `${way}-${kind}`, points: 1, seconds: ways[way].pauseSeconds }
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
