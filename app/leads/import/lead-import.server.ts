import { setImmediate as pause } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import { currentAccounts } from '#app/auth/users/account.server.ts'
import { companyOf } from '#app/leads/contact.server.ts'
import { contactEmail } from '#app/leads/contact.ts'
import { MOST_TAGS } from '#app/leads/desk/desk.ts'
import { enquiryLimits } from '#app/leads/enquiry-limits.ts'
import { slowPartOf } from '#app/leads/note-markdown.server.ts'
import { listStages } from '#app/leads/stage.server.ts'
import type { LeadStage } from '#app/leads/stage.ts'
import { manyLines, oneLine } from '#app/platform/clean-text.ts'
import { db } from '#app/platform/database/db.server.ts'
import { condition } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/stop.ts'
import { IMPORT_MOST, type LeadImportBody, type ImportField, type LeadImportReport, matchColumns } from './lead-import.ts'

const PREVIEW = 50
const PROBLEMS = 100
/** Other requests have their turn after so many rows. */
const PAUSE_ROWS = 500

/** A row of the file as a lead. */
export type ImportedLead = {
  line: number
  isKnown: boolean
  name: string
  email: string
  company: string | null
  phone: string | null
  country: string
  serviceType: string | null
  problem: string
  message: string
  valueCents: number | null
  stageId: number
  ownerId: string | null
  tags: string[]
  nextStep: string | null
  note: string | null
  createdAt: Date
}

type Row = LeadImportReport['preview'][number]
type Judged = Row & { lead: ImportedLead | undefined }

/** Reads the file, and says of each row what becomes of it. Nothing is stored. */
export async function readImport({
  text,
  columns: given,
  known,
}: LeadImportBody): Promise<{ report: LeadImportReport; leads: ImportedLead[] }> {
  const [heads = [], ...records] = parseFile(text)
  if (records.length > IMPORT_MOST) refuse(`A file has at most ${IMPORT_MOST.toLocaleString('en')} rows. Split it.`)
  const columns = heads.map((_head, at) => (given ?? matchColumns(heads))[at] ?? null)
  if (!columns.includes('email')) return { report: reportOf(heads, columns, []), leads: [] }
  const surroundings = await surroundingsOf(records, columns)
  const seen = new Set<string>()
  const rows: Judged[] = []
  for (const [at, cells] of records.entries()) {
    rows.push(judge(cells, { line: at + 2, columns, known, seen, ...surroundings }))
    if (at % PAUSE_ROWS === 0) await pause()
  }
  return { report: reportOf(heads, columns, rows), leads: rows.flatMap(({ lead }) => lead ?? []) }
}

function parseFile(text: string): string[][] {
  const [head = ''] = text.split('\n', 1)
  const delimiter = [',', ';', '\t'].toSorted((one, other) => head.split(other).length - head.split(one).length)[0] ?? ','
  try {
    const rows: unknown = parse(text, {
      bom: true,
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: 1_000_000,
    })
    return z.array(z.array(z.string())).parse(rows)
  } catch (error) {
    return refuse(`The file is not valid CSV: ${error instanceof Error ? error.message : 'it could not be read'}`)
  }
}

function refuse(sentence: string): never {
  stop('unprocessable', sentence, { code: 'validation_failed', errors: { text: sentence } })
}

type Surroundings = { stages: LeadStage[]; owners: Map<string, string>; addresses: Set<string> }

/** The pipeline, the staff by address, and the addresses of the file that have a lead already. */
async function surroundingsOf(records: string[][], columns: (ImportField | null)[]): Promise<Surroundings> {
  const at = columns.indexOf('email')
  const emails = [...new Set(records.map((cells) => (cells[at] ?? '').trim().toLowerCase()).filter(Boolean))]
  const staff = await currentAccounts().select(['id', 'email']).where('role', 'in', ['staff', 'owner']).limit(1000).execute()
  const rows = await db
    .selectFrom('contacts')
    .select('email')
    .distinct()
    .where('deletedAt', 'is', null)
    .where(condition`email = ANY(${emails}::citext[])`)
    .execute()
  return {
    stages: await listStages(),
    owners: new Map(staff.flatMap(({ id, email }) => (email ? [[email.toLowerCase(), id] as const] : []))),
    addresses: new Set(rows.map(({ email }) => email.toLowerCase())),
  }
}

type Judging = Surroundings & { line: number; columns: (ImportField | null)[]; known: LeadImportBody['known']; seen: Set<string> }

const address = z.object({ email: contactEmail('This is not an email address.') })

function judge(cells: string[], { line, columns, known, seen, ...surroundings }: Judging): Judged {
  const valueOf = (field: ImportField) => (columns.includes(field) ? (cells[columns.indexOf(field)] ?? '') : '')
  const row = { line, cells }
  const read = address.safeParse({ email: oneLine(valueOf('email')) })
  if (!read.success) return { ...row, outcome: 'refused', reason: 'The email address is missing or wrong.', lead: undefined }
  const email = read.data.email
  const key = email.toLowerCase()
  const isKnown = surroundings.addresses.has(key) || seen.has(key)
  if (isKnown && known === 'skip')
    return {
      ...row,
      outcome: 'skipped',
      reason: seen.has(key) ? 'This address is in the file more than once.' : 'This address has a lead already.',
      lead: undefined,
    }
  const lead = leadOf(valueOf, { line, email, isKnown, ...surroundings })
  if (typeof lead === 'string') return { ...row, outcome: 'refused', reason: lead, lead: undefined }
  seen.add(key)
  return { ...row, outcome: isKnown ? 'known' : 'new', reason: null, lead }
}

type Made = Surroundings & { line: number; email: string; isKnown: boolean }

/** The lead of a row, or the reason why it is none. */
function leadOf(valueOf: (field: ImportField) => string, { line, email, isKnown, stages, owners }: Made): ImportedLead | string {
  const text = (field: ImportField, most: number) => cut(oneLine(valueOf(field)), most)
  const stage = stageOf(text('stage', 200), stages)
  if (!stage) return `There is no stage called ${text('stage', 40)}.`
  const owner = text('owner', 320).toLowerCase()
  if (owner && !owners.has(owner)) return `${owner} is not the address of a member of staff.`
  const valueCents = centsOf(text('value', 40))
  if (valueCents === undefined) return `${text('value', 40)} is not an amount.`
  const createdAt = momentOf(text('createdAt', 60))
  if (!createdAt) return `${text('createdAt', 60)} is not a date.`
  const note = cut(manyLines(valueOf('note')), 10_000)
  const unrenderable = note && slowPartOf(note)
  if (unrenderable) return unrenderable
  const names = [text('firstName', 60), text('lastName', 60)].filter(Boolean).join(' ')
  return {
    line,
    email,
    isKnown,
    name: (text('name', enquiryLimits.name) || names || email).slice(0, enquiryLimits.name),
    company: text('company', enquiryLimits.company) || companyOf(email),
    phone: text('phone', 40) || null,
    country: text('country', enquiryLimits.country) || 'Unknown',
    serviceType: text('serviceType', 200) || null,
    problem: text('problem', enquiryLimits.problem) || 'Imported lead',
    message: cut(manyLines(valueOf('message')), enquiryLimits.message) || 'Imported from another program.',
    valueCents,
    stageId: stage.id,
    ownerId: owners.get(owner) ?? null,
    tags: tagsOf(text('tags', 1000)),
    nextStep: text('nextStep', 200) || null,
    note: note || null,
    createdAt,
  }
}

function stageOf(name: string, stages: LeadStage[]): LeadStage | undefined {
  return name === '' ? stages[0] : stages.find((stage) => stage.name.toLowerCase() === name.toLowerCase())
}

function centsOf(text: string): number | null | undefined {
  if (text === '') return null
  const amount = Number(
    text
      .replaceAll(/[^\d.,-]/g, '')
      .replaceAll(/,(?=\d{3}\b)/g, '')
      .replace(',', '.'),
  )
  return Number.isFinite(amount) && amount >= 0 && amount <= 1e10 && /\d/.test(text) ? Math.round(amount * 100) : undefined
}

/** A date of the past; without one, now. */
function momentOf(text: string): Date | undefined {
  if (text === '') return new Date()
  const date = new Date(text)
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1970 || date.getTime() > Date.now() + 86_400_000 ? undefined : date
}

function tagsOf(text: string): string[] {
  const tags = text.split(/[,;|]/).map((tag) => cut(tag.trim(), 40))
  return [...new Set(tags.filter(Boolean))].slice(0, MOST_TAGS)
}

/** At most so many units of UTF-16, and never half of a character: the database cannot store it. */
function cut(text: string, most: number): string {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
}

function reportOf(heads: string[], columns: (ImportField | null)[], rows: Judged[]): LeadImportReport {
  const count = (outcome: Row['outcome']) => rows.filter((row) => row.outcome === outcome).length
  const shown = ({ lead: _lead, ...row }: Judged): Row => ({ ...row, cells: row.cells.map((text) => text.slice(0, 200)) })
  return {
    heads,
    columns,
    counts: { new: count('new'), known: count('known'), skipped: count('skipped'), refused: count('refused') },
    preview: rows.slice(0, PREVIEW).map(shown),
    problems: rows
      .filter(({ lead }) => !lead)
      .slice(0, PROBLEMS)
      .map(shown),
    importId: null,
  }
}
