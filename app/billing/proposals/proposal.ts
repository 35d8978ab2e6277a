import { z } from 'zod/mini'
import type { OrderLine } from '#app/billing/orders/order.ts'
import { shareOf } from '#app/billing/orders/totals.ts'
import { atMost, manyLines, oneLine } from '#app/platform/text/clean-text.ts'
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

/** A share of 1 is 10,000, so 5000 is 50 %. A quantity of 1 is 1000. */
export const WHOLE = 10_000
export const ONE = 1000

export const proposalLimits = { lines: 50, title: 160, detail: 2000, intro: 4000, needs: 4000, terms: 20_000, question: 2000, reason: 1000 }
/** Far more than any project; a sum of lines stays an exact integer. */
const MOST_AMOUNT = 10_000_000_000

const text = (label: string, most: number) =>
  z.string(`${label} must be text`).check(z.overwrite(manyLines), ...atMost(most, `${label} must be at most ${most} characters`))

const filled = (empty: string, label: string, most: number) =>
  z.string(empty).check(z.overwrite(oneLine), z.minLength(1, empty), ...atMost(most, `${label} must be at most ${most} characters`))

const day = (sentence: string) => z.iso.date(sentence)
const someDay = z.nullable(day('Enter a date, such as 2026-12-31'))

const AMOUNT = 'Enter an amount, such as 1200 or 99.50'
const QUANTITY = 'Enter a quantity above 0, such as 1 or 2.5'
const PERCENT = 'Enter a percentage from 0 to 100'

export const proposalLine = z.object({
  id: z.string('A line needs an id').check(z.regex(/^[a-z\d]{1,12}$/, 'A line has an id of letters and digits')),
  title: filled('Name what this line is for', 'The line', proposalLimits.title),
  detail: text('The detail', proposalLimits.detail),
  /** In thousandths. */
  quantity: z.int(QUANTITY).check(z.minimum(1, QUANTITY), z.maximum(1_000_000_000, QUANTITY)),
  /** In the smallest unit of the currency, before tax. */
  unitAmount: z.int(AMOUNT).check(z.minimum(0, AMOUNT), z.maximum(MOST_AMOUNT, AMOUNT)),
  /** Of 10,000. */
  discountShare: z.int(PERCENT).check(z.minimum(0, PERCENT), z.maximum(WHOLE, PERCENT)),
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
    /** Of 10,000, of the amount with tax. */
    depositShare: z.int(PERCENT).check(z.minimum(0, PERCENT), z.maximum(WHOLE, PERCENT)),
    isNonRefundable: z.boolean('The deposit is refundable or not'),
    /** To the end of this day, in UTC. */
    validUntil: day('Enter the last day of the offer, such as 2026-12-31'),
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
  depositShare: z.number(),
  isNonRefundable: z.boolean(),
  validUntil: z.string(),
})

/** The end of the last day of an offer. */
export function endOfDay(date: string): Date {
  return new Date(`${date}T23:59:59.999Z`)
}

/** The ids of the lines that a client takes: all fixed ones, and of the optional ones those that are asked for, else those chosen before. */
export function chosenIds({ lines }: Pick<ProposalContent, 'lines'>, asked?: readonly string[]): string[] {
  return lines.filter(({ id, isOptional, isChosen }) => !isOptional || (asked ? asked.includes(id) : isChosen)).map(({ id }) => id)
}

type PlainLine = Omit<OrderLine, 'net' | 'taxCategory' | 'taxRate'>

/** A line as an order has it. */
export function orderLineOf({ title, detail, quantity, unitAmount, discountShare }: ProposalLine): PlainLine {
  const discount = shareOf(shareOf(unitAmount, quantity, 3), discountShare, 4)
  return { title, detail, quantity, unitAmount, discount, supply: 'service' }
}

/** Of a line, with its discount taken off. */
export function netOfLine(line: ProposalLine): number {
  const { quantity, unitAmount, discount } = orderLineOf(line)
  return shareOf(unitAmount, quantity, 3) - discount
}

/** Before tax, of the chosen lines. */
export function netOf(content: Pick<ProposalContent, 'lines'>, ids: readonly string[] = chosenIds(content)): number {
  return content.lines.filter(({ id }) => ids.includes(id)).reduce((sum, line) => sum + netOfLine(line), 0)
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
