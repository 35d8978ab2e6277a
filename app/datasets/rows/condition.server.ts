import type { Filter, RowChoice, RowSort } from '#app/datasets/catalog/column.ts'
import { identifier } from './engine.server.ts'
import { PLACE } from './layout.ts'
import type { StoredColumn, Source } from './parquet-file.server.ts'
import { typedValue } from './typed-value.ts'
import { splitList } from './value-list.ts'

/** The WHERE clause of a query, with its bound values. */
export class Condition {
  readonly values: string[] = []
  readonly #parts: string[] = []

  add(sql: string) {
    this.#parts.push(sql)
  }

  /** Binds a value and returns its placeholder. */
  bind(value: string, type: string): string {
    this.values.push(value)
    return `CAST($${this.values.length} AS ${type})`
  }

  get sql(): string {
    return this.#parts.length > 0 ? `WHERE ${this.#parts.map((part) => `(${part})`).join(' AND ')}` : ''
  }
}

const signs = { eq: '=', ne: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** Values are compared in the column's stored type: only so can blocks without matches be skipped. */
export function addFilters(condition: Condition, filters: readonly Filter[], columns: readonly StoredColumn[]) {
  for (const { column: name, operator, value } of filters) {
    const column = columns.find((each) => each.name === name)
    if (!column) throw new Error('A filter was not checked.')
    const x = identifier(name)
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

/** A value that the column's type cannot hold is compared in a type that holds both. */
function comparedAs({ type, kept }: StoredColumn, value: string): string {
  if (type === 'integer') {
    const bits = BITS[kept]
    return bits !== undefined && BigInt.asIntN(Number(bits), BigInt(value)) === BigInt(value) ? kept : 'HUGEINT'
  }
  const [, width = 0, scale = 0] = /^DECIMAL\((\d+),(\d+)\)$/.exec(kept)?.map(Number) ?? []
  if (width === 0) return kept === 'JSON' ? 'VARCHAR' : kept
  const [, whole = '', fraction = ''] = /^[+-]?0*(\d*)\.?(\d*)$/.exec(value) ?? [undefined, 'x'.repeat(width + 1)]
  return whole.length <= width - scale && fraction.length <= scale ? kept : 'DOUBLE'
}

/** Rows with equal values are in file order, both ascending and descending. */
export function orderOf(sort: RowSort | undefined): string {
  return sort ? `${identifier(sort.column)} ${sort.descending ? 'DESC' : 'ASC'} NULLS LAST, ${PLACE}` : PLACE
}

/** The selected columns in their selected order. */
export function chosenColumns({ columns }: Source, { select }: RowChoice): StoredColumn[] {
  return select ? select.flatMap((name) => columns.find((column) => column.name === name) ?? []) : columns
}
