import { env } from '#app/platform/env.server.ts'
import { mac } from '#app/platform/keys.server.ts'
import { consume, type Limit } from '#app/platform/limits.server.ts'
import { Stop } from '#app/platform/stop.ts'
import { refuse } from './refusal.ts'

/** How many letters one address may be sent because someone typed it, of all kinds together. */
const perAccount: Limit = { name: 'letter-account', points: 10, seconds: 3600 }

/**
 * How many such letters leave at all, so that nobody makes a sender of unwanted mail of us. One visitor alone cannot use it up: their own limits
 * let them ask for 1,080 an hour.
 */
const overall: Limit = { name: 'letter-overall', points: 2000, seconds: 3600 }

/**
 * Counts a letter that someone asks for by an address: one of a kind in a while, and so many an hour, to the address and altogether. Counted whether or
 * not the address has an account, so who is refused learns nothing. Letters that tell of something that has happened are no part of it.
 */
export async function spendLetter(kind: 'confirmation' | 'recovery', email: string): Promise<void> {
  const key = accountKey(email)
  const seconds = env.SMTP_MAX_FREQUENCY
  if (seconds > 0) await spend({ name: `letter-${kind}`, points: 1, seconds }, key, pausing)
  await spend(perAccount, key, tooMany)
  await spend(overall, 'all', tooMany)
}

/** What counters know an account by: the address itself is not kept in them. */
export function accountKey(email: string): string {
  return mac('account-limits', email).toString('base64url')
}

async function spend(limit: Limit, key: string, sentenceOf: (stopped: Stop, retryAfter: number) => string): Promise<void> {
  try {
    await consume(limit, key)
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    const { retryAfter = limit.seconds } = error.extra
    refuse('over_email_send_rate_limit', { sentence: sentenceOf(error, retryAfter), retryAfter })
  }
}

const pausing = (_stopped: Stop, retryAfter: number) => `For security purposes, you can only request this after ${retryAfter} seconds.`
const tooMany = ({ data }: Stop) => data
