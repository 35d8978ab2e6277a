import { countryNames } from '#app/content/country.ts'
import { identity } from '#app/content/identity.ts'
import { proposalPageTexts as words } from '#app/content/proposals.ts'
import { db } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { percentText } from '#app/platform/text/english-number.ts'
import { moneyText } from '#app/platform/text/money.ts'
import { writtenForm } from '#app/platform/text/written-form.ts'
import { longDay } from '#app/platform/time/english-date.ts'
import type { Row } from '#db/tables.ts'
import { findCompany } from './accept.server.ts'
import { proposalToken } from '#app/billing/orders/proposal-link.server.ts'
import { askedIn, type Choice, choiceOf, ONE, type ProposalLine, stepOf } from './proposal.ts'
import { findNewer, listQuestions, stateAt } from './public-proposal.server.ts'
import { readSigned } from './signed-document.ts'
import { findSignedFile } from './signed-file.server.ts'

/** An accepted version is the contract, and a withdrawn one may have been sent to the wrong person. */
const hasNewer: ReadonlySet<Row<'proposals'>['state']> = new Set(['replaced', 'expired', 'declined'])

/** A version as its client sees it. `asked`: the choices that the address has. */
export async function describeProposal(row: Row<'proposals'>, asked: string | null) {
  const { content, reference, number, contactId } = row
  const { currency } = content
  const signed = row.signedDocument === null ? undefined : readSigned(row.signedDocument)
  const choice = signed ?? choiceOf(content, asked === null ? undefined : askedIn(asked))
  const lead = contactId
    ? await db.selectFrom('contacts').select(['name', 'company', 'countryCode']).where('id', '=', contactId).executeTakeFirst()
    : undefined
  const company = await findCompany(row)
  return {
    token: proposalToken(row.id),
    state: stateAt(row),
    newer: hasNewer.has(stateAt(row)) ? await findNewer(row) : undefined,
    title: content.title,
    intro: content.intro,
    reference,
    number,
    needs: content.needs,
    terms: content.terms,
    termsVersion: content.termsVersion,
    from: identity.name,
    email: identity.email,
    forWhom: signed?.buyer.company ?? (company?.name || [lead?.name, lead?.company].filter(Boolean).join(', ')),
    validUntil: longDay(new Date(content.validUntil)),
    startsOn: content.startsOn && longDay(new Date(content.startsOn)),
    deliversOn: content.deliversOn && longDay(new Date(content.deliversOn)),
    lines: content.lines.map((line) => describeLine(line, choice)),
    hasChoices: content.lines.some(({ isOptional, range }) => isOptional || range),
    discountShare: content.discountShare ?? 0,
    discountAmount: content.discountAmount ?? 0,
    currency,
    locale: writtenForm().locale,
    deposit: content.depositShare === 0 ? undefined : percentText(content.depositShare),
    isNonRefundable: content.isNonRefundable,
    questions: await listQuestions(row.id),
    company: company && { name: company.name, asksCountry: company.countryCode === '', asksBusiness: company.kind !== 'business' },
    countries: countryNames(),
    countryCode: lead?.countryCode ?? '',
    signed: signed && (await describeSigned(row)),
  }
}

function describeLine({ range, isChosen: _first, ...line }: ProposalLine, { chosen, quantities }: Choice) {
  return {
    ...line,
    quantity: quantities[line.id] ?? line.quantity,
    range: range ? { least: range.least / ONE, most: range.most / ONE, step: stepOf({ ...line, range }) / ONE } : undefined,
    isTaken: chosen.includes(line.id),
  }
}

async function describeSigned({ id, signedDocument, countersignedAt, countersignedName }: Row<'proposals'>) {
  const { signer, signedAt, taxParts, net, tax, gross, deposit, content } = readSigned(signedDocument ?? '')
  const orders = await listOrders(id)
  return {
    name: signer.name,
    on: longDay(new Date(signedAt)),
    ...moneyTexts({ taxParts, net, tax, gross }, deposit, content.currency),
    counter: countersignedAt && { name: countersignedName, on: longDay(countersignedAt) },
    hasFile: (await findSignedFile(id)) !== undefined,
    payments: orders.map(({ id: orderId, kind, state, gross: amount, currency }) => ({
      id: orderId,
      label: kind === 'deposit' ? words.totals.deposit : words.signed.final,
      amount: moneyText(amount, currency),
      state: words.signed.orderStates[state],
      isPayable: state === 'open' && amount > 0 && hasCheckout,
    })),
  }
}

const hasCheckout = env.PAYMENTS.some((name) => name !== 'transfer')

/** The deposit and the final payment of a proposal. */
export async function listOrders(proposalId: string): Promise<Row<'orders'>[]> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('proposalId', '=', proposalId)
    .where('kind', 'in', ['deposit', 'final'])
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

type Amounts = Pick<ReturnType<typeof readSigned>, 'taxParts' | 'net' | 'tax' | 'gross'>

/** The sums that are signed, in words. */
export function moneyTexts({ taxParts, net, gross }: Amounts, deposit: number, currency: string) {
  return {
    netText: moneyText(net, currency),
    taxes: taxParts.map(({ rate, reason, net: base, tax }) => ({
      label: reason || `${words.totals.tax}, ${percentText(rate)} of ${moneyText(base, currency)}`,
      amount: moneyText(tax, currency),
    })),
    grossText: moneyText(gross, currency),
    depositText: deposit > 0 ? moneyText(deposit, currency) : '',
  }
}
