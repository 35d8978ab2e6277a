import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { condition } from '#app/platform/database/sql.server.ts'
import { factOf, type FactKind, type LeadFact, type LeadFactName, leadFactNames, staffFactNames } from './lead-facts.ts'

/** In queries, `lead` is a row of `leads` and `contact` its enquiry. */
type Table = 'lead' | 'contact'

const isOfStaff = (name: LeadFactName) => staffFactNames.some((staff) => staff === name)

/** The enquiry's facts that `leads` has a copy of, so that a filter needs no other table. */
const copied: ReadonlySet<LeadFactName> = new Set(['country', 'serviceType', 'form'])

export const tableOf = (name: LeadFactName): Table => (isOfStaff(name) ? 'lead' : 'contact')
export const columnOf = (name: LeadFactName, table = tableOf(name)) => sql.ref(`${table}.${name}`)

/** A list shows the beginning of a long text. */
const LISTED_CHARACTERS = 300

/** All facts, as they are or for the rows of a list. */
export const factColumns = ({ isList }: { isList: boolean }) =>
  sql.join(
    leadFactNames.map((name) => {
      const column = columnOf(name)
      return isList && factOf(name).kind === 'long' ? sql`left(${column}, ${sql.lit(LISTED_CHARACTERS)}) AS ${sql.id(name)}` : column
    }),
  )

const storedTime = z
  .date()
  .nullable()
  .transform((at) => at?.toISOString() ?? null)

/** The schema of a row with these facts: the database has times as dates. */
export function rowOf<Facts extends Record<string, LeadFact>>(facts: Facts): { [Name in keyof Facts]: Facts[Name]['stored'] }
export function rowOf(facts: Record<string, LeadFact>) {
  return Object.fromEntries(Object.entries(facts).map(([name, { kind, stored }]) => [name, kind === 'moment' ? storedTime : stored]))
}

const types: Record<FactKind, string> = {
  text: 'text',
  long: 'text',
  tel: 'text',
  email: 'text',
  choice: 'text',
  money: 'bigint',
  moment: 'timestamptz',
  flag: 'boolean',
  stage: 'integer',
  owner: 'uuid',
  tags: 'text[]',
}

/** The type of the column of a fact. */
export const typeOf = (name: LeadFactName) => sql.raw(types[factOf(name).kind])

/** Sets the columns of facts. An empty text and none are the same. */
export const assigned = (values: [LeadFactName, unknown][]) =>
  sql.join(values.map(([name, value]) => sql`${sql.ref(name)} = ${value === '' ? null : value}::${typeOf(name)}`))

/** The table that a filter by a fact reads. */
export const filteredTable = (name: LeadFactName): Table => (copied.has(name) ? 'lead' : tableOf(name))

const isNullable = (name: LeadFactName) => factOf(name).stored.safeParse(null).success

/** The value of a text in any case, as the indexes have it. */
const anyCase = (name: LeadFactName, table: Table) => {
  const column = factOf(name).kind === 'email' ? sql`${columnOf(name, table)}::text` : columnOf(name, table)
  return sql`(lower(${isNullable(name) ? sql`coalesce(${column}, '')` : column}) COLLATE "C")`
}

export function matchesPart(name: LeadFactName, text: string): RawBuilder<boolean> {
  return condition`${columnOf(name, filteredTable(name))}::text ILIKE ${partOf(text)}`
}

export function matchesWhole(name: LeadFactName, text: string): RawBuilder<boolean> {
  return condition`${anyCase(name, filteredTable(name))} = lower(${text})`
}

export function partOf(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

type FactOrder = { of: Table; key: RawBuilder<unknown>; type: 'timestamptz' | 'text' | 'bigint' }

/** The order by a fact. Empty values come last in the order that people want: the largest value, the next due time. */
export function orderOf(name: LeadFactName): FactOrder {
  const { kind } = factOf(name)
  const of = name === 'country' ? 'lead' : tableOf(name)
  if (kind === 'money') return { of, key: sql`coalesce(${columnOf(name)}, -1)`, type: 'bigint' }
  if (kind === 'moment') return { of, key: sql`coalesce(${columnOf(name)}, 'infinity'::timestamptz)`, type: 'timestamptz' }
  return { of, key: anyCase(name, of), type: 'text' }
}
