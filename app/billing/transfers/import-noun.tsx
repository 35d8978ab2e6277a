import { billingData } from '#app/billing/admin/desk.ts'
import { money } from '#app/billing/admin/look.tsx'
import { apiRequest } from '#app/platform/browser/api.ts'
import { dateOrders, decimalSigns } from '#app/platform/reading/column-reading.ts'
import { readForeignText } from '#app/platform/text/foreign-text.ts'
import { assignField, type ImportCount, type ImportView } from '#app/ui/admin/import-view.tsx'
import { type ImportNoun, ImportRefusal } from '#app/ui/admin/use-import.ts'
import { countOf } from '#app/ui/amount.ts'
import { formatDay } from '#app/ui/moment.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { statementFieldNames, statementFields } from './statement-columns.ts'
import { type LineOutcome, type StatementBody, statementReport, type StatementReport, TRANSFERS } from './transfer.ts'

const MOST_BYTES = 20_000_000

/** The statement of a bank account. */
export const statementNoun: ImportNoun<StatementBody, StatementReport> = {
  one: 'payment',
  many: 'payments',
  file: {
    label: 'Bank statement',
    accept: '.xml,.c53,.camt,.csv,.txt,text/csv,text/xml,application/xml',
    hint: 'CAMT.053 (XML), or the CSV file of your bank. Statements may overlap: each payment counts once.',
  },
  start: { text: '', name: '' },
  isEmpty: ({ text }) => text.trim() === '',
  nameOf: ({ name }) => name,
  async read([file]) {
    if (!file) throw new ImportRefusal('Choose a file first.')
    if (file.size > MOST_BYTES) throw new ImportRefusal('The file is larger than 20 MB. Split it.')
    return { text: readForeignText(new Uint8Array(await file.arrayBuffer())), name: file.name }
  },
  async send(body, { dry }) {
    return statementReport.parse(await (await apiRequest('POST', `${TRANSFERS}/import?dry=${dry}`, body)).json())
  },
  view: (report, given, change) => ({ ...columnsOf(report, given, change), ...outcomeOf(report) }),
  totalOf: ({ counts }) => counts.booked + counts.asked,
  writtenIn: ({ counts }) => counts.booked + counts.asked,
  nothing: 'This statement has no new payment of a customer.',
  isKept: true,
  touches: billingData,
}

const options = [{ value: '', label: 'Do not import' }, ...statementFieldNames.map((value) => ({ value, label: statementFields[value] }))]

function columnsOf(
  { heads, columns: found, missing, questions }: StatementReport,
  given: StatementBody,
  change: (given: StatementBody) => void,
): Pick<ImportView, 'columns' | 'missing' | 'questions'> {
  const columns = given.columns ?? found
  return {
    columns: heads.map((head, at) => ({
      head,
      value: columns[at] ?? '',
      options,
      choose: (value) => {
        const field = statementFieldNames.find((name) => name === value) ?? null
        // Several columns can hold the purpose.
        const next = field === 'text' ? columns.map((known, each) => (each === at ? field : known)) : assignField(columns, at, field)
        change({ ...given, columns: next })
      },
    })),
    missing: missing ?? undefined,
    questions: questions.map(({ parameter, column, ...question }) => ({
      ...question,
      name: parameter,
      chosen: given[parameter] ?? question.chosen,
      head: heads[column] ?? '',
      answer: (value) =>
        change(
          parameter === 'decimal'
            ? { ...given, decimal: decimalSigns.find((each) => each === value) }
            : { ...given, dateOrder: dateOrders.find((each) => each === value) },
        ),
    })),
  }
}

const badges: Record<LineOutcome, ImportCount> = {
  booked: { text: 'Matched', look: 'leaf' },
  asked: { text: 'To decide', look: 'grain' },
  known: { text: 'Known' },
  other: { text: 'Other' },
}

function outcomeOf({ counts, lines, problems }: StatementReport): Pick<ImportView, 'counts' | 'rows'> {
  const figure = (count: number, text: string, look?: ImportCount['look']): ImportCount[] =>
    count > 0 ? [{ text, ...(look && { look }) }] : []
  const listed = (outcome: LineOutcome) =>
    lines
      .filter((line) => line.outcome === outcome)
      .map((line, at) => ({
        key: `${outcome} ${at}`,
        place: `${formatDay(line.bookedOn)} · ${money(line.amount, line)} · ${line.payer || 'No name'}`,
        ...(line.purpose && { texts: [line.purpose] }),
        reasons: line.reason ? [line.reason] : [],
        badge: badges[outcome],
      }))
  return {
    counts: [
      { text: `${numberText(counts.booked)} matched`, look: 'leaf' },
      ...figure(counts.asked, `${numberText(counts.asked)} to decide`, 'grain'),
      ...figure(counts.known, `${numberText(counts.known)} imported before`),
      ...figure(counts.other, countOf(counts.other, 'other outgoing payment', 'other outgoing payments')),
      ...figure(counts.problems, `${numberText(counts.problems)} with an error`, 'alarm'),
    ],
    rows: [
      { title: 'Payments to decide', isOpen: true, rows: listed('asked'), of: counts.asked },
      { title: 'Matched payments', rows: listed('booked'), of: counts.booked },
      {
        title: 'Lines that cannot be read',
        isOpen: true,
        rows: problems.map(({ line, reason }) => ({ key: String(line), place: `Line ${line}`, reasons: [reason] })),
        of: counts.problems,
      },
    ],
  }
}
