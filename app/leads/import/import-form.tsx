import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { leadData } from '#app/leads/lead/use-lead-actions.tsx'
import { ApiError, apiRequest } from '#app/platform/browser/api.ts'
import { readForeignText } from '#app/platform/text/foreign-text.ts'
import { useAction } from '#app/ui/admin/use-action.ts'
import { countOf } from '#app/ui/amount.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { FileDrop } from '#app/ui/file-drop.tsx'
import { Select } from '#app/ui/input.tsx'
import { toast } from '#app/ui/toast.ts'
import {
  type DateOrder,
  dateOrders,
  type DecimalSign,
  decimalSigns,
  importFieldNames,
  importFields,
  type ImportField,
  type ImportQuestion,
  isOwnName,
  LEAD_IMPORT,
  LEAD_IMPORTS,
  type LeadImportReport,
  leadImportReport,
  matchColumns,
} from './lead-import.ts'

type Given = {
  text: string
  title: string
  columns?: (ImportField | null)[]
  known: 'skip' | 'add'
  decimal?: DecimalSign
  dateOrder?: DateOrder
}

const MOST_BYTES = 15_000_000

/** A file, its columns, a preview of what becomes of its rows, and the import. */
export function ImportForm() {
  const [given, setGiven] = useState<Given>()
  const { check, write } = useImport(() => setGiven(undefined))
  const look = (next: Given) => {
    setGiven(next)
    check.mutate(next)
  }
  async function take(files: FileList | null) {
    const [file] = files ?? []
    if (!file) return
    if (file.size > MOST_BYTES)
      return toast({ title: 'The file is larger than 15 MB', description: 'Split it into several files.', look: 'danger' })
    look({ text: readForeignText(new Uint8Array(await file.arrayBuffer())), title: file.name, known: 'skip' })
  }
  const report = given && check.data
  return (
    <section aria-label="New import" className="grid grid-cols-1 gap-4">
      <FileDrop
        label="CSV file"
        accept=".csv,.tsv,.txt,text/csv"
        verb={given ? 'Choose another file' : 'Choose a CSV file'}
        busy={check.isPending}
        take={take}
      >
        <p className="text-small text-muted">
          {given ? given.title : 'One row per lead, with the names of the columns in the first row. At least an email address is needed.'}
        </p>
      </FileDrop>
      {check.isError && (
        <p role="alert" className="text-small font-medium text-alarm">
          {check.error instanceof ApiError ? check.error.detail : 'The server could not be reached. Nothing was stored.'}
        </p>
      )}
      {given && report && (
        <>
          <Columns report={report} change={(columns) => look({ ...given, columns })} />
          {report.questions.length > 0 && <Questions report={report} answer={(answer) => look({ ...given, ...answer })} />}
          <Outcome report={report} given={given} look={look} />
          <ImportButton report={report} busy={write.isPending} send={() => write.mutate(given)} />
          <Preview report={report} />
        </>
      )}
    </section>
  )
}

function useImport(onDone: () => void) {
  const send = async (given: Given, dry: boolean) =>
    leadImportReport.parse(await (await apiRequest('POST', `${LEAD_IMPORT}?dry=${dry}`, given)).json())
  const check = useMutation({ mutationFn: (given: Given) => send(given, true) })
  const write = useAction({
    send: async (given: Given) => send(given, false),
    onDone,
    done: ({ counts }) => `${countOf(counts.new + counts.known, 'lead', 'leads')} imported`,
    undo: ({ importId }) => (importId ? async () => apiRequest('POST', `${LEAD_IMPORTS}/${importId}/undo`) : undefined),
    failed: 'Import failed',
    touches: leadData,
  })
  return { check, write }
}

type ColumnsProps = { report: LeadImportReport; change: (columns: (ImportField | null)[]) => void }

/** The field of each column: matched by its head, and changed by hand. */
function Columns({ report: { heads, columns }, change }: ColumnsProps) {
  const matched = matchColumns(heads)
  const isSuggestion = (at: number) => {
    const field = columns[at]
    return field && field === matched[at] && !isOwnName(heads[at] ?? '', field)
  }
  const choose = (at: number, name: string) => {
    const field = importFieldNames.find((each) => each === name) ?? null
    // A field has one column.
    change(columns.map((known, each) => (each === at ? field : known === field ? null : known)))
  }
  return (
    <fieldset className="grid grid-cols-1 gap-3 rounded-card border border-line bg-surface p-4">
      <legend className="px-1 text-small font-semibold">Columns</legend>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {heads.map((head, at) => (
          <Field
            // oxlint-disable-next-line react/no-array-index-key -- the heads of a file can repeat
            key={`${head} ${at}`}
            label={head || `Column ${at + 1}`}
            name={`column-${at}`}
            hint={isSuggestion(at) && 'Suggested by its name.'}
            tool
          >
            <Select value={columns[at] ?? ''} onChange={({ target }) => choose(at, target.value)}>
              <option value="">Do not import</option>
              {importFieldNames.map((name) => (
                <option key={name} value={name}>
                  {importFields[name]}
                </option>
              ))}
            </Select>
          </Field>
        ))}
      </div>
      {!columns.includes('email') && (
        <p role="alert" className="text-small font-medium text-alarm">
          Choose the column with the email addresses.
        </p>
      )}
    </fieldset>
  )
}

type Answer = Pick<Given, 'decimal' | 'dateOrder'>
type QuestionsProps = { report: LeadImportReport; answer: (answer: Answer) => void }

/** Amounts and dates that can be read in two ways. */
function Questions({ report: { heads, columns, questions }, answer }: QuestionsProps) {
  const answerOf = (parameter: ImportQuestion['parameter'], given: string): Answer =>
    parameter === 'decimal'
      ? { decimal: decimalSigns.find((each) => each === given) }
      : { dateOrder: dateOrders.find((each) => each === given) }
  return (
    <fieldset className="grid grid-cols-1 gap-3 rounded-card border border-line bg-surface p-4 sm:grid-cols-2">
      <legend className="px-1 text-small font-semibold">Number and date format</legend>
      {questions.map(({ field, parameter, text, readings, chosen }) => (
        <Field key={field} label={`“${text}” in the column ${heads[columns.indexOf(field)]} means`} name={parameter} tool>
          <Select value={chosen ?? ''} onChange={({ target }) => answer(answerOf(parameter, target.value))}>
            <option value="">Choose</option>
            {readings.map(({ value, reads }) => (
              <option key={value} value={value}>
                {reads}
              </option>
            ))}
          </Select>
        </Field>
      ))}
    </fieldset>
  )
}

type OutcomeProps = { report: LeadImportReport; given: Given; look: (given: Given) => void }

function Outcome({ report: { counts, problems, incomplete }, given, look }: OutcomeProps) {
  return (
    <div className="grid grid-cols-1 gap-3">
      <Field label="Addresses that already have a lead" name="known" tool>
        <Select value={given.known} onChange={({ target }) => look({ ...given, known: target.value === 'add' ? 'add' : 'skip' })}>
          <option value="skip">Skip them</option>
          <option value="add">Add another lead to the person</option>
        </Select>
      </Field>
      <p role="status" className="flex flex-wrap gap-2">
        <Badge look="leaf">{countOf(counts.new, 'new person', 'new people')}</Badge>
        {counts.known > 0 && <Badge look="grain">{countOf(counts.known, 'lead of a known person', 'leads of known people')}</Badge>}
        {counts.skipped > 0 && <Badge>{counts.skipped.toLocaleString('en')} skipped</Badge>}
        {counts.refused > 0 && <Badge look="alarm">{counts.refused.toLocaleString('en')} with an error</Badge>}
        {counts.incomplete > 0 && <Badge look="grain">{counts.incomplete.toLocaleString('en')} without a value</Badge>}
      </p>
      <Rows title="Values that are not imported" rows={incomplete} />
      <Rows title="Rows that are not imported" rows={problems} />
    </div>
  )
}

function Rows({ title, rows }: { title: string; rows: LeadImportReport['problems'] }) {
  if (rows.length === 0) return null
  return (
    <details className="text-small">
      <summary className="cursor-pointer">{title}</summary>
      <ul className="mt-2 grid gap-1">
        {rows.map(({ line, reason }) => (
          <li key={line}>
            <span className="font-mono text-fine text-muted">Line {line}</span> {reason}
          </li>
        ))}
      </ul>
    </details>
  )
}

function ImportButton({ report: { counts, questions }, busy, send }: { report: LeadImportReport; busy: boolean; send: () => void }) {
  const total = counts.new + counts.known
  const isOpen = questions.some(({ chosen }) => chosen === null)
  return (
    <Button
      type="button"
      className="justify-self-start"
      busy={busy}
      onClick={send}
      {...(isOpen && { unavailable: 'Choose the number and date format first.' })}
      {...(total === 0 && { unavailable: 'No row of this file becomes a lead.' })}
    >
      {busy ? 'Importing...' : `Import ${countOf(total, 'lead', 'leads')}`}
    </Button>
  )
}

const outcomeLabels = { new: 'New', known: 'Known', skipped: 'Skipped', refused: 'Error' } as const
const outcomeLooks = { new: 'leaf', known: 'grain', skipped: 'plain', refused: 'alarm' } as const

/** The first 50 rows. */
function Preview({ report: { heads, columns, preview } }: { report: LeadImportReport }) {
  const shown = heads.flatMap((head, at) => (columns[at] ? [{ head, at }] : []))
  if (preview.length === 0) return null
  return (
    <div
      role="group"
      // It scrolls sideways.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label="Preview of the first rows"
      className="overflow-x-auto rounded-card border border-line bg-surface"
    >
      <table className="w-full text-left text-small">
        <caption className="sr-only">The first rows, and what becomes of them</caption>
        <thead className="bg-sunken text-fine text-muted">
          <tr>
            <th scope="col" className="px-3 py-1.5 font-medium">
              Line
            </th>
            <th scope="col" className="px-3 py-1.5 font-medium">
              Result
            </th>
            {shown.map(({ head, at }) => (
              <th key={at} scope="col" className="px-3 py-1.5 font-medium whitespace-nowrap">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {preview.map(({ line, outcome, reason, cells }) => (
            <tr key={line} className="border-t border-line">
              <td className="px-3 py-1.5 font-mono text-fine text-muted">{line}</td>
              <td className="px-3 py-1.5" title={reason ?? undefined}>
                <Badge look={outcomeLooks[outcome]}>{outcomeLabels[outcome]}</Badge>
              </td>
              {shown.map(({ at }) => (
                <td key={at} className="max-w-60 truncate px-3 py-1.5">
                  {cells[at]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
