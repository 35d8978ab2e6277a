import { countOf } from '#app/ui/amount.ts'
import { cx } from '#app/ui/class-names.ts'
import { Badge, type BadgeLook } from '#app/ui/badge.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { Cell, HeadCell, Table, TableRow } from '#app/ui/table.tsx'

/** A column of the file, and what it can mean. */
export type ImportColumn = {
  head: string
  value: string
  options: readonly { value: string; label: string }[]
  hint?: React.ReactNode
  choose: (value: string) => void
}

/** A value of the file that can be read in several ways, and what each of them makes of it. */
export type ImportQuestion = {
  name: string
  head: string
  text: string
  readings: readonly { value: string; reads: string }[]
  chosen: string | null
  answer: (value: string) => void
}

/** How often an outcome comes: `1 new person`, and what that means. */
export type ImportCount = { text: string; look?: BadgeLook; means?: string }

/** Rows of the file with one outcome. `of` counts them where only the first are listed. */
type ImportRows = { title: string; isOpen?: boolean; rows: readonly ImportedRow[]; of?: number }
type ImportedRow = { key: string; place: string; texts?: readonly string[]; reasons: readonly string[]; badge?: ImportCount }

type ImportPreview = {
  heads: readonly string[]
  rows: readonly { cells: readonly string[]; result?: { line: number; outcome: ImportCount; reason?: string | undefined } }[]
}

/** Everything that a person needs to know of a file before it is imported, and after. */
export type ImportView = {
  /** Above all else: why the file is held or rejected, and how to correct it. */
  lead?: React.ReactNode
  /** Why it cannot be imported yet, where the page says so already. */
  blocked?: string | undefined
  columns?: readonly ImportColumn[]
  /** Columns that seldom need another choice. */
  others?: React.ReactNode
  /** Why the columns are not enough. */
  missing?: string | undefined
  questions?: readonly ImportQuestion[]
  counts: readonly ImportCount[]
  rows: readonly ImportRows[]
  preview?: ImportPreview
  after?: React.ReactNode
}

export function ImportViewParts({ lead, columns, missing, questions, counts, rows, preview, others, after }: ImportView) {
  return (
    <>
      {lead}
      {columns && columns.length > 0 && <ImportColumns columns={columns} missing={missing} />}
      {questions && questions.length > 0 && <ImportQuestions questions={questions} />}
      <p role="status" className="flex flex-wrap gap-x-4 gap-y-1.5 text-small">
        {counts.map(({ text, look, means }) => (
          <span key={text} className="flex flex-wrap items-baseline gap-2">
            <Badge {...(look && { look })}>{text}</Badge>
            {means && <span className="text-muted">{means}</span>}
          </span>
        ))}
      </p>
      {rows.map((each) => each.rows.length > 0 && <RowList key={each.title} {...each} />)}
      {preview && preview.rows.length > 0 && <Preview {...preview} />}
      {others}
      {after}
    </>
  )
}

const box = 'grid grid-cols-1 gap-3 rounded-card border border-line bg-surface p-4'

export function ImportColumns({ columns, missing }: { columns: readonly ImportColumn[]; missing?: string | undefined }) {
  return (
    <fieldset className={box}>
      <legend className="px-1 text-small font-semibold">Columns</legend>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,14rem),1fr))] items-end gap-3">
        {columns.map(({ head, value, options, hint, choose }, at) => (
          <Field
            // oxlint-disable-next-line react/no-array-index-key -- the heads of a file can repeat
            key={`${head} ${at}`}
            label={head || `Column ${at + 1}`}
            name={`column-${at}`}
            hint={hint}
            tool="stacked"
          >
            <Select value={value} onChange={({ target }) => choose(target.value)}>
              {options.map((option) => (
                <option key={option.value} value={option.value}>
                  {option.label}
                </option>
              ))}
            </Select>
          </Field>
        ))}
      </div>
      {missing && (
        <p role="alert" className="text-small font-medium text-alarm">
          {missing}
        </p>
      )}
    </fieldset>
  )
}

/** Amounts and dates that can be read in two ways. */
function ImportQuestions({ questions }: { questions: readonly ImportQuestion[] }) {
  return (
    <fieldset className={cx(box, 'max-w-2xl')}>
      <legend className="px-1 text-small font-semibold">Number and date format</legend>
      {questions.map(({ name, head, text, readings, chosen, answer }) => (
        <Field key={name} label={`“${text}” in the column ${head} means`} name={name} tool="stacked">
          <Select value={chosen ?? ''} onChange={({ target }) => answer(target.value)}>
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

/** Rows listed for one outcome. */
const SHOWN = 200

export function RowList({ title, isOpen = false, rows, of = rows.length }: ImportRows) {
  const shown = rows.slice(0, SHOWN)
  return (
    <details open={isOpen} className="text-small">
      <summary className="min-h-8 cursor-pointer font-semibold">{title}</summary>
      <ul aria-label={title} className="grid gap-2 pt-1">
        {shown.map(({ key, place, texts = [], reasons, badge }) => (
          <li key={key} className="grid gap-0.5 border-l-2 border-line pl-3 wrap-anywhere">
            <span className="flex flex-wrap items-baseline justify-between gap-2">
              <span className={badge ? '' : 'font-mono text-fine text-muted'}>{place}</span>
              {badge && <Badge {...(badge.look && { look: badge.look })}>{badge.text}</Badge>}
            </span>
            {texts.map((text) => (
              <span key={text} className="font-mono text-fine">
                {text}
              </span>
            ))}
            {reasons.map((reason) => (
              <span key={reason}>{reason}</span>
            ))}
          </li>
        ))}
      </ul>
      {of > shown.length && <p className="pt-2 text-muted">{countOf(of - shown.length, 'more is', 'more are')} not listed.</p>}
    </details>
  )
}

/** The first rows of the file, and what becomes of them. */
function Preview({ heads, rows }: ImportPreview) {
  return (
    <Table caption="Preview of the first rows">
      <thead>
        <tr>
          {[...(rows.some(({ result }) => result) ? ['Line', 'Result'] : []), ...heads].map((head, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- the heads of a file can repeat
            <HeadCell key={at}>{head}</HeadCell>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ result, cells }, row) => (
          // oxlint-disable-next-line react/no-array-index-key -- two rules of a configuration can have the same line
          <TableRow key={row}>
            {result && <Cell kind="number">{result.line}</Cell>}
            {result && (
              <Cell title={result.reason}>
                <Badge {...(result.outcome.look && { look: result.outcome.look })}>{result.outcome.text}</Badge>
              </Cell>
            )}
            {cells.map((cell, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- the heads of a file can repeat
              <Cell key={at} className="max-w-60 truncate">
                {cell}
              </Cell>
            ))}
          </TableRow>
        ))}
      </tbody>
    </Table>
  )
}

/** Gives a column a field. Each field has one column. */
export function assignField<Field extends string>(columns: readonly (Field | null)[], at: number, field: Field | null): (Field | null)[] {
  return columns.map((known, each) => (each === at ? field : known === field ? null : known))
}
