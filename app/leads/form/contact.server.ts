import { breaks } from '#app/platform/database/database-error.ts'
import { db, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { mayEmailGuest } from '#app/mail/budget.server.ts'
import type { Limit } from '#app/platform/guard/limits.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { type Evidence, judge, type Verdict } from '#app/leads/spam/judge.server.ts'
import type { Source } from '#app/platform/http/source.ts'
import { challengeFor } from '#app/platform/guard/proof-of-work.server.ts'
import type { DatasetRequest } from '#app/leads/lead/lead-emails.server.ts'
import type { Enquiry, EnquiryReceipt } from '#app/leads/lead/contact.ts'
import { countryCodeOf } from '#app/content/country.ts'
import { enquiryFactNames } from '#app/leads/lead/lead-facts.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { newReference } from '#app/platform/database/reference.server.ts'
import { type NewEnquiry, storeEnquiry } from './store-enquiry.server.ts'

/** The limit of attempts per visitor. Wide, because a whole office can share an address. */
export const enquiryLimit: Limit = { name: 'enquiry', points: 60, seconds: 600 }

const REFERENCE_TRIES = 5

/** The network address of the one who sends an enquiry, and their key of the attempt. */
type Sender = { address: string; idempotencyKey?: string | undefined }

/**
 * Stores a public enquiry: a clean one is acknowledged by email, a doubtful one goes to quarantine. Stops with `proof_required` when a
 * proof of work can settle the doubt.
 */
export async function takeEnquiry(enquiry: ReceivedEnquiry, evidence: Evidence, sender: Sender): Promise<EnquiryReceipt> {
  const { name, email, message } = enquiry
  const subject = [email, message].join('\n')
  const lines = enquiryFactNames.filter((field) => !['name', 'email', 'message'].includes(field)).map((field) => enquiry[field] ?? '')
  const verdict = await judge({ name, email, message, lines }, evidence, subject)
  if (verdict.outcome === 'prove') {
    stop('unprocessable', 'Your browser has to finish a short check first.', {
      code: 'proof_required',
      challenge: await challengeFor(subject),
    })
  }
  return receiveEnquiry(enquiry, verdict, sender)
}

/** An enquiry with its source, if it came through a form. */
type ReceivedEnquiry = Enquiry & { cameFrom?: Source }

/** A request for a dataset, which its enquiry is about, and further inserts in the transaction of the enquiry. */
type Alongside = { request: DatasetRequest; insert: (trx: Trx, enquiry: EnquiryReceipt) => Promise<void> }

/** Stores the enquiry, its person and its emails in one transaction. A repeated attempt gets the same receipt. */
export function receiveEnquiry(enquiry: ReceivedEnquiry, verdict: Verdict, sender: Sender, alongside?: Alongside): Promise<EnquiryReceipt> {
  const { idempotencyKey } = sender
  const store = () => storeOnce(enquiry, verdict, sender, alongside)
  return idempotencyKey ? inTurn(idempotencyKey, store) : store()
}

/** Attempts under one key, one after the other: a later one finds the first, so the budget of emails counts once. */
const underway = new Map<string, Promise<unknown>>()

async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const turn = (underway.get(key) ?? Promise.resolve()).then(work, work)
  underway.set(key, turn)
  try {
    return await turn
  } finally {
    if (underway.get(key) === turn) underway.delete(key)
  }
}

async function storeOnce(
  enquiry: ReceivedEnquiry,
  verdict: Verdict,
  sender: Sender,
  alongside: Alongside | undefined,
): Promise<EnquiryReceipt> {
  const { idempotencyKey } = sender
  if (idempotencyKey && (await isStored(idempotencyKey))) return receiptOf(enquiry, idempotencyKey)
  for (let tries = 1; ; tries += 1) {
    try {
      const receipt = await keep(await toStore(enquiry, verdict, sender), alongside)
      announceLeads()
      return receipt
    } catch (error) {
      // Another process was faster.
      if (idempotencyKey && breaks(error, 'contacts_idempotency_key')) return receiptOf(enquiry, idempotencyKey)
      if (!breaks(error, 'contacts_reference_key') || tries === REFERENCE_TRIES) throw error
    }
  }
}

async function isStored(idempotencyKey: string): Promise<boolean> {
  const stored = await db.selectFrom('contacts').select('id').where('idempotencyKey', '=', idempotencyKey).executeTakeFirst()
  return stored !== undefined
}

async function toStore(
  enquiry: ReceivedEnquiry,
  { outcome, score, reasons }: Verdict,
  { address, idempotencyKey }: Sender,
): Promise<NewEnquiry> {
  const quarantinedAt = outcome === 'clean' ? null : new Date()
  const row = {
    ...asStored(enquiry),
    cameFrom: enquiry.cameFrom ?? null,
    id: newId(),
    personId: newId(),
    reference: newReference(),
    countryCode: countryCodeOf(enquiry.country) ?? null,
    idempotencyKey: idempotencyKey ?? null,
    spamScore: score,
    spamReasons: reasons,
    quarantinedAt,
  }
  return { row, acknowledge: quarantinedAt === null && (await mayEmailGuest(enquiry.email, address)) }
}

async function keep(enquiry: NewEnquiry, alongside: Alongside | undefined): Promise<EnquiryReceipt> {
  return transaction(async (trx) => {
    const receipt = await storeEnquiry(trx, { ...enquiry, request: alongside?.request })
    await alongside?.insert(trx, receipt)
    return receipt
  })
}

function asStored(enquiry: Enquiry): Enquiry {
  return { ...enquiry, company: enquiry.company ?? companyOf(enquiry.email) }
}

async function receiptOf(enquiry: Enquiry, idempotencyKey: string): Promise<EnquiryReceipt> {
  const first = await db.selectFrom('contacts').selectAll().where('idempotencyKey', '=', idempotencyKey).executeTakeFirstOrThrow()
  const again = asStored({ ...enquiry, email: enquiry.email.toLowerCase() })
  const stored = { ...first, email: first.email.toLowerCase() }
  if (enquiryFactNames.some((field) => (stored[field] ?? null) !== (again[field] ?? null))) {
    stop('unprocessable', 'This idempotency key was used for another enquiry.', { code: 'idempotency_key_reused' })
  }
  return { id: first.id, reference: first.reference }
}

/** Domains where anyone can get an address: they name no company. */
const freeMail = new Set(
  `gmail googlemail yahoo ymail rocketmail hotmail outlook live msn aol icloud me mac gmx web t-online freenet arcor mail email
  protonmail proton pm tutanota tutamail tuta zoho yandex ya qq 163 126 139 sina naver daum hanmail kakao nate
  orange wanadoo free laposte sfr libero virgilio alice tiscali tin uol bol terra ig seznam centrum wp o2 onet interia
  bluewin hispeed ziggo kpnmail xs4all planet telenet skynet comcast verizon att sbcglobal bellsouth cox charter earthlink
  btinternet btopenworld sky talktalk virginmedia ntlworld blueyonder rediffmail fastmail hey hushmail inbox mailbox posteo
  rambler bk list ukr abv mailinator guerrillamail yopmail sharklasers trashmail`.split(/\s+/),
)

/** Suffixes between a company's name and its country. */
const secondLevel = new Set(['co', 'com', 'net', 'org', 'ac', 'gov', 'edu', 'ne', 'or', 'gob', 'gouv'])

/** The company behind an address: its domain, unless that is a public email provider. */
export function companyOf(email: string): string | null {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  const labels = domain.split('.')
  const beforeEnding = labels.at(-2) ?? ''
  const name = labels.length > 2 && secondLevel.has(beforeEnding) ? labels.at(-3) : beforeEnding
  return !name || freeMail.has(name) ? null : domain
}
