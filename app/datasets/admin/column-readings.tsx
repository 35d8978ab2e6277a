import { useState } from 'react'
import type { Column } from '#app/datasets/catalog/column.ts'
import { formatOf } from '#app/datasets/catalog/format.ts'
import { type ColumnOffer, columnReading, type ColumnReading, type StaffVersion } from '#app/datasets/catalog/version.ts'
import { type ImportColumn, ImportColumns, type ImportCount, type ImportQuestion, type ImportView } from '#app/ui/admin/import-view.tsx'
import { countOf } from '#app/ui/amount.ts'
import { numberText } from '#app/platform/text/english-number.ts'

type Choice = ColumnReading | 'automatic'

/** A file on its way to a version, and the answers about it. */
export type Given = {
  file?: File
  /** Of an upload, and of the version that it becomes. */
  id?: string
  /** Its upload has no id yet. */
  isBeginning?: boolean
  changes?: string
  /** Why a version is published in spite of failed checks. */
  reason: string
  choices: Readonly<Record<string, Choice | undefined>>
  /** By the place of the column, from 1. */
  names: Readonly<Record<number, string>>
}

type Change = (given: Given) => void

/** How the columns of a file are read: proposals, questions with each reading of a real value, and any other choice by hand. */
export function columnsOf(version: StaffVersion, given: Given, change: Change): Omit<ImportView, 'lead' | 'after'> {
  const { columns, columnOffers, rows, refusedRows, preview } = version
  const choose = (column: string, choice: Choice | undefined) => change({ ...given, choices: { ...given.choices, [column]: choice } })
  const offers = new Map(columnOffers.map((offer) => [offer.column, offer]))
  const readable = isReadable(version) ? columns.filter(({ type }) => type !== 'list' && type !== 'object') : []
  const listed = (of: readonly Column[]) =>
    of.map((column) => columnOf(column, { version, offer: offers.get(column.name), choice: choiceOf(column.name, version, given), choose }))
  const isAsked = ({ name }: Column) => offers.get(name)?.state === 'open'
  const others = readable.filter(({ name }) => !offers.has(name))
  const count = (state: ColumnOffer['state']) => columnOffers.filter((offer) => offer.state === state).length
  return {
    columns: listed(readable.filter((column) => offers.has(column.name) && !isAsked(column))),
    others: others.length > 0 && <OtherColumns list={() => listed(others)} />,
    questions: readable.filter(isAsked).flatMap(({ name }) => questionOf(offers.get(name), choiceOf(name, version, given), choose)),
    counts: columns.length === 0 ? [] : countsOf({ rows, refusedRows, proposed: count('proposed'), open: count('open') }),
    rows: [],
    preview: {
      heads: columns.map(({ name }) => name),
      rows: preview.map((row) => ({ cells: columns.map(({ name }) => textOf(row[name])) })),
    },
  }
}

/** Parquet has types of its own. A rejected version can be read in another way if it was read before. */
export function isReadable({ state, columns, originalName }: StaffVersion): boolean {
  return columns.length > 0 && (state === 'ready' || state === 'refused') && formatOf(originalName) !== 'parquet'
}

/** The columns that a person wants to be read in another way; without a choice where a question is open. */
export function changedReadings(version: StaffVersion, given: Given): [name: string, choice: Choice | undefined][] {
  if (!isReadable(version)) return []
  return version.columns
    .map(({ name }): [string, Choice | undefined] => [name, choiceOf(name, version, given)])
    .filter(([name, choice]) => choice !== currentChoice(name, version))
}

/** Columns with a type of their own. There can be two thousand of them. */
function OtherColumns({ list }: { list: () => ImportColumn[] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)} className="text-small">
      <summary className="min-h-8 cursor-pointer font-semibold">Other columns</summary>
      {isOpen && <ImportColumns columns={list()} />}
    </details>
  )
}

function currentChoice(name: string, { columnReadings }: StaffVersion): Choice {
  return columnReadings[name] ?? 'automatic'
}

/** A proposal is chosen, a question is open. */
function choiceOf(name: string, version: StaffVersion, { choices }: Given): Choice | undefined {
  const offer = version.columnOffers.find(({ column }) => column === name)
  if (Object.hasOwn(choices, name)) return choices[name]
  if (offer?.state === 'open') return undefined
  return offer?.state === 'proposed' ? offer.readings[0]?.reading : currentChoice(name, version)
}
const labels: Record<ColumnReading, string> = {
  text: 'Text',
  decimal_point: 'Number, as 1,234.56',
  decimal_comma: 'Number, as 1.234,56',
  day_first: 'Date, day first',
  month_first: 'Date, month first',
  year_first: 'Date, year first',
  yes_no: 'Yes or no',
}

type Chosen = {
  version: StaffVersion
  offer: ColumnOffer | undefined
  choice: Choice | undefined
  choose: (column: string, choice: Choice | undefined) => void
}

function columnOf({ name, type }: Column, { version, offer, choice, choose }: Chosen): ImportColumn {
  const automatic = currentChoice(name, version) === 'automatic' ? `Automatic: ${type}` : 'Automatic'
  const readings = offer?.readings ?? []
  return {
    head: name,
    value: choice ?? '',
    options: [
      { value: 'automatic', label: automatic },
      { value: 'text', label: labels.text },
      ...readings.map(({ reading, misfits }) => ({
        value: reading,
        label: labels[reading] + (misfits > 0 ? `, ${numberText(misfits)} do not fit` : ''),
      })),
    ],
    hint: offer && hintOf(offer, choice),
    choose: (value) => choose(name, columnReading.safeParse(value).data ?? 'automatic'),
  }
}

/** A preview of the chosen type on one value, and the values that do not fit it. */
function hintOf({ state, text, readings }: ColumnOffer, choice: Choice | undefined): string | undefined {
  const chosen = readings.find(({ reading }) => reading === choice)
  if (!chosen) return undefined
  const { reads, misfits, values, examples } = chosen
  const means = reads === null ? '' : `${state === 'proposed' ? 'Proposed: ' : ''}“${text}” is ${reads}.`
  if (misfits === 0) return means
  const such = examples.length > 0 ? `, such as ${examples.map((example) => `“${example}”`).join(' and ')}` : ''
  return `${means} ${numberText(misfits)} of ${countOf(values, 'value does', 'values do')} not fit${such}. Their rows would be rejected.`
}

/** The most values that do not fit, where a reading is asked about. */
const MOST_MISFITS = 0.01

function questionOf(offer: ColumnOffer | undefined, choice: Choice | undefined, choose: Chosen['choose']): ImportQuestion[] {
  if (!offer) return []
  const { column, text, readings } = offer
  const fitting = readings.filter(({ misfits, values }) => misfits <= values * MOST_MISFITS)
  return [
    {
      name: `reading-${column}`,
      head: column,
      text,
      readings: [
        ...fitting.flatMap(({ reading, reads }) => (reads === null ? [] : [{ value: reading, reads: `${reads} (${labels[reading]})` }])),
        { value: 'text', reads: 'Keep it as text' },
      ],
      chosen: choice ?? null,
      answer: (value) => choose(column, columnReading.safeParse(value).data),
    },
  ]
}

type Counted = { rows: number; refusedRows: number; proposed: number; open: number }

function countsOf({ rows, refusedRows, proposed, open }: Counted): ImportCount[] {
  return [
    { text: countOf(rows, 'row', 'rows'), look: 'leaf' },
    ...(refusedRows > 0 ? [{ text: `${numberText(refusedRows)} rejected`, look: 'alarm' as const }] : []),
    ...(proposed > 0 ? [{ text: countOf(proposed, 'proposal', 'proposals'), look: 'grain' as const }] : []),
    ...(open > 0 ? [{ text: countOf(open, 'question', 'questions'), look: 'grain' as const }] : []),
  ]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value)
}
