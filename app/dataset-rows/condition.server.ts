import type { Filter, RowChoice, Sort } from '#app/datasets/column.ts'
import { quoted } from '#app/duckdb/engine.server.ts'
import { PLACE } from '#app/duckdb/layout.ts'
import type { KeptColumn, Source } from './parquet-file.server.ts'
import { typedValue } from './typed-value.ts'
import { splitList } from './value-list.ts'

/** What is true of the rows that are asked for: SQL, and the values that are bound in it. */
export class Condition {
  readonly values: string[] = []
  readonly #parts: string[] = []

  add(sql: string) {
    this.#parts.push(sql)
  }

  /** The place of a value in the SQL. */
  bind(value: string, type: string): string {
    this.values.push(value)
    return `CAST($${this.values.length} AS ${type})`
  }

  get sql(): string {
    return this.#parts.length > 0 ? `WHERE ${this.#parts.map((part) => `(${part})`).join(' AND ')}` : ''
  }
}

const signs = { eq: '=', ne: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** Values are compared as the column keeps them: only so are blocks of rows left out that have none of them. */
export function addFilters(condition: Condition, filters: readonly Filter[], columns: readonly KeptColumn[]) {
  for (const { column: name, operator, value } of filters) {
    const column = columns.find((each) => each.name === name)
    if (!column) throw new Error('A filter was not checked.')
    const x = quoted(name)
    const bind = (text: string) => {
      const typed = typedValue(column.type, text)
      if ('must' in typed) throw new Error('The value of a filter was not checked.')
      return condition.bind(typed.value, comparedAs(column, typed.value))
    }
    if (operator === 'null') condition.add(`${x} IS ${value === 'true' ? '' : 'NOT '}NULL`)
    else if (operator === 'in') condition.add(`${x} IN (${splitList(value).map(bind).join(', ')})`)
    else if (operator === 'contains') condition.add(`contains(lower(${x}), lower(${bind(value)}))`)
    else if (operator === 'starts') condition.add(`starts_with(lower(${x}), lower(${bind(value)}))`)
    else condition.add(`${x} ${signs[operator]} ${bind(value)}`)
  }
}

const BITS: Record<string, bigint> = { TINYINT: 8n, SMALLINT: 16n, INTEGER: 32n, BIGINT: 64n }

/** A value that the column cannot keep is compared as what holds both. */
function comparedAs({ type, kept }: KeptColumn, value: string): string {
  if (type === 'integer') {
    const bits = BITS[kept]
    return bits !== undefined && BigInt.asIntN(Number(bits), BigInt(value)) === BigInt(value) ? kept : 'HUGEINT'
  }
  const [, width = 0, scale = 0] = /^DECIMAL\((\d+),(\d+)\)$/.exec(kept)?.map(Number) ?? []
  if (width === 0) return kept === 'JSON' ? 'VARCHAR' : kept
  const [, whole = '', fraction = ''] = /^[+-]?0*(\d*)\.?(\d*)$/.exec(value) ?? [undefined, 'x'.repeat(width)]
  return whole.length <= width - scale && fraction.length <= scale ? kept : 'DOUBLE'
}

/** Rows with equal values come in the order of the file, both up and down. */
export function orderOf(sort: Sort | undefined): string {
  return sort ? `${quoted(sort.column)} ${sort.descending ? 'DESC' : 'ASC'} NULLS LAST, ${PLACE}` : PLACE
}

/** The columns that were chosen, in the order in which they were. */
export function chosenColumns({ columns }: Source, { select }: RowChoice): KeptColumn[] {
  return select ? select.flatMap((name) => columns.find((column) => column.name === name) ?? []) : columns
}
