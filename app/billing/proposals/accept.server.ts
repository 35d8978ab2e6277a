import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { newCode } from '#app/auth/tokens/one-time-token.server.ts'
import { lifeSeconds } from '#app/auth/tokens/token-life.server.ts'
import { currentAccounts, provenAddress } from '#app/auth/users/account.server.ts'
import type { CurrentUser } from '#app/account/session/current-user.ts'
import { depositOf } from '#app/billing/invoices/prepayment.ts'
import { totalsOf, type Totals } from '#app/billing/orders/totals.ts'
import { type TaxedBuyer, taxOf } from '#app/billing/tax/tax.server.ts'
import { learnedVatState } from '#app/billing/tax/vat-number.server.ts'
import { proposalPageTexts as words } from '#app/content/proposals.ts'
import { mayEmailGuest } from '#app/mail/budget.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { findMembership } from '#app/organizations/organization/membership.server.ts'
import { mayIn } from '#app/organizations/organization/organization.ts'
import { type Database, db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import { env } from '#app/platform/env.server.ts'
import { mac, macText } from '#app/platform/guard/keys.server.ts'
import { refusalOver, type Limit, visitorKey } from '#app/platform/guard/limits.server.ts'
import { characterCount, oneLine } from '#app/platform/text/clean-text.ts'
import { cleanVatNumber, VAT_NUMBER_OR_NONE } from '#app/platform/text/vat-number.ts'
import { shortened } from '#app/platform/text/shortened.ts'
import type { Row } from '#db/tables.ts'
import { numberText, percentText } from '#app/platform/text/english-number.ts'
import { proposalCodeEmail } from './proposal.email.tsx'
import { lockProposal } from './proposal.server.ts'
import { typedAmount } from '#app/leads/lead/written-amount.ts'
import { type Choice, choiceOf, isAllowed, ONE, orderLinesOf, type ProposalContent, type ProposalLine, stepOf } from './proposal.ts'
import { refusalOf } from './public-proposal.server.ts'

/** Codes that one visitor may ask for, and tries at them, in an hour. `newCode` has a million codes; each takes five tries. */
const codeLimit: Limit = { name: 'proposal-code', points: 5, seconds: 3600 }
const tryLimit: Limit = { name: 'proposal-code-try', points: 15, seconds: 3600 }
const MOST_TRIES = 5

/** The client’s choices, from the form. */
export type Wish = Choice & { company: string; countryCode: string; vatNumber: string; isBusiness: boolean; name: string }

export type Errors = Record<string, string>

type Fields = Readonly<Record<string, string>>

export function readWish(content: ProposalContent, fields: Fields): Wish {
  return {
    ...readChoice(content, fields),
    company: oneLine(fields['company'] ?? ''),
    countryCode: (fields['country'] ?? '').trim().toUpperCase(),
    vatNumber: cleanVatNumber(fields['vat'] ?? ''),
    isBusiness: fields['business'] !== undefined,
    name: oneLine(fields['name'] ?? ''),
  }
}

/** The choices of the form; a quantity that is not allowed counts as the proposal's, and `refuseQuantities` tells it. */
export function readChoice(content: ProposalContent, fields: Fields): Choice {
  const chosen = content.lines.filter(({ id }) => fields[`line-${id}`] !== undefined).map(({ id }) => id)
  const typed = content.lines.flatMap(({ id }) => (fields[`quantity-${id}`] === undefined ? [] : [[id, readQuantity(fields, id)] as const]))
  return choiceOf(content, { chosen, quantities: Object.fromEntries(typed) })
}

/** NaN where it is no number. */
export function readQuantity(fields: Fields, id: string): number {
  return Math.round((typedAmount(fields[`quantity-${id}`] ?? '') ?? Number.NaN) * ONE)
}

/** An error at each typed quantity that is not allowed. */
export function refuseQuantities({ lines }: ProposalContent, fields: Fields): Errors {
  return Object.fromEntries(
    lines
      .filter((line) => line.range && fields[`quantity-${line.id}`] !== undefined && !isAllowed(line, readQuantity(fields, line.id)))
      .map((line) => [`quantity-${line.id}`, words.lines.wrongQuantity(stepOf(line) === ONE, rangeText(line))]),
  )
}

function rangeText({ range }: ProposalLine): [least: string, most: string] {
  const text = (quantity: number) => numberText(quantity / ONE)
  return [text(range?.least ?? 0), text(range?.most ?? 0)]
}

/** The person who may sign: the addressee, or a buyer of the company who is signed in. `userId`: their account, if they have one. */
export type Signer = { address: string; userId: string | null; isOwnAccount: boolean }

type Company = Row<'organizations'>

/** The company of a proposal's person, if it is known: personal and closed ones are not. */
export async function findCompany(
  { contactId }: Pick<Row<'proposals'>, 'contactId'>,
  connection: Database | Trx = db,
): Promise<Company | undefined> {
  if (!contactId) return undefined
  return connection
    .selectFrom('contacts')
    .innerJoin('people', 'people.id', 'contacts.personId')
    .innerJoin('organizations', 'organizations.id', 'people.organizationId')
    .selectAll('organizations')
    .where('contacts.id', '=', contactId)
    .where('isPersonal', '=', false)
    .where('organizations.state', '!=', 'closed')
    .executeTakeFirst()
}

/** A sentence instead, for staff: they never accept for a client. */
export async function findSigner(
  row: Row<'proposals'>,
  company: Company | undefined,
  viewer: CurrentUser | undefined,
): Promise<Signer | string> {
  const membership = viewer && company && (await findMembership(viewer, company.id))
  if (viewer && membership && membership.state === 'active' && !membership.lacksSignIn && mayIn(membership.role, 'buy'))
    return { address: viewer.email, userId: viewer.id, isOwnAccount: true }
  const address = row.sentTo ?? ''
  if (viewer && viewer.role !== 'customer' && viewer.email.toLowerCase() !== address.toLowerCase()) return words.errors.staff
  const account = await currentAccounts().select('id').where('email', '=', address.toLowerCase()).executeTakeFirst()
  const isProven = account && (await provenAddress(account.id))?.toLowerCase() === address.toLowerCase()
  return { address, userId: isProven ? account.id : null, isOwnAccount: false }
}

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** The errors of the fields. A known company needs no facts. */
export function refuseWish({ company, countryCode, vatNumber, isBusiness, name }: Wish, known: Company | undefined): Errors {
  const errors: Errors = {}
  if (!known && company === '') errors['company'] = words.errors.company
  if (!known && characterCount(company) > 120) errors['company'] = words.errors.companyLong
  if (!known?.countryCode && (!/^[A-Z]{2}$/.test(countryCode) || !countries.of(countryCode))) errors['country'] = words.errors.country
  if (!known && !VAT_NUMBER_OR_NONE.test(vatNumber)) errors['vat'] = words.errors.vat
  if (known?.kind !== 'business' && !isBusiness) errors['business'] = words.errors.business
  if (characterCount(name) < 2 || characterCount(name) > 120) errors['name'] = words.errors.name
  return errors
}

/** Test orders work without a seller's facts. */
export const isTest = env.PAYMENTS.includes('test')

/** The buyer as the tax and the signed document see it. */
export function buyerOf(
  { company, countryCode, vatNumber, isBusiness }: Wish,
  known: Company | undefined,
): TaxedBuyer & { company: string } {
  if (known) {
    const kind = known.kind === '' && isBusiness ? 'business' : known.kind
    return { ...known, kind, countryCode: known.countryCode || countryCode, company: known.legalName || known.name }
  }
  return { company, countryCode, vatNumber, kind: isBusiness ? 'business' : 'consumer', vatState: learnedVatState(vatNumber) }
}

/** Stops with a sentence where no tax rule fits. */
export function totalsFor(content: ProposalContent, choice: Choice, buyer: TaxedBuyer, at: Date): Totals {
  return totalsOf(orderLinesOf(content, choice), taxOf(buyer, at, { isTest, currency: content.currency }))
}

/** The totals to sign. The form sends `digest` back, so that nothing can change between the code and the signature. */
export type Sum = { totals: Totals; deposit: Totals | undefined; digest: string }

function sumOf(row: Row<'proposals'>, wish: Wish, company: Company | undefined): Sum {
  const totals = totalsFor(row.content, wish, buyerOf(wish, company), new Date())
  const deposit = depositFor(row, totals)
  const digest = macText('proposal-sum', JSON.stringify([row.id, wish, company?.id, totals.taxParts, deposit?.gross]))
  return { totals, deposit, digest }
}

/** None where the share is 0, or nothing is to be paid. */
function depositFor({ reference, content }: Row<'proposals'>, totals: Totals): Totals | undefined {
  const share = content.depositShare
  const deposit = depositOf(totals, share, shortened(`Deposit of ${percentText(share)} for ${content.title} (${reference})`, 200))
  return deposit.gross > 0 ? deposit : undefined
}

/** Emails a code to the signer. Returns the sum to sign, or what is wrong. */
export async function requestCode(
  row: Row<'proposals'>,
  wish: Wish,
  { address, company, visitor }: { address: string; company: Company | undefined; visitor: string },
): Promise<{ sum: Sum } | { errors: Errors }> {
  const errors = refuseWish(wish, company)
  if (Object.keys(errors).length > 0) return { errors }
  const sum = sumOrSentence(row, wish, company)
  if (typeof sum === 'string') return { errors: { form: sum } }
  const tooMany = await refusalOver(codeLimit, `${row.id} ${visitorKey(visitor)}`)
  if (tooMany) return { errors: { form: tooMany } }
  if (!(await mayEmailGuest(address, visitor))) return { errors: { form: words.errors.withheld } }
  const code = newCode(address)
  const refusal = await transaction(async (trx) => {
    const current = await lockProposal(trx, row.id)
    const refused = refusalOf(current)
    if (refused) return refused
    await trx
      .updateTable('proposals')
      .set({ codeMac: macOf(row.id, address, code), codeSentTo: address, codeSentAt: now, codeTries: 0 })
      .where('id', '=', row.id)
      .execute()
    await enqueueEmail(trx, proposalCodeEmail(address, { code, title: row.content.title, reference: row.reference }))
    return undefined
  })
  return refusal ? { errors: { form: refusal } } : { sum }
}

/** A stop of the tax is a sentence for the person who signs. */
export function sumOrSentence(row: Row<'proposals'>, wish: Wish, company: Company | undefined): Sum | string {
  try {
    return sumOf(row, wish, company)
  } catch (error) {
    if (error instanceof Stop) return error.data
    throw error
  }
}

const typedCode = z.string().regex(/^\d{4,10}$/)

/** The form of a code. Other text is a typing mistake and does not count as an attempt. */
export function readCode(typed: string): string | undefined {
  return typedCode.safeParse(typed.replaceAll(/\s/g, '')).data
}

/** Counts a try and compares. Returns a sentence, or nothing for the right code, which stays until the signature uses it up. */
export async function tryCode(id: string, address: string, code: string, visitor: string): Promise<string | undefined> {
  const tooMany = await refusalOver(tryLimit, `${id} ${visitorKey(visitor)}`)
  if (tooMany) return tooMany
  return transaction(async (trx) => {
    const { codeMac, codeSentTo, codeSentAt, codeTries } = await lockProposal(trx, id)
    if (!codeMac || !codeSentAt || codeSentTo !== address) return words.errors.noCode
    if (Date.now() - codeSentAt.getTime() > lifeSeconds.code * 1000) return words.errors.codeOld
    if (codeTries >= MOST_TRIES) return words.errors.codeTries
    await trx
      .updateTable('proposals')
      .set({ codeTries: codeTries + 1 })
      .where('id', '=', id)
      .execute()
    return timingSafeEqual(Buffer.from(codeMac), macOf(id, address, code)) ? undefined : words.errors.code
  })
}

function macOf(id: string, address: string, code: string): Buffer {
  return mac('proposal-code', `${id}:${address.toLowerCase()}:${code}`)
}
