import { createHash } from 'node:crypto'
import { setImmediate as pause } from 'node:timers/promises'
import { audit, by } from '#app/auth/users/audit.server.ts'
import { homeCurrency } from '#app/billing/tax/tax.server.ts'
import { billing } from '#app/content/billing.server.ts'
import { db, insert, newId, transaction } from '#app/platform/database/db.server.ts'
import { Stop, stop } from '#app/platform/errors/stop.ts'
import { moneyText } from '#app/platform/text/money.ts'
import { applyDecision } from './apply-decision.server.ts'
import type { BankLine } from './bank-line.ts'
import { readBooks } from './books.server.ts'
import { readCamt } from './camt.server.ts'
import { type CsvStatement, readCsvStatement } from './csv-statement.server.ts'
import { type Books, judge, type Verdict } from './matching.ts'
import type { LineOutcome, SeenLine, StatementBody, StatementReport } from './transfer.ts'

type Actor = { id: string; address: string }

/** Rows of a report. The counts have all of them. */
const SHOWN = 200
/** Other requests have their turn after so many lines. */
const PAUSE_LINES = 50

/** Reads a bank statement and books what is clear; everything else waits for staff. A dry run stores nothing. */
export async function importStatement(body: StatementBody, dry: boolean, actor: Actor): Promise<StatementReport> {
  const isXml = /^\s*</.test(body.text.replace(/^\uFEFF/, ''))
  const statement: CsvStatement = isXml
    ? { ...readCamt(body.text.replace(/^\uFEFF/, '')), heads: [], columns: [], missing: undefined, questions: [] }
    : readCsvStatement(body, { currency: homeCurrency(), account: billing.iban ?? '' })
  const format = isXml ? 'camt' : 'csv'
  const open = statement.questions.filter(({ chosen }) => chosen === null)
  if (!dry && statement.missing) stop('unprocessable', statement.missing, { errors: { columns: statement.missing } })
  if (!dry && open.length > 0) stop('unprocessable', 'Choose the number and date format first.', { code: 'ambiguous', problems: open })
  const seen = statement.missing ? [] : await judgeAll(statement.lines, format)
  if (!dry) await storeAll(seen, { name: body.name, format, actor })
  return reportOf(statement, format, seen)
}

type Seen = { line: BankLine; identity: string; verdict: Verdict | undefined }

/** Every line with what it means. A line that was imported before has no verdict. */
async function judgeAll(lines: readonly BankLine[], format: 'camt' | 'csv'): Promise<Seen[]> {
  const identities = identitiesOf(lines)
  const known = await findKnown(identities)
  const books = await readBooks(db)
  const seen: Seen[] = []
  for (const [at, line] of lines.entries()) {
    const identity = identities[at] ?? ''
    const verdict = known.has(identity) ? undefined : await judgeOnce(line, format, books)
    if (verdict?.kind === 'book') spend(books, verdict)
    seen.push({ line, identity, verdict })
    if (at % PAUSE_LINES === 0) await pause()
  }
  return seen
}

async function judgeOnce(line: BankLine, format: 'camt' | 'csv', books: Books): Promise<Verdict> {
  const verdict = judge(line, books)
  if (verdict.kind !== 'book' || !(await hasTwin(line, format))) return verdict
  return { kind: 'ask', reason: TWIN, proposals: [] }
}

export const TWIN = 'A line of the same day and amount came in a file of another format. Is it the same payment?'

/** The same payment can come as CAMT.053 and as CSV, whose texts differ. */
export async function hasTwin({ bookedOn, amount, currency }: Pick<BankLine, 'bookedOn' | 'amount' | 'currency'>, format: 'camt' | 'csv') {
  const twin = await db
    .selectFrom('bankLines')
    .innerJoin('bankFiles', 'bankFiles.id', 'bankLines.fileId')
    .select('bankLines.id')
    .where('bookedOn', '=', bookedOn)
    .where('amount', '=', amount)
    .where('currency', '=', currency)
    .where('format', '!=', format)
    .limit(1)
    .executeTakeFirst()
  return twin !== undefined
}

/** Later lines of the file see what earlier ones have paid. */
function spend(books: Books, { decision }: Extract<Verdict, { kind: 'book' }>): void {
  if (decision.kind === 'refund') {
    books.refunds = books.refunds.filter(({ refundId }) => refundId !== decision.refundId)
    return
  }
  const paid = new Map(decision.allocations.map(({ orderId, amount }) => [orderId, amount]))
  books.payables = books.payables.map((payable) => ({ ...payable, owed: payable.owed - (paid.get(payable.orderId) ?? 0) }))
}

/** The same for a line in every file that has it. Equal lines of one file are told apart by their order. */
function identitiesOf(lines: readonly BankLine[]): string[] {
  const times = new Map<string, number>()
  return lines.map(({ account, raw }) => {
    const text = JSON.stringify([account, raw])
    const time = (times.get(text) ?? 0) + 1
    times.set(text, time)
    return createHash('sha256').update(`${text} ${time}`).digest('hex')
  })
}

const CHUNK = 1000

async function findKnown(identities: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>()
  for (let start = 0; start < identities.length; start += CHUNK) {
    const some = identities.slice(start, start + CHUNK)
    const rows = await db.selectFrom('bankLines').select('identity').where('identity', 'in', some).execute()
    for (const { identity } of rows) known.add(identity)
  }
  return known
}

type File = { name: string; format: 'camt' | 'csv'; actor: Actor }

/** Each line with what it pays in a transaction of its own: an import that is interrupted is continued by importing the file again. */
async function storeAll(seen: readonly Seen[], { name, format, actor }: File): Promise<void> {
  const stored = seen.filter(({ verdict }) => verdict && verdict.kind !== 'other')
  const fileId = await transaction(async (trx) => {
    const { id } = await insert(trx, 'bankFiles', { name: name || 'Statement', format, importedBy: actor.id })
    await audit(trx, 'bank_file_imported', { ...by(actor), detail: { file: name, lines: stored.length } })
    return id
  })
  for (const { line, identity, verdict } of stored) {
    if (!verdict) continue
    await storeLine(fileId, { line, identity, verdict }).catch(async (error: unknown) => {
      if (!(error instanceof Stop)) throw error
      // Somebody decided the same in the meantime.
      await storeLine(fileId, { line, identity, verdict: { kind: 'ask', reason: error.data, proposals: [] } })
    })
    await pause()
  }
}

async function storeLine(fileId: string, { line, identity, verdict }: Seen & { verdict: Verdict }): Promise<void> {
  const { text, raw: _raw, instructed, ...rest } = line
  await transaction(async (trx) => {
    const row = await trx
      .insertInto('bankLines')
      .values({
        ...rest,
        id: newId(),
        fileId,
        identity,
        purpose: text,
        instructedAmount: instructed?.amount ?? null,
        instructedCurrency: instructed?.currency ?? null,
        state: 'open',
      })
      .onConflict((conflict) => conflict.column('identity').doNothing())
      .returningAll()
      .executeTakeFirst()
    // Another import of the same statement was faster.
    if (!row || verdict.kind !== 'book') return
    const paymentId = await applyDecision(trx, row, verdict.decision, undefined)
    await trx.updateTable('bankLines').set({ state: 'booked', paymentId, decidedAt: new Date() }).where('id', '=', row.id).execute()
  })
}

const outcomes: Record<Verdict['kind'], LineOutcome> = { book: 'booked', ask: 'asked', other: 'other' }

function reportOf(statement: CsvStatement, format: 'camt' | 'csv', seen: readonly Seen[]): StatementReport {
  const lines = seen.map(({ line: { bookedOn, amount, currency, payer, text }, verdict }): SeenLine => ({
    outcome: verdict ? outcomes[verdict.kind] : 'known',
    bookedOn,
    amount,
    currency,
    payer,
    purpose: text.slice(0, 300),
    reason: verdict ? reasonOf(verdict) : '',
  }))
  const count = (outcome: LineOutcome) => lines.filter((line) => line.outcome === outcome).length
  const { heads, columns, missing = null, questions, problems } = statement
  return {
    format,
    heads: heads.map((head) => head.slice(0, 200)),
    columns,
    missing,
    questions,
    counts: { booked: count('booked'), asked: count('asked'), known: count('known'), other: count('other'), problems: problems.length },
    lines: lines.filter(({ outcome }) => outcome !== 'other').slice(0, SHOWN),
    problems: problems.slice(0, SHOWN),
  }
}

function reasonOf(verdict: Verdict): string {
  if (verdict.kind === 'ask') return verdict.reason
  if (verdict.kind === 'other') return ''
  if (verdict.decision.kind === 'refund') return 'Pays a refund back'
  const { allocations, amount, currency, fee } = verdict.decision
  const orders = allocations.length === 1 ? 'an order' : `${allocations.length} orders`
  return `Pays ${orders}: ${moneyText(amount, currency)}${fee > 0 ? `, of which banks kept ${moneyText(fee, currency)}` : ''}`
}
