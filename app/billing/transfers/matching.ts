import { moneyText } from '#app/platform/text/money.ts'
import type { BankLine } from './bank-line.ts'

/** An order that can take money, or did. Amounts are in the smallest unit of its currency. */
export type Payable = {
  orderId: string
  reference: string
  /** The numbers of its invoices. */
  numbers: readonly string[]
  currency: string
  /** Zero: it is paid. */
  owed: number
  /** It is paid whole or not at all. */
  isWhole: boolean
  dueOn: string
  organizationId: string
  organization: string
}

export type Payer = Pick<Payable, 'organizationId' | 'organization'>

/** A payment that its bank can take back, as it arrived. */
export type Returnable = { paymentId: string; reference: string; amount: number; currency: string; payerAccount: string }

/** A refund that staff send from the bank. `isSent`: they have confirmed it by hand. */
export type Refundable = {
  refundId: string
  amount: number
  currency: string
  /** The order and its documents. */
  numbers: readonly string[]
  organization: string
  /** The accounts that the money came from. */
  accounts: readonly string[]
  isSent: boolean
}

type Share = { orderId: string; amount: number }

/** The effect of a button. `fee` is the bank charge; `rest` becomes a credit. */
export type Decision =
  | { kind: 'book'; allocations: readonly Share[]; amount: number; currency: string; fee: number; organizationId: string | null }
  | { kind: 'return'; paymentId: string }
  | { kind: 'refund'; refundId: string }

export type Proposal = { key: string; text: string; decision: Decision }

export type Verdict =
  | { kind: 'book'; decision: Extract<Decision, { kind: 'book' | 'refund' }> }
  /** `reason` is a sentence for staff. */
  | { kind: 'ask'; reason: string; proposals: readonly Proposal[] }
  /** An outgoing payment that has nothing to do with customers. */
  | { kind: 'other' }

export type Books = {
  payables: readonly Payable[]
  /** Whose payments came from an account before. */
  payers: ReadonlyMap<string, Payer>
  returnables: readonly Returnable[]
  refunds: readonly Refundable[]
  rules: MatchingRules
}

/** In the smallest unit of the currency of the order. */
export type MatchingRules = {
  /** An underpayment up to this is taken as bank charges. */
  shortMost: number
  /** An overpayment up to this becomes a credit without being asked. */
  overMost: number
}

/** More proposals are a search, not a choice. */
const MOST_PROPOSALS = 6

/** Decides what a line of a bank statement pays, or asks staff with proposals. It never guesses: without a reference it only proposes. */
export function judge(line: BankLine, books: Books): Verdict {
  if (line.amount < 0) return judgeOutgoing(line, books)
  const letters = plain(line.text)
  const named = books.payables.filter(({ reference, numbers }) =>
    [reference, ...numbers].some((number) => textHas(line.text, number, letters)),
  )
  if (line.isReturn) return ask('A payment that was sent came back.', [creditOf(line, named[0] ?? payerOf(line, books))])
  if (named.length === 0) return judgeUnnamed(line, books)
  const inCurrency = named.filter(({ currency }) => currency === line.currency)
  if (inCurrency.length === 0) return judgeForeign(line, named)
  return judgeNamed(line, inCurrency, books)
}

function judgeNamed(line: BankLine, named: readonly Payable[], { payables, rules }: Books): Verdict {
  const { amount, currency, fee } = line
  const open = named.filter(({ owed }) => owed > 0)
  const owed = sumOf(open)
  const [first] = named
  if (open.length === 0 || !first) return judgeDouble(line, named, payables)
  if (amount === owed) return { kind: 'book', decision: inFull(open, 0) }
  if (fee > 0 && amount + fee === owed) return { kind: 'book', decision: inFull(open, fee) }
  const missing = owed - amount
  if (missing > 0 && missing <= rules.shortMost) return { kind: 'book', decision: inFull(open, missing) }
  if (missing < 0 && -missing <= rules.overMost) return { kind: 'book', decision: withRest(line, open, open[0]) }
  if (missing < 0) {
    const text = `Pay ${namesOf(open)} and keep ${moneyText(-missing, currency)} as a credit of ${first.organization}`
    return ask(`${moneyText(-missing, currency)} more than is owed for ${namesOf(open)}.`, [
      { key: 'over', text, decision: withRest(line, open, open[0]) },
      ...alsoPaying(line, open, payables),
    ])
  }
  return ask(`${moneyText(missing, currency)} less than is owed for ${namesOf(open)}.`, [
    ...partly(line, open),
    { key: 'charges', text: `Paid in full: banks kept ${moneyText(missing, currency)}`, decision: inFull(open, missing) },
    { ...creditOf(line, first), key: 'credit' },
  ])
}

/** The order is paid already. */
function judgeDouble(line: BankLine, named: readonly Payable[], payables: readonly Payable[]): Verdict {
  const others = payables.filter(({ organizationId, owed }) => owed > 0 && named.some((each) => each.organizationId === organizationId))
  const same = others.filter(({ owed, currency }) => owed === line.amount && currency === line.currency)
  return ask(`${namesOf(named)} owes nothing any more: it is paid, or was cancelled.`, [
    creditOf(line, named[0]),
    ...same.map((other) => payOne(line, other)),
  ])
}

/** Ordered or owed in another currency than the account has. */
function judgeForeign(line: BankLine, named: readonly Payable[]): Verdict {
  const arrived = moneyText(line.amount, line.currency)
  const open = named.filter(({ owed }) => owed > 0)
  const exact = line.instructed && open.filter(({ currency }) => currency === line.instructed?.currency)
  const [first] = open
  if (!first) return ask(`${namesOf(named)} owes nothing any more, and ${arrived} arrived in another currency.`, [creditOf(line, named[0])])
  const isOrdered = exact && exact.length > 0 && sumOf(exact) === line.instructed?.amount
  const whole = isOrdered ? exact : open.filter(({ currency }) => currency === first.currency)
  const text = `Paid in full: ${moneyText(sumOf(whole), first.currency)} for ${namesOf(whole)}`
  return ask(`${arrived} arrived for ${namesOf(open)} in ${first.currency}.`, [
    { key: 'foreign', text: isOrdered ? `${text}, as the payer ordered` : text, decision: inFull(whole, 0) },
    creditOf(line, first),
  ])
}

/** No reference: what it pays is proposed from the account, the name and the amount, and never booked unasked. */
function judgeUnnamed(line: BankLine, books: Books): Verdict {
  const open = books.payables.filter(({ owed, currency }) => owed > 0 && currency === line.currency)
  const payer = payerOf(line, books)
  const own = payer ? open.filter(({ organizationId }) => organizationId === payer.organizationId) : []
  const together = own.length > 1 ? combinationOf(own, line.amount) : undefined
  const exact = open
    .filter(({ owed }) => owed === line.amount || owed === line.amount + line.fee)
    .toSorted((one, other) => Number(own.includes(other)) - Number(own.includes(one)))
  const proposals = [
    ...(together ? [payAll(line, together)] : []),
    ...exact.map((payable) => payOne(line, payable)),
    ...own
      .filter((payable) => !exact.includes(payable) && payable.owed > line.amount && !payable.isWhole)
      .map((payable) => payPart(line, payable)),
    ...own.filter(({ owed }) => owed < line.amount).map((payable) => payWithRest(line, payable)),
    ...(payer ? [creditOf(line, payer)] : []),
  ]
  const who = payer ? `It came from ${payer.organization}, without a reference.` : 'It has no reference of an order or invoice.'
  return ask(who, proposals)
}

function judgeOutgoing(line: BankLine, { returnables, refunds }: Books): Verdict {
  const amount = -line.amount
  const refunded = line.isReturn ? undefined : judgeRefund(line, refunds)
  if (refunded) return refunded
  const returned = returnables.filter(
    (payment) =>
      payment.currency === line.currency &&
      payment.amount === amount &&
      (payment.reference.split(', ').some((reference) => textHas(line.text, reference)) ||
        (line.isReturn && line.payerAccount !== '' && payment.payerAccount === line.payerAccount)),
  )
  if (returned.length === 0 && !line.isReturn) return { kind: 'other' }
  return ask(
    'A payment was taken back.',
    returned.map(({ paymentId, reference }) => ({
      key: `return-${paymentId}`,
      text: `Take back the payment of ${reference}: ${moneyText(amount, line.currency)} is owed again`,
      decision: { kind: 'return', paymentId },
    })),
  )
}

/** Money that we sent back. Reference and amount together confirm a refund; one of them, or the account, only proposes it. */
function judgeRefund(line: BankLine, refunds: readonly Refundable[]): Verdict | undefined {
  const amount = -line.amount
  const possible = refunds.filter(({ currency }) => currency === line.currency)
  const isNamed = ({ numbers }: Refundable) => numbers.some((number) => textHas(line.text, number))
  const isExact = (refund: Refundable) => refund.amount === amount
  const sure = possible.filter((refund) => isExact(refund) && isNamed(refund))
  const [first, second] = sure.filter(({ isSent }) => !isSent)
  if (first && !second) return { kind: 'book', decision: { kind: 'refund', refundId: first.refundId } }
  if (sure.length > 0 && !first) return { kind: 'other' }
  const waiting = possible.filter(({ isSent }) => !isSent)
  const similar = waiting.filter((refund) => isExact(refund) || isNamed(refund) || refund.accounts.includes(line.payerAccount))
  const choices = similar.filter(isExact).map(({ refundId, numbers, organization }): Proposal => ({
    key: `refund-${refundId}`,
    text: `It pays ${numbers[0]} of ${organization} back: confirm the refund of ${moneyText(amount, line.currency)}`,
    decision: { kind: 'refund', refundId },
  }))
  if (similar.length === 0) return undefined
  const [other] = similar
  return ask(
    choices.length > 0 || !other
      ? 'Is it a refund that you sent?'
      : `A refund of ${moneyText(other.amount, other.currency)} to ${other.organization} waits, and another amount was sent.`,
    choices,
  )
}

function ask(reason: string, proposals: readonly Proposal[]): Verdict {
  const known = new Set<string>()
  const distinct = proposals.filter(({ key }) => !known.has(key) && known.add(key))
  return { kind: 'ask', reason, proposals: distinct.slice(0, MOST_PROPOSALS) }
}

const sumOf = (payables: readonly Payable[]) => payables.reduce((sum, { owed }) => sum + owed, 0)

function namesOf(payables: readonly Payable[]): string {
  const names = payables.map(({ numbers, reference }) => numbers.at(-1) ?? reference)
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ')
}

/** Every order in full. What did not arrive was kept by banks. */
function inFull(open: readonly Payable[], fee: number): Extract<Decision, { kind: 'book' }> {
  const [first] = open
  return {
    kind: 'book',
    allocations: open.map(({ orderId, owed }) => ({ orderId, amount: owed })),
    amount: sumOf(open),
    currency: first?.currency ?? '',
    fee,
    organizationId: first?.organizationId ?? null,
  }
}

function withRest({ amount, currency }: BankLine, open: readonly Payable[], payer: Payer | undefined) {
  return { ...inFull(open, 0), amount, currency, organizationId: payer?.organizationId ?? null }
}

const payOne = (line: BankLine, payable: Payable): Proposal => ({
  key: `pay-${payable.orderId}`,
  text: `Pay ${namesOf([payable])} of ${payable.organization}`,
  decision: inFull([payable], payable.owed - line.amount),
})

const payAll = (line: BankLine, payables: readonly Payable[]): Proposal => ({
  key: 'together',
  text: `Pay ${namesOf(payables)} of ${payables[0]?.organization ?? ''} together`,
  decision: inFull(payables, sumOf(payables) - line.amount),
})

const payPart = ({ amount, currency }: BankLine, payable: Payable): Proposal => ({
  key: `part-${payable.orderId}`,
  text: `A part of ${namesOf([payable])}: ${moneyText(payable.owed - amount, currency)} stays open`,
  decision: { ...inFull([payable], 0), allocations: [{ orderId: payable.orderId, amount }], amount },
})

const payWithRest = (line: BankLine, payable: Payable): Proposal => ({
  key: `rest-${payable.orderId}`,
  text: `Pay ${namesOf([payable])} and keep ${moneyText(line.amount - payable.owed, line.currency)} as a credit`,
  decision: withRest(line, [payable], payable),
})

function creditOf({ amount, currency }: BankLine, payer: Payer | undefined): Proposal {
  return {
    key: 'credit',
    text: payer ? `Keep it as a credit of ${payer.organization}` : 'Keep it as a credit',
    decision: { kind: 'book', allocations: [], amount, currency, fee: 0, organizationId: payer?.organizationId ?? null },
  }
}

/** As far as it goes, the oldest first. What can only be paid whole is left out. */
function partly({ amount, currency }: BankLine, open: readonly Payable[]): Proposal[] {
  let left = amount
  const allocations = open
    .filter(({ isWhole, owed }) => !isWhole || owed <= amount)
    .toSorted((one, other) => one.dueOn.localeCompare(other.dueOn))
    .flatMap(({ orderId, owed, isWhole }) => {
      const share = isWhole && owed > left ? 0 : Math.min(owed, left)
      left -= share
      return share > 0 ? { orderId, amount: share } : []
    })
  if (allocations.length === 0) return []
  const missing = moneyText(sumOf(open) - amount, currency)
  return [{ key: 'part', text: `A part of it: ${missing} stays open`, decision: { ...inFull(open, 0), allocations, amount } }]
}

/** An overpayment that is exactly another open order of the same company. */
function alsoPaying(line: BankLine, open: readonly Payable[], payables: readonly Payable[]): Proposal[] {
  const others = payables.filter(
    (each) => each.owed > 0 && each.currency === line.currency && each.organizationId === open[0]?.organizationId && !open.includes(each),
  )
  const together = combinationOf(others, line.amount - sumOf(open))
  return together ? [payAll(line, [...open, ...together])] : []
}

/** More open orders than this are not combined: there are too many ways. */
const MOST_COMBINED = 14

/** The only orders that sum up to an amount; undefined if none do, or several choices do. */
function combinationOf(payables: readonly Payable[], amount: number): Payable[] | undefined {
  if (payables.length > MOST_COMBINED) return sumOf(payables) === amount ? [...payables] : undefined
  let found: Payable[] | undefined
  for (let chosen = 1; chosen < 1 << payables.length; chosen += 1) {
    const some = payables.filter((_payable, at) => (chosen & (1 << at)) !== 0)
    if (sumOf(some) !== amount) continue
    if (found) return undefined
    found = some
  }
  return found
}

function payerOf({ payerAccount, payer }: BankLine, { payers, payables }: Books): Payer | undefined {
  const known = payerAccount === '' ? undefined : payers.get(payerAccount)
  if (known) return known
  const name = plainName(payer)
  return name.length < 4 ? undefined : payables.find(({ organization }) => plainName(organization) === name)
}

/** `ACME Retail GmbH & Co. KG` and `Acme Retail` are the same name. */
function plainName(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\b(gmbh|mbh|ug|ag|kg|co|se|ltd|limited|llc|inc|corp|bv|sa|sas|sarl|srl|spa|ab|oy|as|aps)\b/g, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/**
 * Whether a text has a number, however the payer or a bank broke it: `INV-2026-0001`, `inv 2026 0001`, `INV202 60001`, `NoINV-2026-0001`. With
 * another digit it is another number: `INV-2026-00012`.
 */
export function textHas(text: string, number: string, textLetters = plain(text)): boolean {
  const letters = plain(number)
  if (letters.length < 4 || !textLetters.includes(letters)) return false
  const [first = '', last = ''] = [letters[0], letters.at(-1)]
  const before = /\d/.test(first) ? String.raw`(?<!\d)` : ''
  const after = /\d/.test(last) ? String.raw`(?!\d)` : ''
  return new RegExp(`${before}${letters.split('').join('[^A-Z0-9]*')}${after}`).test(text.toUpperCase())
}

const plain = (text: string) => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
