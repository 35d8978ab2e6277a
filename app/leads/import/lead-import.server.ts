import { setImmediate as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import { currentAccounts } from '#app/auth/users/account.server.ts'
import { companyOf } from '#app/leads/form/contact.server.ts'
import { contactEmail } from '#app/leads/lead/contact.ts'
import { SPECIAL_LETTERS } from '#app/platform/text/email-address.ts'
import { MOST_TAGS } from '#app/leads/lead/fact-value.ts'
import { asStaffFacts, asStoredEnquiry, factOf, type StaffFacts, type StoredEnquiry } from '#app/leads/lead/lead-facts.ts'
import { enquiryLimits } from '#app/leads/lead/enquiry-limits.ts'
import { slowPartOf } from '#app/leads/lead/note-markdown.server.ts'
import { FEWEST_DIGITS, phoneDigits } from '#app/leads/record/duplicate.server.ts'
import { listStages } from '#app/leads/lead/stage.server.ts'
import type { LeadStage } from '#app/leads/lead/stage.ts'
import { manyLines, oneLine } from '#app/platform/text/clean-text.ts'
import { type Database, db, type Trx } from '#app/platform/database/db.server.ts'
import { queryRows } from '#app/platform/database/sql.server.ts'
import { longDay } from '#app/platform/time/english-date.ts'
import { type CsvRow, readForeignCsv } from '#app/platform/tables/foreign-csv.server.ts'
import { dateOrders, decimalSigns, readColumn } from '#app/platform/reading/column-reading.ts'
import { dateReadings } from '#app/platform/reading/written-date.ts'
import { stop } from '#app/platform/errors/stop.ts'
import {
  canReach,
  COLUMNS_MOST,
  IMPORT_MOST,
  importedFacts,
  type ImportField,
  type ImportQuestion,
  type LeadImportBody,
  type LeadImportReport,
  matchColumns,
  TOO_WIDE,
} from './lead-import.ts'
import { amountReadings } from '#app/leads/lead/written-amount.ts'
import { numberText } from '#app/platform/text/english-number.ts'

const PREVIEW = 50
const PROBLEMS = 100
const FIRST_YEAR = 1970
const DAY = 86_400_000
/** Other requests have their turn after so many rows. */
const PAUSE_ROWS = 100

/** A row of the file as a lead. */
export type ImportedLead = {
  line: number
  /** How its person is recognized. */
  key: string | undefined
  isKnown: boolean
  enquiry: StoredEnquiry
  work: StaffFacts
  note: string | null
  source: string | null
  createdAt: Date
}

type Row = LeadImportReport['preview'][number]
type Judged = Row & { lead: ImportedLead | undefined }

/** Reads the file, and says of each row what becomes of it. Nothing is stored. */
export async function readImport(body: LeadImportBody): Promise<{ report: LeadImportReport; leads: ImportedLead[] }> {
  const [{ cells: heads } = { cells: [] }, ...records] = await readRows(body.text)
  if (!heads) refuse('A quotation mark in the first row is not closed.')
  if (heads.length > COLUMNS_MOST) refuse(TOO_WIDE)
  const chosen = body.columns ?? matchColumns(heads)
  const columns = heads.map((_head, at) => chosen[at] ?? null)
  const written = writtenIn(records, columns, body)
  if (!canReach(columns)) return { report: reportOf(heads, columns, [], written.questions), leads: [] }
  const surroundings = await surroundingsOf(records, columns)
  const seen = new Set<string>()
  const rows: Judged[] = []
  for (const [at, record] of records.entries()) {
    rows.push(judge(record, { columns, repeated: body.known, seen, written, ...surroundings }))
    if (at % PAUSE_ROWS === 0) await pause()
  }
  return { report: reportOf(heads, columns, rows, written.questions), leads: rows.flatMap(({ lead }) => lead ?? []) }
}

/** The head and the rows of a file. */
async function readRows(text: string): Promise<CsvRow[]> {
  // A workbook or a picture.
  if (text.includes('\0')) refuse('This is not a CSV file. Save your sheet as CSV, and choose that file.')
  const rows: CsvRow[] = []
  for (const row of readForeignCsv(text)) {
    if (rows.length > IMPORT_MOST) refuse(`A file has at most ${numberText(IMPORT_MOST)} rows. Split it.`)
    rows.push(row)
    if (rows.length % PAUSE_ROWS === 0) await pause()
  }
  return rows
}

type Written = {
  amount: (text: string) => number | 'open' | undefined
  date: (text: string) => Date | 'open' | undefined
  questions: ImportQuestion[]
}

/** How amounts and dates are written, decided from their whole columns. What these leave open is a question. */
function writtenIn(records: CsvRow[], columns: (ImportField | null)[], { decimal, dateOrder }: LeadImportBody): Written {
  const textsOf = (field: ImportField) => (columns.includes(field) ? records.map(({ cells }) => cells?.[columns.indexOf(field)] ?? '') : [])
  const amounts = readColumn(textsOf('value'), { ways: decimalSigns, readingsOf: amountReadings }, decimal)
  const dates = readColumn(textsOf('createdAt'), { ways: dateOrders, readingsOf: dateReadings }, dateOrder)
  const amountText = (amount: number) => amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const questions: ImportQuestion[] = []
  if (amounts.doubt)
    questions.push({
      field: 'value',
      parameter: 'decimal',
      text: amounts.doubt.text,
      readings: decimalSigns.flatMap((value) => {
        const amount = amounts.doubt?.readings[value]
        return amount === undefined ? [] : { value, reads: amountText(amount) }
      }),
      chosen: decimal ?? null,
    })
  if (dates.doubt)
    questions.push({
      field: 'createdAt',
      parameter: 'dateOrder',
      text: dates.doubt.text,
      readings: dateOrders.flatMap((value) => {
        const date = dates.doubt?.readings[value]
        return date === undefined ? [] : { value, reads: longDay(date) }
      }),
      chosen: dateOrder ?? null,
    })
  return { amount: amounts.read, date: dates.read, questions }
}

function refuse(sentence: string): never {
  stop('unprocessable', sentence, { code: 'validation_failed', errors: { text: sentence } })
}

type Surroundings = { stages: LeadStage[]; owners: Map<string, string>; known: Set<string> }

type Reach = { email: string; phone: string; name: string; company: string }

const CHUNK = 1000

/** The pipeline, the staff by address, and the people of the file who have a lead already. */
async function surroundingsOf(records: CsvRow[], columns: (ImportField | null)[]): Promise<Surroundings> {
  const staff = await currentAccounts().select(['id', 'email']).where('role', 'in', ['staff', 'owner']).limit(1000).execute()
  const keys = new Set(records.flatMap(({ cells }) => (cells ? (keyOf(reachOf((field) => cellOf(cells, columns, field))) ?? []) : [])))
  return {
    stages: await listStages(),
    owners: new Map(staff.flatMap(({ id, email }) => (email ? [[email.toLowerCase(), id] as const] : []))),
    known: await findKnown(db, [...keys]),
  }
}

/** Those of the keys that have a lead. */
export async function findKnown(database: Database | Trx, keys: string[]): Promise<Set<string>> {
  const known = new Set<string>()
  for (let start = 0; start < keys.length; start += CHUNK) {
    for (const { key } of await queryRows(database, { key: z.string() }, keysWithLead(keys.slice(start, start + CHUNK)))) known.add(key)
  }
  return known
}

function cellOf(cells: string[], columns: (ImportField | null)[], field: ImportField): string {
  return columns.includes(field) ? (cells[columns.indexOf(field)] ?? '') : ''
}

function reachOf(valueOf: (field: ImportField) => string): Reach {
  const names = [oneLine(valueOf('firstName')), oneLine(valueOf('lastName'))].filter(Boolean).join(' ')
  return {
    email: oneLine(valueOf('email')),
    phone: oneLine(valueOf('phone')),
    name: oneLine(valueOf('name')) || names,
    company: oneLine(valueOf('company')),
  }
}

/** How the person of a row is recognized: by the address, else by the phone number, else by the name with the company. */
function keyOf({ email, phone, name, company }: Reach): string | undefined {
  if (email) return `address ${email.toLowerCase()}`
  const digits = phone.replaceAll(/\D/g, '')
  if (digits.length >= FEWEST_DIGITS) return `phone ${digits.slice(-9)}`
  return company ? `name ${(name || company).toLowerCase()}\n${company.toLowerCase()}` : undefined
}

/** Those of the keys that a lead has. The expressions are those of the indexes. */
function keysWithLead(keys: string[]) {
  const of = (kind: string) => keys.filter((key) => key.startsWith(`${kind} `)).map((key) => key.slice(kind.length + 1))
  return sql`
    SELECT 'address ' || lower(email::text) AS key FROM contacts WHERE deleted_at IS NULL AND email = ANY(${of('address')}::citext[])
    UNION SELECT 'phone ' || ${phoneDigits} FROM leads WHERE is_listed AND phone IS NOT NULL AND ${phoneDigits} = ANY(${of('phone')}::text[])
    UNION SELECT 'name ' || lower(name) || chr(10) || lower(company) FROM contacts
      JOIN unnest(${of('name')}::text[]) AS given (key) ON lower(name) = split_part(given.key, chr(10), 1) AND lower(company) = split_part(given.key, chr(10), 2)
      WHERE company IS NOT NULL AND quarantined_at IS NULL AND deleted_at IS NULL`
}

type Judging = Surroundings & { columns: (ImportField | null)[]; repeated: LeadImportBody['known']; seen: Set<string>; written: Written }

const address = z.object({ email: contactEmail('This is not an email address.') })

function judge({ line, text, cells }: CsvRow, { columns, repeated, seen, ...surroundings }: Judging): Judged {
  if (!cells) return { line, cells: [text], outcome: 'refused', reason: 'A quotation mark in this row is not closed.', lead: undefined }
  const valueOf = (field: ImportField) => cellOf(cells, columns, field)
  const row = { line, cells }
  const reach = reachOf(valueOf)
  const wrong = wrongReach(reach)
  if (wrong) return { ...row, outcome: 'refused', reason: wrong, lead: undefined }
  const key = keyOf(reach)
  const isKnown = key !== undefined && (surroundings.known.has(key) || seen.has(key))
  if (isKnown && repeated === 'skip') return { ...row, outcome: 'skipped', reason: reasonToSkip(reach, seen.has(key)), lead: undefined }
  const missing: string[] = []
  const lead = leadOf(valueOf, { line, reach, key, isKnown, missing, ...surroundings })
  if (typeof lead === 'string') return { ...row, outcome: 'refused', reason: lead, lead: undefined }
  if (key) seen.add(key)
  return { ...row, outcome: isKnown ? 'known' : 'new', reason: missing.join(' ') || null, lead }
}

/** Why nobody can be reached by a row. */
function wrongReach({ email, phone, company }: Reach): string | undefined {
  if (email === '') return phone || company ? undefined : 'The email address is missing, and so are phone number and company.'
  const { error } = address.safeParse({ email })
  if (!error) return undefined
  return error.issues[0]?.message === SPECIAL_LETTERS ? `${SPECIAL_LETTERS}.` : 'The email address is wrong.'
}

function reasonToSkip({ email, phone }: Reach, isInFile: boolean): string {
  const what = email
    ? 'This address'
    : phone.replaceAll(/\D/g, '').length >= FEWEST_DIGITS
      ? 'This phone number'
      : 'This name with its company'
  return isInFile ? `${what} is in the file more than once.` : `${what} has a lead already.`
}

/** `missing` takes sentences about values that the lead is stored without. */
type Made = Surroundings & { line: number; reach: Reach; key: string | undefined; isKnown: boolean; written: Written; missing: string[] }

/** The lead of a row, or the reason why it is none. */
function leadOf(
  valueOf: (field: ImportField) => string,
  { line, reach: { email, phone, name, company }, key, isKnown, stages, owners, written, missing }: Made,
): ImportedLead | string {
  const text = (field: ImportField, most: number) => cut(oneLine(valueOf(field)), most)
  const stage = stageOf(text('stage', 200), stages)
  if (!stage) return `There is no stage called ${text('stage', 40)}.`
  const owner = text('owner', 320).toLowerCase()
  if (owner && !owners.has(owner)) return `${owner} is not the address of a member of staff.`
  const amount = text('value', 40) === '' ? 'open' : written.amount(valueOf('value'))
  if (amount === undefined) missing.push(`“${text('value', 40)}” is not a clear amount, so the lead has no value.`)
  const date = text('createdAt', 60) === '' ? 'open' : written.date(valueOf('createdAt'))
  const isPast = date instanceof Date && isPastMoment(date)
  if (date !== 'open' && !isPast)
    missing.push(`“${text('createdAt', 60)}” is not a clear date of the past, so the lead has that of the import.`)
  const note = cut(manyLines(valueOf('note')), 10_000)
  const unrenderable = note && slowPartOf(note)
  if (unrenderable) return unrenderable
  const texts = Object.fromEntries(importedTexts.map(({ name, field, most }) => [name, text(field, most) || null]))
  return {
    line,
    key,
    isKnown,
    enquiry: asStoredEnquiry({
      ...texts,
      email,
      name: cut(name || email || company || phone, enquiryLimits.name),
      company: texts['company'] ?? companyOf(email),
      country: texts['country'] ?? 'Unknown',
      problem: texts['problem'] ?? 'Imported lead',
      message: cut(manyLines(valueOf('message')), enquiryLimits.message) || 'Imported from another program.',
      form: 'import',
    }),
    work: asStaffFacts({
      ...texts,
      stageId: stage.id,
      ownerId: owners.get(owner),
      valueCents: typeof amount === 'number' ? Math.round(amount * 100) : null,
      tags: tagsOf(text('tags', 1000)),
    }),
    note: note || null,
    source: text('source', 100) || null,
    createdAt: isPast ? date : new Date(),
  }
}

/** Whether a lead can have come in then. */
function isPastMoment(date: Date): boolean {
  return date.getUTCFullYear() >= FIRST_YEAR && date.getTime() <= Date.now() + DAY
}

/** The facts whose column is taken as it is written. */
const importedTexts = importedFacts.flatMap(({ name, field }) => {
  const { most } = factOf(name)
  return most === undefined ? [] : [{ name, field, most }]
})

function stageOf(name: string, stages: LeadStage[]): LeadStage | undefined {
  return name === '' ? stages[0] : stages.find((stage) => stage.name.toLowerCase() === name.toLowerCase())
}

function tagsOf(text: string): string[] {
  const tags = text.split(/[,;|]/).map((tag) => cut(tag.trim(), 40))
  return [...new Set(tags.filter(Boolean))].slice(0, MOST_TAGS)
}

/** At most so many units of UTF-16, and never half of a character: the database cannot store it. */
function cut(text: string, most: number): string {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
}

function reportOf(heads: string[], columns: (ImportField | null)[], rows: Judged[], questions: ImportQuestion[]): LeadImportReport {
  const count = (outcome: Row['outcome']) => rows.filter((row) => row.outcome === outcome).length
  const shown = ({ lead: _lead, ...row }: Judged): Row => ({ ...row, cells: row.cells.map((text) => text.slice(0, 200)) })
  const incomplete = rows.filter(({ lead, reason }) => lead && reason)
  return {
    heads,
    columns,
    counts: {
      new: count('new'),
      known: count('known'),
      skipped: count('skipped'),
      refused: count('refused'),
      incomplete: incomplete.length,
    },
    questions,
    preview: rows.slice(0, PREVIEW).map(shown),
    problems: rows
      .filter(({ lead }) => !lead)
      .slice(0, PROBLEMS)
      .map(shown),
    incomplete: incomplete.slice(0, PROBLEMS).map(shown),
    importId: null,
  }
}
