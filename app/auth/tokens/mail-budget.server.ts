import { env } from '#app/platform/env.server.ts'
import { macText } from '#app/platform/keys.server.ts'
import { consume, customerKey, forgive, giveBack, isUsedUp, type Limit, visitorKey } from '#app/platform/limits.server.ts'
import { log } from '#app/platform/log.server.ts'
import { Stop } from '#app/platform/stop.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { challengeFor, spendProof } from '#app/platform/proof-of-work.server.ts'

type Kind = 'confirmation' | 'recovery' | 'sign_in' | 'email_change' | 'reauthentication' | 'phone_change' | 'factor'
type Way = 'letter' | 'message'

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

/** Emails or messages an hour from the last part of a reserve for one familiar network: for one account, and for all accounts. */
const PER_FAMILIAR = { account: 3, all: 10 }

const HOUR = 3600

/**
 * All numbers are for an hour. `often`: visitors with more requests than this share a part of the reserves. `busy`: the same for requests
 * for one address, by anyone. `toOne`: the maximum of that part for one account (`byAll`), and of it for requests by one customer's network
 * (`byCustomer`). `byStrangers`: the maximum for one address from the strangers' share. `fair`: the limit for one customer's network once
 * much of a share is used, so no network can use up a whole share.
 */
const ways = {
  letter: {
    refused: 'over_email_send_rate_limit',
    pauseSeconds: env.SMTP_MAX_FREQUENCY,
    most: env.RATE_LIMIT_EMAIL_SENT,
    often: 15,
    busy: 6,
    toOne: { byAll: 60, byCustomer: 3, byStrangers: 20 },
    fair: 15,
  },
  message: {
    refused: 'over_sms_send_rate_limit',
    pauseSeconds: env.SMS_MAX_FREQUENCY,
    most: env.RATE_LIMIT_SMS_SENT,
    often: 5,
    busy: 3,
    toOne: { byAll: 10, byCustomer: 2, byStrangers: 10 },
    fair: 2,
  },
} as const

/** The state of an accepted request, until a job looks up the account. */
export type AcceptedEmail = { isOften: boolean; visitor: string; customer: string }

/** `isBusy`: the address had many requests, by anyone. `undo`: nothing is sent after all, so the next request need not wait. */
type Admitted = { accepted: AcceptedEmail; isBusy: boolean; undo: () => Promise<void> }

/**
 * Accepts or refuses a request for an email to an address. The response is the same with and without an account. Each visitor has a
 * separate limit for the address, and a refused request does not count against the address.
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
  if (share === 'strangers') return
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
  if (share === 'strangers') return undefined
  if (share === 'known' || admitted.isBusy) return admitted.accepted
  await admitted.undo()
  refuse('over_email_send_rate_limit', await busyAnswer(email, share))
}

/** Returns an undo for a message that could not be sent: the phone can request another immediately. The hourly share stays spent. */
export async function spendStrangerMessage(kind: Kind, phone: string, from: EmailRequester): Promise<() => Promise<void>> {
  const admitted = await admit('message', kind, phone, from)
  const share = await findShare('message', phone, from, admitted)
  if (share === 'strangers') return admitted.undo
  await admitted.undo()
  refuse('over_sms_send_rate_limit', await busyAnswer(phone, share))
}

/** Programs that sign in by phone do no proof of work. Beyond the strangers' share, a job may send the message to an existing account. */
export async function spendSignInMessage(
  phone: string,
  from: EmailRequester,
): Promise<{ accepted?: AcceptedEmail; undo: () => Promise<void> }> {
  const admitted = await admit('message', 'confirmation', phone, from)
  const isStrangers = (await findShare('message', phone, from, admitted)) === 'strangers'
  return { undo: admitted.undo, ...(!isStrangers && { accepted: admitted.accepted }) }
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

/**
 * Counts an email or message to an existing account. If the reserve is used up, it is not sent, and only the log says so: a response would
 * reveal the account. The last part of a reserve is for familiar networks, where the user has signed in before. So strangers with any
 * number of networks cannot block the user's own emails.
 */
export async function mayLeave(
  way: Way,
  kind: Kind,
  account: string,
  { isOften, visitor, customer }: AcceptedEmail,
  isFamiliar: () => Promise<boolean>,
): Promise<boolean> {
  const name = reserveOf(way, kind)
  const { often, anyone, familiar } = reserveSizes(way)
  const { byAll, byCustomer } = ways[way].toOne
  const key = accountKey(account)
  const fitsOften = async () =>
    (await fits(hourly(`${name}-to-one-by-customer`, byCustomer), accountKey(`${account} by ${customer}`))) &&
    (await fits(hourly(`${name}-to-one`, byAll), key)) &&
    (await fits(hourly(`${name}-often`, often), 'all'))
  const fair = fairUse(way, name, customer, Math.ceil(anyone / 2))
  if ((!isOften || (await fitsOften())) && (await fair.fits()) && (await fits(hourly(name, anyone), 'all'))) return true
  if (
    (await isFamiliar()) &&
    (await fits(hourly(`${name}-familiar-to-one`, PER_FAMILIAR.account), accountKey(`${account} by ${visitor}`))) &&
    (await fits(hourly(`${name}-familiar-customer`, Math.min(PER_FAMILIAR.all, Math.ceil(familiar / 2))), customer)) &&
    (await fits(hourly(`${name}-familiar`, familiar), 'all'))
  ) {
    return true
  }
  log.warn({ kind }, warnings[way])
  return false
}

const warnings = {
  letter: 'a limit of emails in an hour (shares of RATE_LIMIT_EMAIL_SENT) is reached: one was not sent',
  message: 'a limit of messages in an hour (shares of RATE_LIMIT_SMS_SENT) is reached: one was not sent',
}

/** Strangers have half of the hourly budget; the two reserves for emails, or for messages, have a quarter each. */
function reserveOf(way: Way, kind: Kind): string {
  if (way === 'letter') return kind === 'recovery' ? 'letter-recovery' : 'letter-known'
  return kind === 'factor' || kind === 'reauthentication' ? 'message-own' : 'message-known'
}

function reserveSizes(way: Way) {
  const quarter = Math.ceil(ways[way].most / 4)
  const anyone = Math.ceil((quarter * 3) / 4)
  return { often: Math.ceil(quarter / 2), anyone, familiar: quarter - anyone }
}

/** `unproven`: the request needs a proof of work. `known`: strangers have used up their share. */
type Share = 'strangers' | 'unproven' | 'known'

async function findShare(way: Way, address: string, from: EmailRequester, admitted: Admitted): Promise<Share> {
  if (env.RATE_LIMITS === 'off') return 'strangers'
  const fair = fairUse(way, `${way}-strangers`, admitted.accepted.customer, Math.ceil(ways[way].most / 5))
  if (!(await fair.fits())) return 'known'
  const share = await countShare(way, address, from, admitted)
  if (share !== 'strangers') await fair.giveBack()
  return share
}

/** All may use the first part of a share, of this size. Beyond it, each customer has an hourly limit that includes their use of the first part. */
function fairUse(way: Way, name: string, customer: string, size: number) {
  const first = hourly(`${name}-first`, size)
  const own = hourly(`${name}-customer`, ways[way].fair)
  return {
    async fits() {
      const isFirst = await fits(first, 'all')
      return (await fits(own, customer)) || isFirst
    },
    async giveBack() {
      await giveBack(first, 'all')
      await giveBack(own, customer)
    },
  }
}

/**
 * Counts emails and messages that are sent with or without an account, so the state of this share reveals nothing. The last quarter and
 * busy addresses need a proof of work. Each address has a small limit, so a flood of sign-ups cannot fill one mailbox.
 */
async function countShare(way: Way, address: string, from: EmailRequester, { isBusy }: Admitted): Promise<Share> {
  const { most } = ways[way]
  const needsProof = isBusy || !(await fits(hourly(`${way}-unproven`, Math.ceil((most * 3) / 8)), 'all'))
  if (needsProof && !(await hasProof(subjectOf(address), from))) return 'unproven'
  if (!(await fits(hourly(`${way}-strangers-to-one`, ways[way].toOne.byStrangers), accountKey(address)))) return 'known'
  return (await fits(hourly(`${way}-strangers`, Math.ceil(most / 2)), 'all')) ? 'strangers' : 'known'
}

const BUSY = 'Many emails are being requested right now. Please try again later.'
const MESSAGES_BUSY = 'Many messages are being requested right now. Please try again later.'

async function busyAnswer(address: string, share: Share) {
  const sentence = address.includes('@') ? BUSY : MESSAGES_BUSY
  return { sentence, retryAfter: HOUR, ...(share === 'unproven' && { challenge: await challengeFor(subjectOf(address)) }) }
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

/** The pause between two requests of a kind applies to one visitor, so a stranger's request never delays the emails of the address's owner. */
async function admit(way: Way, kind: Kind, address: string, from: EmailRequester): Promise<Admitted> {
  const account = accountKey(address)
  const [visitor, customer] = [visitorKey(from.address), customerKey(from.address)]
  const ofVisitor = accountKey(`${address} by ${visitor}`)
  const isOften = await countOften(way, visitor, customer)
  const busy = hourly(`${way}-${kind}-busy`, ways[way].busy)
  const isBusy = await isUsedUp(busy, account)
  const pause: Limit = { name: `${way}-${kind}-pause`, points: 1, seconds: ways[way].pauseSeconds }
  try {
    if (pause.seconds > 0) await count(way, pause, ofVisitor, pausing)
  } catch (error) {
    await giveBackOften(way, visitor, customer)
    throw error
  }
  const release = async () => {
    await giveBackOften(way, visitor, customer)
    if (pause.seconds > 0) await forgive(pause, ofVisitor)
  }
  try {
    await count(way, hourly(`${way}-${kind}-asked`, PER_ADDRESS), ofVisitor, tooMany)
    const most: Limit = { name: `${way}-visitor`, points: PER_VISITOR, seconds: 300 }
    await count(way, most, visitor, tooMany)
    if (customer !== visitor) await count(way, { ...most, name: `${way}-customer`, points: PER_VISITOR * PER_CUSTOMER }, customer, tooMany)
  } catch (error) {
    await release()
    throw error
  }
  const isAmongFirst = await fits(busy, account)
  const undo = async () => {
    await release()
    await giveBack(busy, account)
  }
  return { accepted: { isOften: isOften || !isAmongFirst, visitor, customer }, isBusy, undo }
}

async function countOften(way: Way, visitor: string, customer: string): Promise<boolean> {
  const limit = hourly(`${way}-often`, ways[way].often)
  const found = []
  for (const key of new Set([visitor, customer])) found.push(await fits(limit, key))
  return found.includes(false)
}

async function giveBackOften(way: Way, visitor: string, customer: string): Promise<void> {
  const limit = hourly(`${way}-often`, ways[way].often)
  for (const key of new Set([visitor, customer])) await giveBack(limit, key)
}

/** The key of an account in counters, which do not store the address itself. */
export function accountKey(address: string): string {
  return macText('account-limits', address)
}

function hourly(name: string, points: number): Limit {
  return { name, points, seconds: HOUR }
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

async function fits(limit: Limit, key: string): Promise<boolean> {
  try {
    await consume(limit, key)
    return true
  } catch (error) {
    if (error instanceof Stop) return false
    throw error
  }
}

const pausing = (_stopped: Stop, retryAfter: number) => `For security purposes, you can only request this after ${retryAfter} seconds.`
const tooMany = ({ data }: Stop) => data
