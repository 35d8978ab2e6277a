import { z } from 'zod/mini'
import { BILLING } from '#app/billing/admin/desk.ts'
import { dateOrders, decimalSigns } from '#app/platform/reading/column-reading.ts'
import { atMost } from '#app/platform/text/clean-text.ts'
import { paging, searchText } from '#app/ui/admin/paging.ts'
import { statementFieldNames } from './statement-columns.ts'

export const TRANSFERS = `${BILLING}/transfers`

/** In characters. */
export const STATEMENT_MOST = 20_000_000

export const statementBody = z.object({
  text: z
    .string('Choose a bank statement')
    .check(z.minLength(1, 'The file is empty'), z.maxLength(STATEMENT_MOST, 'The file is larger than 20 MB. Split it')),
  name: z.string('Name the file').check(z.trim(), ...atMost(200, 'The name of the file is too long')),
  /** The field of each column of a CSV file; without it, the heads decide. */
  columns: z.optional(
    z.array(z.nullable(z.enum(statementFieldNames, 'Unknown field'))).check(z.maxLength(100, 'A statement has at most 100 columns')),
  ),
  decimal: z.optional(z.enum(decimalSigns, 'decimal is a dot or a comma')),
  dateOrder: z.optional(z.enum(dateOrders, 'dateOrder is dmy, mdy or ymd')),
})

export type StatementBody = z.infer<typeof statementBody>

/** A column with more than one reading. `chosen` is the answer, given as `parameter`. */
const statementQuestion = z.object({
  parameter: z.enum(['decimal', 'dateOrder']),
  column: z.number(),
  text: z.string(),
  readings: z.array(z.object({ value: z.enum([...decimalSigns, ...dateOrders]), reads: z.string() })),
  chosen: z.nullable(z.enum([...decimalSigns, ...dateOrders])),
})

export type StatementQuestion = z.infer<typeof statementQuestion>

/** `booked` lines pay orders, `asked` ones wait for staff, `known` ones were imported before, `other` ones are outgoing payments that are not stored. */
export const lineOutcomes = ['booked', 'asked', 'known', 'other'] as const
export type LineOutcome = (typeof lineOutcomes)[number]

const seenLine = z.object({
  outcome: z.enum(lineOutcomes),
  bookedOn: z.string(),
  amount: z.number(),
  currency: z.string(),
  payer: z.string(),
  purpose: z.string(),
  /** The paid orders, or the reason for the question. */
  reason: z.string(),
})

export type SeenLine = z.infer<typeof seenLine>

/** The result of an import, or of a dry run. */
export const statementReport = z.object({
  format: z.enum(['camt', 'csv']),
  heads: z.array(z.string()),
  columns: z.array(z.nullable(z.enum(statementFieldNames))),
  missing: z.nullable(z.string()),
  questions: z.array(statementQuestion),
  counts: z.object({ booked: z.number(), asked: z.number(), known: z.number(), other: z.number(), problems: z.number() }),
  lines: z.array(seenLine),
  problems: z.array(z.object({ line: z.number(), reason: z.string() })),
})

export type StatementReport = z.infer<typeof statementReport>

export const transferStates = ['open', 'booked', 'ignored'] as const

export const transferQuery = z.object({
  q: searchText('Search for one text of at most 200 characters.'),
  state: z._default(z.enum(transferStates, 'The state is open, booked or ignored.'), 'open'),
  ...paging,
})

export const transfer = z.object({
  id: z.string(),
  state: z.enum(transferStates),
  bookedOn: z.string(),
  amount: z.number(),
  currency: z.string(),
  payer: z.string(),
  payerAccount: z.string(),
  purpose: z.string(),
  instructed: z.nullable(z.object({ amount: z.number(), currency: z.string() })),
  fee: z.number(),
  file: z.string(),
  paymentId: z.nullable(z.string()),
  /** Why it is asked, and what one press does. */
  reason: z.string(),
  proposals: z.array(z.object({ key: z.string(), text: z.string() })),
})

export type Transfer = z.infer<typeof transfer>

export const transferPage = z.object({ transfers: z.array(transfer), open: z.number(), nextCursor: z.nullable(z.string()) })

/** A proposal as it was shown. It is refused where it would do something else by now. */
export const decisionBody = z.object({
  key: z.string('Choose a proposal').check(...atMost(100, 'There is no such proposal')),
  text: z.string('Choose a proposal').check(...atMost(1000, 'There is no such proposal')),
})

/** An order that no proposal names. */
export const payBody = z.object({
  order: z
    .string('Enter the order')
    .check(z.trim(), z.minLength(1, 'Enter an order or invoice, such as B-7K3M9Q'), ...atMost(60, 'There is no such order')),
})
