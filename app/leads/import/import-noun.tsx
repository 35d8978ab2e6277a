import { leadData } from '#app/leads/lead/use-lead-actions.tsx'
import { apiRequest } from '#app/platform/browser/api.ts'
import { readForeignText } from '#app/platform/text/foreign-text.ts'
import { dateOrders, decimalSigns } from '#app/platform/reading/column-reading.ts'
import { assignField, type ImportCount, type ImportView } from '#app/ui/admin/import-view.tsx'
import { type ImportNoun, ImportRefusal } from '#app/ui/admin/use-import.ts'
import { countOf } from '#app/ui/amount.ts'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { numberText } from '#app/platform/text/english-number.ts'
import {
  canReach,
  importFieldNames,
  importFields,
  isOwnName,
  LEAD_IMPORT,
  LEAD_IMPORTS,
  type LeadImportBody,
  type LeadImportReport,
  leadImportReport,
  matchColumns,
} from './lead-import.ts'

type Given = LeadImportBody & { isPasted: boolean }

const MOST_BYTES = 15_000_000

/** Leads from a file: new people, and other leads of known ones. */
export const leadImportNoun: ImportNoun<Given, LeadImportReport> = {
  one: 'lead',
  many: 'leads',
  file: {
    label: 'CSV file',
    accept: '.csv,.tsv,.txt,text/csv',
    hint: 'Or drop one here: CSV, one row per lead, with the names of the columns in the first row. A lead needs an email address, a phone number or a company.',
  },
  start: { text: '', title: '', known: 'skip', isPasted: false },
  isEmpty: ({ text }) => text.trim() === '',
  nameOf: ({ title, isPasted }) => (isPasted ? '' : title),
  async read([file], { known }) {
    if (!file) throw new ImportRefusal('Choose a file first.')
    if (file.size > MOST_BYTES) throw new ImportRefusal('The file is larger than 15 MB. Split it into several files.')
    return { text: readForeignText(new Uint8Array(await file.arrayBuffer())), title: file.name, known, isPasted: false }
  },
  paste: {
    textOf: ({ text, isPasted }) => (isPasted ? text : ''),
    give: ({ known }, text) => ({ text, title: 'Pasted text', known, isPasted: true }),
  },
  async send({ isPasted: _isPasted, ...body }, { dry }) {
    return leadImportReport.parse(await (await apiRequest('POST', `${LEAD_IMPORT}?dry=${dry}`, body)).json())
  },
  options: (given, change) => (
    <div className="max-w-md">
      <Field label="Addresses that already have a lead" name="known" tool="stacked">
        <Select value={given.known} onChange={({ target }) => change({ ...given, known: target.value === 'add' ? 'add' : 'skip' })}>
          <option value="skip">Skip them</option>
          <option value="add">Add another lead to the person</option>
        </Select>
      </Field>
    </div>
  ),
  view: (report, given, change) => ({ ...columnsOf(report, given, change), ...outcomeOf(report) }),
  totalOf: ({ counts }) => counts.new + counts.known,
  writtenIn: ({ counts }) => counts.new + counts.known,
  nothing: 'No row of this file becomes a lead.',
  undo: ({ importId }) => (importId ? async () => apiRequest('POST', `${LEAD_IMPORTS}/${importId}/undo`) : undefined),
  touches: leadData,
}

const options = [{ value: '', label: 'Do not import' }, ...importFieldNames.map((value) => ({ value, label: importFields[value] }))]

function columnsOf(
  { heads, columns: found, questions }: LeadImportReport,
  given: Given,
  change: (given: Given) => void,
): Pick<ImportView, 'columns' | 'missing' | 'questions'> {
  const columns = given.columns ?? found
  const matched = matchColumns(heads)
  return {
    columns: heads.map((head, at) => {
      const field = columns[at]
      const isSuggestion = field && field === matched[at] && !isOwnName(head, field)
      return {
        head,
        value: field ?? '',
        options,
        ...(isSuggestion && { hint: 'Suggested by its name.' }),
        choose: (value) => change({ ...given, columns: assignField(columns, at, importFieldNames.find((name) => name === value) ?? null) }),
      }
    }),
    missing: canReach(columns) ? undefined : 'Choose the column with email addresses, phone numbers or companies.',
    questions: questions.map(({ field, parameter, ...question }) => ({
      ...question,
      name: parameter,
      chosen: given[parameter] ?? question.chosen,
      head: heads[columns.indexOf(field)] ?? '',
      answer: (value) =>
        change(
          parameter === 'decimal'
            ? { ...given, decimal: decimalSigns.find((each) => each === value) }
            : { ...given, dateOrder: dateOrders.find((each) => each === value) },
        ),
    })),
  }
}

const outcomes: Record<LeadImportReport['preview'][number]['outcome'], ImportCount> = {
  new: { text: 'New', look: 'leaf' },
  known: { text: 'Known', look: 'grain' },
  skipped: { text: 'Skipped' },
  refused: { text: 'Error', look: 'alarm' },
}

/** Up to so many rows are listed without a click: few of them are corrected by hand. */
const FEW = 5

function outcomeOf({ heads, columns, counts, problems, incomplete, preview }: LeadImportReport): Omit<ImportView, 'columns'> {
  const shown = heads.flatMap((head, at) => (columns[at] ? [{ head, at }] : []))
  const listed = (rows: LeadImportReport['problems']) =>
    rows.map(({ line, reason }) => ({ key: String(line), place: `Line ${line}`, reasons: reason ? [reason] : [] }))
  const figure = (count: number, text: string, look?: ImportCount['look']): ImportCount[] =>
    count > 0 ? [{ text, ...(look && { look }) }] : []
  return {
    counts: [
      { text: countOf(counts.new, 'new person', 'new people'), ...(counts.new > 0 && { look: 'leaf' }) },
      ...figure(counts.known, countOf(counts.known, 'lead of a known person', 'leads of known people'), 'grain'),
      ...figure(counts.skipped, `${numberText(counts.skipped)} skipped`),
      ...figure(counts.refused, `${numberText(counts.refused)} with an error`, 'alarm'),
      ...figure(counts.incomplete, `${numberText(counts.incomplete)} without a value`, 'grain'),
    ],
    rows: [
      { title: 'Values that are not imported', rows: listed(incomplete), of: counts.incomplete },
      { title: 'Rows that are not imported', isOpen: problems.length <= FEW, rows: listed(problems), of: counts.refused + counts.skipped },
    ],
    preview: {
      heads: shown.map(({ head }) => head),
      rows: preview.map(({ line, outcome, reason, cells }) => ({
        result: { line, outcome: outcomes[outcome], reason: reason ?? undefined },
        cells: shown.map(({ at }) => cells[at] ?? ''),
      })),
    },
  }
}
