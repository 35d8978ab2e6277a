import { amountReadings } from '#app/leads/lead/written-amount.ts'
import { dateOrders, type DateOrder, decimalSigns, type DecimalSign, readColumn } from '#app/platform/reading/column-reading.ts'
import { dateReadings } from '#app/platform/reading/written-date.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { type CsvRow, readForeignCsv } from '#app/platform/tables/foreign-csv.server.ts'
import { oneLine } from '#app/platform/text/clean-text.ts'
import { minorDigits, moneyText } from '#app/platform/text/money.ts'
import { longDay } from '#app/platform/time/english-date.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import type { BankLine, Statement } from './bank-line.ts'
import { directionOf, matchStatementColumns, missingColumns, type StatementField } from './statement-columns.ts'
import type { StatementQuestion } from './transfer.ts'

/** A bank writes its own lines above the table. */
const HEAD_WITHIN = 30
const MOST_ROWS = 50_000
const COLUMNS_MOST = 100

type Given = {
  text: string
  columns?: readonly (StatementField | null)[] | undefined
  decimal?: DecimalSign | undefined
  dateOrder?: DateOrder | undefined
}

/** Where the file does not name them. */
type Usual = { currency: string; account: string }

export type CsvStatement = Statement & {
  heads: string[]
  columns: (StatementField | null)[]
  missing: string | undefined
  questions: StatementQuestion[]
}

/** Reads the CSV file of a bank, whatever its separator, encoding, language and way to write amounts and dates. */
export function readCsvStatement(given: Given, usual: Usual): CsvStatement {
  const rows = [...readRows(given.text)]
  const { heads, records } = tableIn(rows)
  const matched = given.columns ?? columnsIn(heads, records)
  const columns = heads.map((_head, at) => matched[at] ?? null)
  const missing = missingColumns(columns)
  const written = writtenIn(records, columns, given, usual)
  const statement: CsvStatement = { heads, columns, missing, questions: written.questions, lines: [], skipped: 0, problems: [] }
  if (missing) return { ...statement, questions: [] }
  for (const { line, cells } of records) {
    if (!cells) statement.problems.push({ line, reason: 'A quotation mark in this row is not closed.' })
    else addRow(statement, line, { cells, heads, columns, written, usual })
  }
  return statement
}

function* readRows(text: string): Generator<CsvRow> {
  if (text.includes('\0')) refuse('This is not a CSV file. Export the statement as CAMT.053 or CSV.')
  let count = 0
  for (const row of readForeignCsv(text)) {
    count += 1
    if (count > MOST_ROWS) refuse(`A statement has at most ${numberText(MOST_ROWS)} rows. Split it.`)
    yield row
  }
}

function refuse(sentence: string): never {
  stop('unprocessable', sentence, { code: 'validation_failed', errors: { text: sentence } })
}

/** The row whose cells are the most known heads begins the table. */
function tableIn(rows: readonly CsvRow[]): { heads: string[]; records: CsvRow[] } {
  const known = rows.slice(0, HEAD_WITHIN).map(({ cells }) => new Set(matchStatementColumns(cells ?? []).filter(Boolean)).size)
  const most = Math.max(0, ...known)
  const at = most < 2 ? 0 : known.indexOf(most)
  const heads = rows[at]?.cells ?? []
  if (heads.length === 0) refuse('The file has no row with the names of its columns.')
  if (heads.length > COLUMNS_MOST) refuse(`A statement has at most ${COLUMNS_MOST} columns.`)
  return { heads, records: rows.slice(at + 1) }
}

/** The fields by the heads, where the cells do not say otherwise: `Valuta` is a currency or a day, and a direction can have no head. */
function columnsIn(heads: readonly string[], records: readonly CsvRow[]): (StatementField | null)[] {
  const cellsAt = (at: number) => records.flatMap(({ cells }) => oneLine(cells?.[at] ?? '') || [])
  const columns = matchStatementColumns(heads).map((field, at) =>
    field === 'currency' && cellsAt(at).length > 0 && !cellsAt(at).some((cell) => CURRENCY.test(cell)) ? null : field,
  )
  if (columns.includes('direction') || !columns.includes('amount')) return columns
  const at = columns.findIndex((field, place) => {
    const cells = field === null ? cellsAt(place) : []
    return cells.length > 0 && cells.every((cell) => directionOf(cell) !== undefined)
  })
  return at < 0 ? columns : columns.with(at, 'direction')
}

type Written = {
  amount: (text: string) => number | 'open' | undefined
  date: (text: string) => Date | 'open' | undefined
  questions: StatementQuestion[]
}

const amountFields: readonly StatementField[] = ['amount', 'credit', 'debit']

function writtenIn(records: readonly CsvRow[], columns: readonly (StatementField | null)[], given: Given, usual: Usual): Written {
  const textsOf = (fields: readonly StatementField[]) =>
    records.flatMap(({ cells }) => columns.flatMap((field, at) => (field && fields.includes(field) ? (cells?.[at] ?? '') : [])))
  const amounts = readColumn(textsOf(amountFields).map(unsigned), { ways: decimalSigns, readingsOf: amountReadings }, given.decimal)
  const dates = readColumn(textsOf(['bookedOn']), { ways: dateOrders, readingsOf: dateReadings }, given.dateOrder)
  const headOf = (fields: readonly StatementField[]) => columns.findIndex((field) => field !== null && fields.includes(field))
  const questions: StatementQuestion[] = []
  const amountDoubt = amounts.doubt
  if (amountDoubt) {
    const readings = decimalSigns.flatMap((value) => {
      const amount = amountDoubt.readings[value]
      return amount === undefined ? [] : { value, reads: moneyText(minorOf(amount, usual.currency), usual.currency) }
    })
    questions.push({ parameter: 'decimal', column: headOf(amountFields), text: amountDoubt.text, readings, chosen: given.decimal ?? null })
  }
  const dateDoubt = dates.doubt
  if (dateDoubt) {
    const readings = dateOrders.flatMap((value) => {
      const date = dateDoubt.readings[value]
      return date === undefined ? [] : { value, reads: longDay(date) }
    })
    questions.push({
      parameter: 'dateOrder',
      column: headOf(['bookedOn']),
      text: dateDoubt.text,
      readings,
      chosen: given.dateOrder ?? null,
    })
  }
  return { amount: amounts.read, date: dates.read, questions }
}

const MINUS = /^\s*[-−–(]|[-−–)]\s*$/

function unsigned(text: string): string {
  return text.replaceAll(/^\s*[-−–+(]\s*|\s*[-−–+)]\s*$/g, '')
}

const CURRENCY = /^[A-Z]{3}$/i

const currencies = new Set(Intl.supportedValuesOf('currency'))

/** The currency that is named beside an amount, or in the head of its column. */
function currencyIn(text: string): string | undefined {
  if (text.includes('€')) return 'EUR'
  return text.includes('£') ? 'GBP' : text.match(/(?<![A-Z])[A-Z]{3}(?![A-Z])/g)?.find((code) => currencies.has(code))
}

/** A payment that is announced, or was called off. Banks say so in a cell of its own. */
const NOT_BOOKED = /^((umsatz )?vorgemerkt|pending|reverted|cancell?ed|declined|failed|storniert|abgelehnt)$/i

const minorOf = (amount: number, currency: string) => Math.round(amount * 10 ** minorDigits(currency))

type Row = {
  cells: readonly string[]
  heads: readonly string[]
  columns: readonly (StatementField | null)[]
  written: Written
  usual: Usual
}

function addRow(statement: CsvStatement, line: number, row: Row): void {
  const valueOf = (field: StatementField) =>
    oneLine(row.columns.flatMap((each, at) => (each === field ? (row.cells[at] ?? '') : [])).join(' '))
  const currency = (valueOf('currency') || currencyOf(row) || row.usual.currency).toUpperCase()
  const direction = valueOf('direction')
  const isBooked = !row.cells.some((cell, at) => row.columns[at] === null && NOT_BOOKED.test(oneLine(cell)))
  const dateText = valueOf('bookedOn')
  const date = row.written.date(dateText)
  const amount = signedAmount(valueOf, row.written.amount)
  // Totals and balances below the table have no date or no amount.
  if (dateText === '' || amount === 'none' || !isBooked) statement.skipped += 1
  else if (date === 'open' || amount === 'open') return
  else if (!date) statement.problems.push({ line, reason: `“${dateText.slice(0, 60)}” is not a clear date.` })
  else if (amount === undefined) statement.problems.push({ line, reason: 'The amount is not clear.' })
  else if (direction && !directionOf(direction))
    statement.problems.push({ line, reason: `“${direction.slice(0, 20)}” is neither money in nor money out.` })
  else if (!CURRENCY.test(currency)) statement.problems.push({ line, reason: `“${currency.slice(0, 20)}” is not a currency.` })
  else if (amount === 0) statement.skipped += 1
  else
    statement.lines.push(
      lineOf(valueOf, {
        raw: row.cells.join('\u001F'),
        date,
        amount: minorOf(amount, currency),
        currency,
        account: row.usual.account,
      }),
    )
}

function currencyOf({ cells, heads, columns }: Row): string | undefined {
  const named = columns.flatMap((field, at) => (field && amountFields.includes(field) ? [cells[at] ?? '', heads[at] ?? ''] : []))
  return named.map(currencyIn).find(Boolean)
}

type ValueOf = (field: StatementField) => string

/** One column with a sign or a word beside it, or a column for each direction. */
function signedAmount(valueOf: ValueOf, read: Written['amount']): number | 'open' | 'none' | undefined {
  const single = valueOf('amount')
  const [text, isOut] = single
    ? [single, MINUS.test(single) || directionOf(valueOf('direction')) === 'out']
    : isEmpty(valueOf('credit'))
      ? [isEmpty(valueOf('debit')) ? '' : valueOf('debit'), true]
      : [valueOf('credit'), MINUS.test(valueOf('credit'))]
  if (text === '') return 'none'
  const amount = read(unsigned(text))
  return typeof amount === 'number' && isOut ? -amount : amount
}

/** `0.00`, `€0.00` and `-` say as little as nothing. */
const isEmpty = (text: string) => !/[1-9]|\p{L}{4}/u.test(text)

function lineOf(valueOf: ValueOf, known: { date: Date; amount: number; currency: string; account: string; raw: string }): BankLine {
  const { date, amount, currency, account, raw } = known
  return {
    account: valueOf('account').replaceAll(/\s/g, '') || account,
    bookedOn: date.toISOString().slice(0, 10),
    amount,
    currency,
    payer: valueOf('payer').slice(0, 300),
    payerAccount: valueOf('payerAccount').replaceAll(/\s/g, '').slice(0, 100),
    text: valueOf('text').slice(0, 2000),
    bankReference: valueOf('bankReference').slice(0, 200),
    isReturn: false,
    instructed: null,
    fee: 0,
    raw,
  }
}
