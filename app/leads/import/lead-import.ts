import { z } from 'zod/mini'
import { atMost } from '#app/platform/text/clean-text.ts'
import { dateOrders, decimalSigns } from '#app/platform/reading/column-reading.ts'
import { enquiryFactNames, factOf, type ImportedFact, staffFactNames } from '#app/leads/lead/lead-facts.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { otherHeads } from './other-heads.ts'

export const LEAD_IMPORT = '/api/leads/import'
export const LEAD_IMPORTS = '/api/leads/imports'

/** The fields of a file beside the facts. */
const fileFields = {
  firstName: 'First name',
  lastName: 'Last name',
  note: 'Note',
  source: 'Source',
  createdAt: 'Created at',
} as const

export type ImportField = keyof typeof fileFields | ImportedFact

const isImported = (field: string | undefined): field is ImportedFact => field !== undefined

/** The facts that a file can have, by the name of their field. */
export const importedFacts = [...enquiryFactNames, ...staffFactNames].flatMap((name) => {
  const { import: field, label, kind } = factOf(name)
  return isImported(field) ? [{ name, field, label: kind === 'owner' ? `${label} (email)` : label }] : []
})

/** The fields that a column of a file can be, with their labels. */
export const importFields: Record<ImportField, string> = importFieldsOf()

function importFieldsOf(): Record<ImportField, string>
function importFieldsOf(): Record<string, string> {
  return { ...Object.fromEntries(importedFacts.map(({ field, label }) => [field, label])), ...fileFields }
}

const heads = new Map<string, readonly string[]>(Object.entries(otherHeads))

const plain = (head: string) =>
  head
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Whether a head is the name of the field itself. The match of any other head is a suggestion. */
export function isOwnName(head: string, field: ImportField): boolean {
  return [plain(field), plain(importFields[field])].includes(plain(head))
}

/** The field of each column by its head; each field once. */
export function matchColumns(given: readonly string[]): (ImportField | null)[] {
  const taken = new Set<ImportField>()
  const matched = given.map((head) => {
    const name = plain(head)
    const field = importFieldNames.find((each) => !taken.has(each) && (isOwnName(head, each) || heads.get(each)?.includes(name)))
    if (field) taken.add(field)
    return field ?? null
  })
  // Beside a column of first names, `Name` and `Nom` are the last name.
  const isPart = taken.has('firstName') && !taken.has('lastName')
  return matched.map((field) => (field === 'name' && isPart ? 'lastName' : field))
}

/** Whether a file of these columns can name someone: by an address, a phone number or a company. */
export function canReach(columns: readonly (ImportField | null)[]): boolean {
  return (['email', 'phone', 'company'] as const).some((field) => columns.includes(field))
}

const isImportField = (name: string): name is ImportField => name in importFields
export const importFieldNames = Object.keys(importFields).filter(isImportField)

/** The most rows of a file. */
export const IMPORT_MOST = 50_000
/** In characters. */
const FILE_MOST = 15_000_000
export const COLUMNS_MOST = 1000
export const TOO_WIDE = `A file has at most ${numberText(COLUMNS_MOST)} columns.`

export const leadImportBody = z.object({
  text: z
    .string('Choose a CSV file.')
    .check(z.minLength(1, 'The file is empty.'), z.maxLength(FILE_MOST, 'The file is larger than 15 MB. Split it.')),
  title: z.string('Name the file.').check(z.trim(), ...atMost(200, 'The name of the file is too long.')),
  /** The field of each column; without it, the heads decide. */
  columns: z.optional(z.array(z.nullable(z.enum(importFieldNames, 'Unknown field.'))).check(z.maxLength(COLUMNS_MOST, TOO_WIDE))),
  /** For addresses that have a lead already: no other, or one more. */
  known: z._default(z.enum(['skip', 'add'], 'known is skip or add.'), 'skip'),
  /** The sign before the decimals of amounts, where the file itself leaves it open. */
  decimal: z.optional(z.enum(decimalSigns, 'decimal is a dot or a comma.')),
  /** The order of the parts of dates, where the file itself leaves it open. */
  dateOrder: z.optional(z.enum(dateOrders, 'dateOrder is dmy, mdy or ymd.')),
})

export type LeadImportBody = z.infer<typeof leadImportBody>

/** `new` and `known` rows become leads, the others do not. */
const importRow = z.object({
  line: z.number(),
  outcome: z.enum(['new', 'known', 'skipped', 'refused']),
  /** For refused and skipped rows, and for leads without a value that cannot be read. */
  reason: z.nullable(z.string()),
  cells: z.array(z.string()),
})

/** A column with more than one reading. `chosen` is the answer, given as `parameter`. */
const importQuestion = z.object({
  field: z.enum(importFieldNames),
  parameter: z.enum(['decimal', 'dateOrder']),
  text: z.string(),
  readings: z.array(z.object({ value: z.enum([...decimalSigns, ...dateOrders]), reads: z.string() })),
  chosen: z.nullable(z.enum([...decimalSigns, ...dateOrders])),
})

export type ImportQuestion = z.infer<typeof importQuestion>

/** The result of an import, or of a dry run, which stores nothing. */
export const leadImportReport = z.object({
  heads: z.array(z.string()),
  columns: z.array(z.nullable(z.enum(importFieldNames))),
  counts: z.object({ new: z.number(), known: z.number(), skipped: z.number(), refused: z.number(), incomplete: z.number() }),
  questions: z.array(importQuestion),
  /** The first rows. */
  preview: z.array(importRow),
  /** The first rows that do not become leads, with the reason. */
  problems: z.array(importRow),
  /** The first rows that become leads without a value that cannot be read. */
  incomplete: z.array(importRow),
  /** Missing after a dry run. */
  importId: z.nullable(z.string()),
})

export type LeadImportReport = z.infer<typeof leadImportReport>

export const leadImport = z.object({
  id: z.string(),
  title: z.nullable(z.string()),
  leads: z.number(),
  createdAt: z.string(),
  undoneAt: z.nullable(z.string()),
  isUndoable: z.boolean(),
})

export const undoneImport = z.object({ removed: z.number(), left: z.number() })
