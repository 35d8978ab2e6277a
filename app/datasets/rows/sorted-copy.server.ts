import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Filter, FilterOperator, RowChoice } from '#app/datasets/catalog/column.ts'
import { findDerived, listDerived, makeDerived } from '#app/platform/storage/derived-file.server.ts'
import { engineSignal, identifier, literal, queryDuckdb } from './engine.server.ts'
import { PARQUET, PLACE } from './layout.ts'
import { describeParquet, type Source } from './parquet-file.server.ts'
import type { WrittenVersion } from './pieces.server.ts'

/** Fewer rows are searched as fast without a copy. */
const COPIED_FROM = 100_000
/** How often a choice is made before a copy is made for it. */
const ASKED_BEFORE = 2
const MOST_KNOWN = 500
/** A value of one column, compressed, on average. */
const VALUE_BYTES = 16

const EQUAL = new Set<FilterOperator>(['eq', 'in'])
const BOUNDED = new Set<FilterOperator>(['gt', 'gte', 'lt', 'lte'])

type Copy = { name: string; columns: ReadonlySet<string> }

const NONE: Copy = { name: '', columns: new Set() }

/** By the first part of their names, with the columns of each. */
const copies = new LRUCache<string, Copy>({ max: MOST_KNOWN })
const asked = new LRUCache<string, number>({ max: MOST_KNOWN })

/**
 * A copy of the columns that a choice filters and sorts by, sorted by the one that leaves the fewest rows, so its blocks can be skipped.
 * It stores the position of each row under the name that the engine gives it in the version's file: the same query finds the same
 * rows in both. Undefined while there is none; one is made in the background when such a choice is made again.
 */
export async function sortedCopy(version: WrittenVersion, source: Source, choice: RowChoice): Promise<Source | undefined> {
  const lead = leadOf(version, choice)
  if (version.rows < COPIED_FROM || lead === undefined) return undefined
  const names = new Set([lead, ...choice.filters.map(({ column }) => column), ...(choice.sort ? [choice.sort.column] : [])])
  if (source.columns.some(({ name, type }) => names.has(name) && (type === 'list' || type === 'object'))) return undefined
  const start = `${version.id}-by-${digest(lead)}-`
  const copy = copies.get(start) ?? (await findCopy(start))
  copies.set(start, copy)
  if (names.isSubsetOf(copy.columns)) {
    const file = await findDerived(copy.name)
    if (file) return { ...source, from: `read_parquet(${literal(file)})` }
    copies.delete(start)
  }
  const times = (asked.get(start) ?? 0) + 1
  asked.set(start, times)
  if (times >= ASKED_BEFORE) void make(version, source, start, [...names.union(copy.columns)])
  return undefined
}

/** The column with the most different values of those that must equal something, else the one to sort by, else one with a bound. */
function leadOf({ columns }: WrittenVersion, { filters, sort }: RowChoice): string | undefined {
  const distinct = ({ column }: Filter) => columns.find(({ name }) => name === column)?.distinct ?? 0
  const [finest] = filters.filter(({ operator }) => EQUAL.has(operator)).toSorted((one, other) => distinct(other) - distinct(one))
  return finest?.column ?? sort?.column ?? filters.find(({ operator }) => BOUNDED.has(operator))?.column
}

/** Of several with the same order, the one with the most columns: others are older. */
async function findCopy(start: string): Promise<Copy> {
  const found: Copy[] = []
  for (const name of await listDerived(start)) {
    const file = await findDerived(name)
    const columns = file && (await describeParquet(`read_parquet(${literal(file)})`))
    if (columns) found.push({ name, columns: new Set(columns.keys()) })
  }
  return found.toSorted((one, other) => other.columns.size - one.columns.size)[0] ?? NONE
}

/** `columns` begins with the one to sort by. */
async function make(version: WrittenVersion, { from }: Source, start: string, columns: string[]): Promise<void> {
  const [lead = ''] = columns
  const selected = [...columns, PLACE].map(identifier).join(', ')
  const rows = `SELECT ${selected} FROM ${from} ORDER BY ${identifier(lead)}, ${PLACE}`
  const name = `${start}${digest(...columns.toSorted())}`
  const signal = engineSignal()
  const isMade = await makeDerived(name, version.rows * columns.length * VALUE_BYTES, signal, async (unfinished) => {
    await queryDuckdb(`COPY (${rows}) TO ${literal(unfinished)} ${PARQUET}`, [], { queue: 'work', signal })
  })
  if (isMade) copies.set(start, { name, columns: new Set(columns) })
}

function digest(...texts: string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16)
}
