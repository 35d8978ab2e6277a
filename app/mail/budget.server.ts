import { env } from '#app/platform/env.server.ts'
import { macText } from '#app/platform/guard/keys.server.ts'
import { customerKey, giveBack, isWithin, type Limit, visitorKey } from '#app/platform/guard/limits.server.ts'
import { log } from '#app/platform/process/log.server.ts'

/*
 * One budget for all emails that people can cause, and the same for messages to phones. The table in
 * docs/decisions/0026-email-budgets.md has all its numbers.
 */

export type Way = 'letter' | 'message'

/** What an hour allows. `network`: to one network of a share of the site once much of it is used; `most`: to the whole site. */
const budgets = {
  letter: { most: env.RATE_LIMIT_EMAIL_SENT, network: 15, address: { all: 20, free: 6, byNetwork: 10, ofReserve: 3 } },
  message: { most: env.RATE_LIMIT_SMS_SENT, network: 2, address: { all: 10, free: 3, byNetwork: 10, ofReserve: 2 } },
}

/** An hour's emails or messages of the last part of a reserve to one familiar network: for one account, and for all accounts. */
const FAMILIAR = { account: 3, all: 10 }

const HOUR = 3600

/** The visitor is an IPv4 address or a /64 network of IPv6; the customer is the /48 network around it. */
export type Network = { visitor: string; customer: string }

export function networkOf(address: string): Network {
  return { visitor: visitorKey(address), customer: customerKey(address) }
}

/** The key of an address in counters, which do not store the address itself. */
export function accountKey(address: string): string {
  return macText('account-limits', address)
}

/**
 * `unproven`: the email leaves only for a proof of work; `busy`: the same, because its address has had many. `used`: strangers have used up
 * what is theirs.
 */
export type Share = 'sent' | 'unproven' | 'busy' | 'used'

/** `spent` notes what is counted. */
type StrangerWish = { isFree?: boolean; hasProof?: () => Promise<boolean>; spent?: Spent }

/**
 * Counts an email to an address that anyone can type, with or without an account: so the state of these counters reveals nothing. `isFree`:
 * it never needs a proof of work. `hasProof` is asked only if one is needed.
 */
export async function spendOnStranger(
  way: Way,
  address: string,
  { customer }: Network,
  { isFree = false, hasProof = async () => false, spent = new Spent() }: StrangerWish = {},
): Promise<Share> {
  if (env.RATE_LIMITS === 'off') return 'sent'
  const { most } = budgets[way]
  const { all, free, byNetwork } = budgets[way].address
  const account = accountKey(address)
  const fair = fairUse(way, `${way}-strangers`, customer, Math.ceil(most / 5))
  if (!(await fair(spent))) return 'used'
  // Strangers never keep the owner from setting up the site.
  const isOwners = address.toLowerCase() === env.OWNER_EMAIL?.toLowerCase()
  const isQuiet = isFree || isOwners || (await spent.take(hourly(`${way}-free-to-one`, free), account))
  const isEarly = isFree || (isQuiet && (await spent.take(hourly(`${way}-unproven`, Math.ceil((most * 3) / 8)), 'all')))
  if (!isEarly && !(await hasProof())) return spent.giveAllBack(isQuiet ? 'unproven' : 'busy')
  const isLeft =
    (await spent.take(hourly(`${way}-strangers-by-network`, byNetwork), accountKey(`${address} by ${customer}`))) &&
    (isOwners ||
      ((await spent.take(hourly(`${way}-strangers-to-one`, all), account)) &&
        (await spent.take(hourly(`${way}-strangers`, Math.ceil(most / 2)), 'all'))))
  return isLeft ? 'sent' : spent.giveAllBack('used')
}

/**
 * Whether an email may go to the address that a visitor typed in a form that works without it: an enquiry, a call, a newsletter. These forms
 * have their own checks, so it needs no proof of work. `within` is what the visitor's request has counted.
 */
export async function mayEmailGuest(address: string, visitorAddress: string, within?: Spent): Promise<boolean> {
  const spent = new Spent()
  const share = await spendOnStranger('letter', address.toLowerCase(), networkOf(visitorAddress), { isFree: true, spent })
  within?.add(spent)
  return share === 'sent'
}

/** Gives back what a piece of work has counted when it fails: nothing of it happened, and no email of it leaves. */
export async function countingSuccess<T>(work: (spent: Spent) => Promise<T>): Promise<T> {
  const spent = new Spent()
  try {
    return await work(spent)
  } catch (error) {
    await spent.giveAllBack(undefined)
    throw error
  }
}

/** The reserves of accounts: strangers' emails never count in them. */
export type Reserve = 'letter-recovery' | 'letter-known' | 'message-own' | 'message-known'

/**
 * Counts an email or message to an existing account. If the reserve is used up, it is not sent, and only the log says so: a response would
 * reveal the account. The last part of a reserve is for familiar networks, where the user has signed in before. So strangers with any
 * number of networks cannot block the user's own emails.
 */
export async function spendOnAccount(
  reserve: Reserve,
  account: string,
  { visitor, customer }: Network,
  isFamiliar: () => Promise<boolean>,
): Promise<boolean> {
  const way: Way = reserve.startsWith('letter') ? 'letter' : 'message'
  const { all, ofReserve } = budgets[way].address
  const quarter = Math.ceil(budgets[way].most / 4)
  const anyone = Math.ceil((quarter * 3) / 4)
  const spent = new Spent()
  const isForAnyone =
    (await spent.take(hourly(`${reserve}-by-network`, ofReserve), accountKey(`${account} by ${customer}`))) &&
    (await spent.take(hourly(`${reserve}-to-one`, all), accountKey(account))) &&
    (await fairUse(way, reserve, customer, Math.ceil(anyone / 2))(spent)) &&
    (await spent.take(hourly(reserve, anyone), 'all'))
  if (isForAnyone) return true
  await spent.giveAllBack(false)
  const familiar = quarter - anyone
  const isForFamiliar =
    (await isFamiliar()) &&
    (await spent.take(hourly(`${reserve}-familiar-to-one`, FAMILIAR.account), accountKey(`${account} by ${visitor}`))) &&
    (await spent.take(hourly(`${reserve}-familiar-network`, Math.min(FAMILIAR.all, Math.ceil(familiar / 2))), customer)) &&
    (await spent.take(hourly(`${reserve}-familiar`, familiar), 'all'))
  if (isForFamiliar) return true
  log.warn({ reserve }, 'an hourly limit of emails or messages is reached (RATE_LIMIT_EMAIL_SENT, RATE_LIMIT_SMS_SENT): one was not sent')
  return spent.giveAllBack(false)
}

/** All may use the first part of a share, of this size. Beyond it, each network has an hourly limit that includes its use of the first part. */
function fairUse(way: Way, name: string, customer: string, size: number) {
  return async (spent: Spent): Promise<boolean> => {
    const isFirst = await spent.take(hourly(`${name}-first`, size), 'all')
    return (await spent.take(hourly(`${name}-network`, budgets[way].network), customer)) || isFirst
  }
}

/** What one email has taken from several limits: a refusal by one gives back what the others had counted. */
export class Spent {
  #taken: { limit: Limit; key: string }[] = []

  add(other: Spent): void {
    this.#taken.push(...other.#taken)
  }

  async take(limit: Limit, key: string): Promise<boolean> {
    const isTaken = await isWithin(limit, key)
    if (isTaken) this.#taken.push({ limit, key })
    return isTaken
  }

  async giveAllBack<T>(answer: T): Promise<T> {
    for (const { limit, key } of this.#taken.splice(0)) await giveBack(limit, key)
    return answer
  }
}

export function hourly(name: string, points: number): Limit {
  return { name, points, seconds: HOUR }
}
