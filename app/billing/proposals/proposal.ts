import { z } from 'zod/mini'
import type { OrderLine } from '#app/billing/orders/order.ts'
import { shareOf } from '#app/billing/orders/totals.ts'
import { atMost, manyLines, oneLine } from '#app/platform/text/clean-text.ts'
import { percentText } from '#app/platform/text/english-number.ts'
import { isoDay } from '#app/platform/time/iso-moment.ts'
import { isCurrency } from '#app/platform/text/written-form.ts'

export const proposalStates = ['draft', 'sent', 'accepted', 'declined', 'expired', 'withdrawn', 'replaced'] as const
export type ProposalState = (typeof proposalStates)[number]

export const proposalStateTexts: Record<ProposalState, string> = {
  draft: 'Draft',
  sent: 'Sent',
  accepted: 'Accepted',
  declined: 'Declined',
  expired: 'Expired',
  withdrawn: 'Withdrawn',
  replaced: 'Replaced',
}

/** The look of each state's badge. */
export const stateLooks = {
  draft: 'plain',
  sent: 'grain',
  accepted: 'leaf',
  declined: 'alarm',
  expired: 'alarm',
  withdrawn: 'plain',
  replaced: 'plain',
} as const satisfies Record<ProposalState, string>

/** A share of 1 is 10,000, so 5000 is 50%. A quantity of 1 is 1000. */
export const WHOLE = 10_000
export const ONE = 1000

export const proposalLimits = { lines: 50, title: 160, detail: 2000, intro: 4000, needs: 4000, terms: 20_000, question: 2000, reason: 1000 }
/** Far more than any project; a sum of lines stays an exact integer. */
const MOST_AMOUNT = 10_000_000_000

const text = (label: string, most: number) =>
  z.string(`${label} must be text`).check(z.overwrite(manyLines), ...atMost(most, `${label} must be at most ${most} characters`))

const filled = (empty: string, label: string, most: number) =>
  z.string(empty).check(z.overwrite(oneLine), z.minLength(1, empty), ...atMost(most, `${label} must be at most ${most} characters`))

const someDay = z.nullable(isoDay('Enter a date, such as 2026-12-31'))

const AMOUNT = 'Enter an amount, such as 1200 or 99.50'
const QUANTITY = 'Enter a quantity above 0, such as 1 or 2.5'
const PERCENT = 'Enter a percentage from 0 to 100'

/** In thousandths. */
const quantity = z.int(QUANTITY).check(z.minimum(1, QUANTITY), z.maximum(1_000_000_000, QUANTITY))
/** In the smallest unit of the currency, before tax. */
const amount = z.int(AMOUNT).check(z.minimum(0, AMOUNT), z.maximum(MOST_AMOUNT, AMOUNT))
/** Of 10,000. */
const share = z.int(PERCENT).check(z.minimum(0, PERCENT), z.maximum(WHOLE, PERCENT))

export const proposalLine = z.object({
  id: z.string('A line needs an id').check(z.regex(/^[a-z\d]{1,12}$/, 'A line has an id of letters and digits')),
  title: filled('Name what this line is for', 'The line', proposalLimits.title),
  detail: text('The detail', proposalLimits.detail),
  quantity,
  /** The quantities from which the client chooses one. Without it, the quantity is fixed. */
  range: z.optional(z.nullable(z.object({ least: quantity, most: quantity }))),
  unitAmount: amount,
  discountShare: share,
  isOptional: z.boolean('A line is optional or not'),
  /** An optional line that is chosen until the client says otherwise. */
  isChosen: z.boolean('An optional line is chosen or not'),
})

export type ProposalLine = z.infer<typeof proposalLine>

/** The content of a proposal. It never changes after sending. */
export const proposalContent = z
  .object({
    title: filled('Give the proposal a title', 'The title', proposalLimits.title),
    intro: text('The introduction', proposalLimits.intro),
    currency: z.string('Choose a currency').check(z.refine(isCurrency, 'Choose a currency')),
    lines: z
      .array(proposalLine)
      .check(z.minLength(1, 'Add at least one line'), z.maxLength(proposalLimits.lines, `At most ${proposalLimits.lines} lines`)),
    startsOn: someDay,
    deliversOn: someDay,
    needs: text('What you need', proposalLimits.needs),
    terms: text('The terms', proposalLimits.terms).check(z.minLength(1, 'A proposal needs terms')),
    termsVersion: filled('Name the version of the terms', 'The version', 40),
    /** The discount on the whole, before tax: a share or an amount. */
    discountShare: z.optional(share),
    discountAmount: z.optional(amount),
    /** Of the amount with tax. */
    depositShare: share,
    isNonRefundable: z.boolean('The deposit is refundable or not'),
    /** To the end of this day where the business is. */
    validUntil: isoDay('Enter the last day of the offer, such as 2026-12-31'),
  })
  .check(
    z.refine(({ startsOn, deliversOn }) => !startsOn || !deliversOn || startsOn <= deliversOn, {
      error: 'The delivery is after the start',
      path: ['deliversOn'],
    }),
    z.refine(({ lines }) => new Set(lines.map(({ id }) => id)).size === lines.length, {
      error: 'Two lines have the same id',
      path: ['lines'],
    }),
    z.refine(({ lines }) => lines.some(({ isOptional }) => !isOptional) || lines.some(({ isChosen }) => isChosen), {
      error: 'At least one line must be fixed or chosen',
      path: ['lines'],
    }),
    z.refine(({ discountShare, discountAmount }) => !discountShare || !discountAmount, {
      error: 'The discount is a percentage or an amount, not both',
      path: ['discountAmount'],
    }),
    z.refine((content) => (content.discountAmount ?? 0) <= netOfLines(takenLines(content)), {
      error: 'The discount is more than the lines cost',
      path: ['discountAmount'],
    }),
    z.check(({ value: { lines }, issues }) => {
      for (const [at, { range, quantity: first }] of lines.entries()) {
        if (!range) continue
        const add = (field: string[], message: string) =>
          issues.push({ code: 'custom', input: lines, path: ['lines', at, ...field], message })
        if (range.least >= range.most) add(['range', 'most'], 'The most is more than the least')
        else if (first < range.least || first > range.most) add(['quantity'], 'The quantity lies between the least and the most')
      }
    }),
  )

export type ProposalContent = z.infer<typeof proposalContent>

/** The same as it is stored: a draft that was just begun lacks words. */
export const storedContent = z.object({
  title: z.string(),
  intro: z.string(),
  currency: z.string(),
  lines: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      detail: z.string(),
      quantity: z.number(),
      range: z.optional(z.nullable(z.object({ least: z.number(), most: z.number() }))),
      unitAmount: z.number(),
      discountShare: z.number(),
      isOptional: z.boolean(),
      isChosen: z.boolean(),
    }),
  ),
  startsOn: z.nullable(z.string()),
  deliversOn: z.nullable(z.string()),
  needs: z.string(),
  terms: z.string(),
  termsVersion: z.string(),
  discountShare: z.optional(z.number()),
  discountAmount: z.optional(z.number()),
  depositShare: z.number(),
  isNonRefundable: z.boolean(),
  validUntil: z.string(),
})

type Lines = Pick<ProposalContent, 'lines'>
type Discounted = Pick<ProposalContent, 'discountShare' | 'discountAmount'>

/** The choices of a client: the lines, and the quantity of each line that has a range. */
export type Choice = { chosen: string[]; quantities: Record<string, number> }

/** All fixed lines, and of the optional ones those that are asked for, else those chosen before. A quantity that is not allowed is left out. */
export function choiceOf({ lines }: Lines, asked?: Choice): Choice {
  const taken = lines.filter(({ id, isOptional, isChosen }) => !isOptional || (asked ? asked.chosen.includes(id) : isChosen))
  const quantities = taken.flatMap((line): [string, number][] => {
    if (!line.range) return []
    const wanted = asked?.quantities[line.id] ?? line.quantity
    return [[line.id, isAllowed(line, wanted) ? wanted : line.quantity]]
  })
  return { chosen: taken.map(({ id }) => id), quantities: Object.fromEntries(quantities) }
}

/** The choices in an address, such as `a1.b2-3000`. */
export function askedIn(text: string): Choice {
  const parts = text.split('.').map((part) => part.split('-'))
  const quantities = parts.flatMap(([id = '', quantity]) => (quantity === undefined ? [] : [[id, Number(quantity)] as const]))
  return { chosen: parts.map(([id = '']) => id), quantities: Object.fromEntries(quantities) }
}

/** The other way round. */
export function choiceText({ chosen, quantities }: Choice): string {
  return chosen.map((id) => (quantities[id] === undefined ? id : `${id}-${quantities[id]}`)).join('.')
}

type Ranged = Pick<ProposalLine, 'quantity' | 'range'>

/** Whole numbers where staff gave whole numbers; else thousandths. */
export function stepOf({ quantity: first, range }: Ranged): number {
  return [first, range?.least ?? 0, range?.most ?? 0].every((one) => one % ONE === 0) ? ONE : 1
}

export function isAllowed(line: Ranged, wanted: number): boolean {
  return line.range ? wanted >= line.range.least && wanted <= line.range.most && wanted % stepOf(line) === 0 : wanted === line.quantity
}

/** The lines that are taken, with their chosen quantities. */
export function takenLines({ lines }: Lines, { chosen, quantities }: Choice = choiceOf({ lines })): ProposalLine[] {
  return lines.filter(({ id }) => chosen.includes(id)).map((line) => ({ ...line, quantity: quantities[line.id] ?? line.quantity }))
}

type PlainLine = Omit<OrderLine, 'net' | 'taxCategory' | 'taxRate'>
type Priced = Pick<ProposalLine, 'quantity' | 'unitAmount' | 'discountShare'>

function discountOfLine({ quantity: count, unitAmount, discountShare }: Priced): number {
  return shareOf(shareOf(unitAmount, count, 3), discountShare, 4)
}

/** Of a line, with its discount taken off. */
export function netOfLine(line: Priced): number {
  return shareOf(line.unitAmount, line.quantity, 3) - discountOfLine(line)
}

export function netOfLines(lines: readonly Priced[]): number {
  return lines.reduce((sum, line) => sum + netOfLine(line), 0)
}

/** The discount on lines that cost so much together: never more than they do. */
export function discountOn({ discountShare = 0, discountAmount = 0 }: Discounted, net: number): number {
  return Math.min(net, discountAmount || shareOf(net, discountShare, 4))
}

/** In percent, in words. Empty for an amount. */
export function discountText({ discountShare = 0 }: Discounted): string {
  return discountShare === 0 ? '' : percentText(discountShare)
}

/** The chosen lines as lines of an order. The discount on the whole is a line of its own, which invoices show as an allowance. */
export function orderLinesOf(content: Lines & Discounted, choice?: Choice): PlainLine[] {
  const taken = takenLines(content, choice)
  const discount = discountOn(content, netOfLines(taken))
  return [
    ...taken.map((line): PlainLine => {
      const { title, detail, quantity: count, unitAmount } = line
      return { title, detail, quantity: count, unitAmount, discount: discountOfLine(line), supply: 'service' }
    }),
    ...(discount > 0 ? [allowance(discount, discountText(content))] : []),
  ]
}

function allowance(unitAmount: number, detail: string): PlainLine {
  return { title: 'Discount', detail, quantity: -ONE, unitAmount, discount: 0, supply: 'service', isAllowance: true }
}

/** Before tax, of what is taken. */
export function netOf(content: Lines & Discounted, choice?: Choice): number {
  const net = netOfLines(takenLines(content, choice))
  return net - discountOn(content, net)
}

export const proposalQuestion = z.object({
  id: z.string(),
  lineId: z.string(),
  question: z.string(),
  answer: z.string(),
  answeredAt: z.nullable(z.string()),
  createdAt: z.string(),
})

export type ProposalQuestion = z.infer<typeof proposalQuestion>

/** An order of a proposal. */
export const proposalOrder = z.object({
  id: z.string(),
  reference: z.string(),
  kind: z.enum(['deposit', 'final']),
  state: z.string(),
  gross: z.number(),
  currency: z.string(),
  createdAt: z.string(),
})

/** A version of a proposal, for staff. */
export const proposal = z.object({
  id: z.string(),
  reference: z.string(),
  number: z.number(),
  state: z.enum(proposalStates),
  content: storedContent,
  /** Before tax: of the chosen lines, or of those that the client has accepted. */
  net: z.number(),
  version: z.number(),
  /** The client's page. */
  url: z.string(),
  sentAt: z.nullable(z.string()),
  sentTo: z.nullable(z.string()),
  openedAt: z.nullable(z.string()),
  settledAt: z.nullable(z.string()),
  reason: z.string(),
  updatedAt: z.string(),
  questions: z.array(proposalQuestion),
  /** Set once it is accepted. */
  acceptance: z.nullable(
    z.object({
      name: z.string(),
      email: z.string(),
      company: z.string(),
      organizationId: z.string(),
      lines: z.array(z.string()),
      quantities: z.record(z.string(), z.number()),
      net: z.number(),
      tax: z.number(),
      gross: z.number(),
      hash: z.string(),
    }),
  ),
  countersignedAt: z.nullable(z.string()),
  countersignedName: z.string(),
  startedAt: z.nullable(z.string()),
  startReason: z.string(),
  orders: z.array(proposalOrder),
})

export type Proposal = z.infer<typeof proposal>

/** A line to begin with. */
export const proposalOffer = z.object({ id: z.string(), title: z.string(), detail: z.string(), unitAmount: z.number() })

export type ProposalOffer = z.infer<typeof proposalOffer>

export const leadProposals = z.object({
  lead: z.object({ id: z.string(), reference: z.string(), name: z.string(), email: z.string() }),
  /** The newest first. */
  proposals: z.array(proposal),
  offers: z.array(proposalOffer),
})

export type LeadProposals = z.infer<typeof leadProposals>

export const newProposalBody = z.object({ offer: z.optional(z.string().check(z.maxLength(40, 'There is no such offer.'))) })

export const withdrawBody = z.object({ reason: text('The reason', proposalLimits.reason) })
export const answerBody = z.object({
  answer: text('The answer', proposalLimits.question).check(z.minLength(1, 'Write an answer first')),
})
export const countersignBody = z.object({ name: filled('Enter your name', 'The name', 120) })
export const startBody = z.object({
  reason: text('The reason', proposalLimits.reason).check(z.minLength(1, 'Say why the work begins before the deposit is paid')),
})
